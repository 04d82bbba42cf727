public import AuthStreams
public import Foundation
import LoopbackHTTP

extension EmulatedFirebase {
    /// The newest 1024 mails that the project has sent, the oldest first. A page lists them, too.
    public var mails: [Mail] { accounts.withLock { $0.mails.all } }

    /// A mail with a link. Its code works once, and an older one to the same address no longer.
    public struct Mail: Hashable, Sendable {
        /// What a mail is for.
        public enum Kind: String, Hashable, Sendable {
            /// A new password. The code is valid for an hour.
            case passwordReset
            /// The verification of an address. The code is valid for three days.
            case verification
            /// A sign-in. The code is valid for six hours.
            case signIn
        }

        /// The purpose.
        public let kind: Kind
        /// The address to which it was sent, in lower case.
        public let address: String
        /// The code of the link, which Firebase calls `oobCode`.
        public let code: Secret
        /// The link: a page of the emulator that verifies the address, asks for a new password, or continues in the app.
        public let link: URL
        /// The URL by which the link of a sign-in continues in the app; `nil` without a URL to continue at.
        public let continueURL: URL?
        /// When it was sent.
        package let sentAt: Date

        /// The kind and the address: a newer mail of both takes the place of an older one.
        var purpose: String { "\(kind) \(address)" }

        init(
            _ kind: Kind, to address: String, code: String, continueURL: URL?,
            of project: EmulatorConfiguration.Firebase, base: String, at now: Date
        ) {
            (self.kind, self.address, self.code, sentAt) = (kind, address, Secret(code), now)
            var query = [
                URLQueryItem(name: "mode", value: kind.mode), URLQueryItem(name: "oobCode", value: code),
                URLQueryItem(name: "apiKey", value: project.apiKey), URLQueryItem(name: "lang", value: "en"),
            ]
            self.continueURL = continueURL?.appending(queryItems: query)
            if let continueURL {
                query.append(URLQueryItem(name: "continueUrl", value: continueURL.absoluteString))
            }
            let page = URL(string: "\(base)/\(project.actionHost)\(FirebaseMailbox.actionPath)") ?? URL(filePath: "/")
            link = page.appending(queryItems: query)
        }
    }
}

extension EmulatedFirebase.Mail.Kind {
    /// The kind in the query of a link.
    fileprivate var mode: String {
        switch self {
        case .passwordReset: "resetPassword"
        case .verification: "verifyEmail"
        case .signIn: "signIn"
        }
    }

    /// How long a code is valid. Production was seen to refuse that of a new password after an hour; for the others no document
    /// names a limit.
    fileprivate var lifetime: TimeInterval {
        switch self {
        case .passwordReset: 3600
        case .verification: 3 * 86_400
        case .signIn: 6 * 3600
        }
    }
}

extension EmulatedFirebase.Mail: CustomStringConvertible, CustomReflectable {
    /// The kind, never the address or the code.
    public var description: String { "mail \(kind.rawValue)" }
    /// A mirror without children, because the links have the code.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension FirebaseAccounts {
    mutating func send(_ mail: EmulatedFirebase.Mail) {
        validMails.removeAll(named: mail.purpose)
        validMails[mail.code.reveal()] = mail
        mails.append(mail)
    }

    /// Returns the mail of a code that is valid for a purpose.
    mutating func mail(
        of code: String, _ kind: EmulatedFirebase.Mail.Kind, now: Date
    ) throws(IdentityToolkitError) -> EmulatedFirebase.Mail {
        guard let mail = validMails.find(code), mail.kind == kind else {
            throw IdentityToolkitError("INVALID_OOB_CODE")
        }
        guard now.timeIntervalSince(mail.sentAt) < kind.lifetime else { throw IdentityToolkitError("EXPIRED_OOB_CODE") }
        return mail
    }
}

/// The project's own host: the list of its mails, and the pages behind their links.
struct FirebaseMailbox: EmulatorService {
    static let path = "/emulator/mails"
    static let actionPath = "/__/auth/action"

    let hosts: [String]
    let accounts: Lock<FirebaseAccounts>

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        let response: LoopbackResponse
        switch request.endpoint {
        case "GET \(Self.path)": return list
        case "GET \(Self.actionPath)", "POST \(Self.actionPath)":
            do { response = try open(request, in: context) } catch {
                response = MessagePage.error(error.message, "The link cannot be used. Ask for another mail.")
            }
        default: return nil
        }
        return response.uncached
    }

    private var list: LoopbackResponse {
        let mails = accounts.withLock { $0.mails.all }
        return SentMessagesPage.response(
            "Mails of Firebase", mails.map { ($0.kind.rawValue, $0.address, $0.code.reveal(), $0.link) })
    }

    private func open(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> LoopbackResponse {
        let (code, now) = (request.query["oobCode"] ?? request.form["oobCode"] ?? "", context.now)
        switch request.query["mode"] ?? request.form["mode"] {
        case "signIn":
            let mail = try accounts.withLock { (state) throws(IdentityToolkitError) in
                try state.mail(of: code, .signIn, now: now)
            }
            guard let url = mail.continueURL else { throw IdentityToolkitError("MISSING_CONTINUE_URI") }
            return LoopbackResponse(status: 302, headers: [("Location", url.absoluteString)])
        case "verifyEmail":
            _ = try accounts.withLock { (state) throws(IdentityToolkitError) in
                try state.verifyEmail(by: code, now: now)
            }
            return .html(MessagePage(title: "Your address is verified", message: "You can return to the app.").html)
        case "resetPassword":
            guard request.method == "POST", let password = request.form["newPassword"], password.count >= 6 else {
                return form(for: code)
            }
            _ = try accounts.withLock { (state) throws(IdentityToolkitError) in
                try state.resetPassword(by: code, to: password, now: now)
            }
            return .html(MessagePage(title: "Your password is changed", message: "You can return to the app.").html)
        default: throw IdentityToolkitError("INVALID_REQ_TYPE")
        }
    }

    private func form(for code: String) -> LoopbackResponse {
        .html(
            PageStyle.document(
                title: "A new password",
                body: """
                    <h1>A new password</h1>
                    <form method="post">
                    \(HTML.hidden("mode", "resetPassword"))\(HTML.hidden("oobCode", code))
                    <label>At least six characters
                    <input type="password" name="newPassword" minlength="6" required autocomplete="new-password"></label>
                    <button class="primary" type="submit">Save</button>
                    </form>
                    """))
    }
}
