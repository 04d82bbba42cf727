import AuthStreams
import Foundation
import LoopbackHTTP

/// What test suites ask of an emulated Firebase project: `/emulator/v1/projects/PROJECT/…`, as at Firebase's own emulator.
struct FirebaseControl: EmulatorService {
    static let path = "/emulator/v1/projects/"

    let hosts = [EmulatedIdentityToolkit.host]
    let accounts: Lock<FirebaseAccounts>

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path.hasPrefix(Self.path) else { return nil }
        let rest = request.path.dropFirst(Self.path.count)
        let project = rest.prefix { $0 != "/" }
        let own = context.configuration.firebase.projectID
        guard Mismatch.accepts("PROJECT", String(project), [own], in: "firebase.projectID") else {
            return IdentityToolkitError("PROJECT_NOT_FOUND", "The emulator's project is another one.").response
        }
        do throws(IdentityToolkitError) {
            switch "\(request.method) \(rest.dropFirst(project.count))" {
            case "DELETE /accounts":
                accounts.withLock { state in for account in state.all { _ = state.remove(account.id) } }
                return .json([:])
            case "GET /config": return .json(settings)
            case "PATCH /config":
                try change(by: IdentityToolkitBody(request, members: ["signIn", "emailPrivacyConfig"]))
                return .json(settings)
            case "GET /oobCodes":
                let mails = accounts.withLock { state in state.validMails.all.map { Self.describe($0, in: state) } }
                return .json(["oobCodes": .array(mails)])
            // No phone signs in.
            case "GET /verificationCodes": return .json(["verificationCodes": []])
            default: return nil
            }
        } catch { return error.response }
    }

    private var settings: AuthJSON {
        [
            "signIn": ["allowDuplicateEmails": false],
            "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(accounts.withLock(\.protectsAddresses))],
        ]
    }

    private func change(by body: IdentityToolkitBody) throws(IdentityToolkitError) {
        if try body.object("signIn", members: ["allowDuplicateEmails"])?.bool("allowDuplicateEmails") == true {
            throw .notImplemented
        }
        let privacy = try body.object("emailPrivacyConfig", members: ["enableImprovedEmailPrivacy"])
        if let privacy, privacy.has(anyOf: "enableImprovedEmailPrivacy") {
            let isOn = try privacy.bool("enableImprovedEmailPrivacy")
            accounts.withLock { $0.protectsAddresses = isOn }
        }
    }

    private static func describe(_ mail: EmulatedFirebase.Mail, in state: FirebaseAccounts) -> AuthJSON {
        var members: [String: AuthJSON] = [
            "requestType": .string(mail.kind.rules.requestType), "oobCode": .string(mail.code.reveal()),
            "oobLink": .string(mail.link.absoluteString),
        ]
        members.merge(mail.addresses(in: state)) { $1 }
        return .object(members)
    }
}
