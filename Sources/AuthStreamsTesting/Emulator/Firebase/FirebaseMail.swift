public import AuthStreams
public import Foundation
import LoopbackHTTP

extension EmulatedFirebase {
    /// The newest 1024 mails that the project has sent, the oldest first. A page lists them, too.
    public var mails: [Mail] { accounts.withLock { $0.mails.all } }

    /// A mail with a link. Its code works once, and an older one to the same address no longer.
    public struct Mail: Hashable, Sendable {
        /// What a mail is for.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// A new password. The code is valid for an hour.
            case passwordReset
            /// The verification of an address. The code is valid for three days.
            case verification
            /// A sign-in. The code is valid for six hours.
            case signIn
            /// A change of the address, sent to the new one. The code is valid for three days.
            case addressChange
            /// The way back to the earlier address, sent to that one after a change. The code is valid for three days.
            case addressRecovery
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
        /// The uid of the user whose address changes; `nil` for the other kinds.
        let userID: String?
        /// When it was sent.
        package let sentAt: Date

        /// The kind and the address: a newer mail of both takes the place of an older one.
        var purpose: String { "\(kind) \(address)" }

        fileprivate init(
            _ kind: Kind, to address: String, of userID: String?, code: String, continueURL: URL?,
            in context: EmulatorContext
        ) {
            (self.kind, self.address, self.userID, self.code) = (kind, address, userID, Secret(code))
            sentAt = context.now
            let project = context.configuration.firebase
            var query = [
                URLQueryItem(name: "mode", value: kind.rules.mode), URLQueryItem(name: "oobCode", value: code),
                URLQueryItem(name: "apiKey", value: project.apiKey), URLQueryItem(name: "lang", value: "en"),
            ]
            self.continueURL = continueURL?.appending(queryItems: query)
            if let continueURL {
                query.append(URLQueryItem(name: "continueUrl", value: continueURL.absoluteString))
            }
            let page = "\(context.base)/\(project.actionHost)\(FirebaseMailbox.actionPath)"
            link = (URL(string: page) ?? URL(filePath: "/")).appending(queryItems: query)
        }
    }
}

extension EmulatedFirebase.Mail.Kind {
    /// The kind as a request names it and in the query of a link, and how long a code is valid.
    ///
    /// Production was seen to refuse the code of a new password after an hour; for the others no document names a limit.
    var rules: (requestType: String, mode: String, lifetime: TimeInterval) {
        switch self {
        case .passwordReset: ("PASSWORD_RESET", "resetPassword", 3600)
        case .verification: ("VERIFY_EMAIL", "verifyEmail", 3 * 86_400)
        case .signIn: ("EMAIL_SIGNIN", "signIn", 6 * 3600)
        case .addressChange: ("VERIFY_AND_CHANGE_EMAIL", "verifyAndChangeEmail", 3 * 86_400)
        case .addressRecovery: ("RECOVER_EMAIL", "recoverEmail", 3 * 86_400)
        }
    }
}

extension EmulatedFirebase.Mail: CustomStringConvertible, CustomReflectable {
    /// The kind, never the address or the code.
    public var description: String { "mail \(kind.rawValue)" }
    /// A mirror without children, because the links have the code.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension EmulatedFirebase.Mail {
    /// The user's address, and the new one of a change, as Identity Toolkit names them.
    func addresses(in state: FirebaseAccounts) -> [String: AuthJSON] {
        guard kind == .addressChange else { return ["email": .string(address)] }
        var addresses: [String: AuthJSON] = ["newEmail": .string(address)]
        addresses.add("email", userID.flatMap { state[$0]?.email })
        return addresses
    }
}

extension FirebaseAccounts {
    /// Sends a mail. An earlier one of that kind to that address is not valid from then on.
    @discardableResult
    mutating func send(
        _ kind: EmulatedFirebase.Mail.Kind, to address: String, of userID: String? = nil, continueURL: URL? = nil,
        in context: EmulatorContext
    ) -> EmulatedFirebase.Mail {
        let mail = EmulatedFirebase.Mail(
            kind, to: address, of: userID, code: validMails.newKey(), continueURL: continueURL, in: context)
        validMails.removeAll(named: mail.purpose)
        validMails[mail.code.reveal()] = mail
        mails.append(mail)
        context.note("oobCode", mail.code.reveal(), host: EmulatedIdentityToolkit.host)
        return mail
    }

    /// Returns the mail of a code that is valid for one of these purposes.
    mutating func mail(
        of code: String, _ kinds: [EmulatedFirebase.Mail.Kind], now: Date
    ) throws(IdentityToolkitError) -> EmulatedFirebase.Mail {
        guard let mail = validMails.find(code), kinds.contains(mail.kind) else {
            throw IdentityToolkitError("INVALID_OOB_CODE")
        }
        guard now.timeIntervalSince(mail.sentAt) < mail.kind.rules.lifetime else {
            throw IdentityToolkitError("EXPIRED_OOB_CODE")
        }
        return mail
    }

    /// Verifies an address by the code of a mail, and changes it if the mail is for that.
    mutating func verifyEmail(
        by code: String, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> FirebaseAccount {
        let mail = try mail(of: code, [.verification, .addressChange, .addressRecovery], now: context.now)
        let id = mail.userID ?? account(email: mail.address)?.id
        guard let id, self[id] != nil else {
            throw IdentityToolkitError(mail.userID == nil ? "EMAIL_NOT_FOUND" : "USER_NOT_FOUND")
        }
        if mail.userID != nil {
            try changeEmail(of: id, to: mail.address, isRecovery: mail.kind == .addressRecovery, in: context)
        }
        validMails[code] = nil
        _ = update(id) { $0.isEmailVerified = true }
        return self[id] ?? FirebaseAccount(id: id, now: context.now)
    }

    /// Changes a user's address, ends their sessions, and sends the way back to the earlier address, unless this was it.
    mutating func changeEmail(
        of id: String, to address: String, isRecovery: Bool = false, in context: EmulatorContext
    ) throws(IdentityToolkitError) {
        guard [nil, id].contains(account(email: address)?.id) else { throw IdentityToolkitError("EMAIL_EXISTS") }
        let earlier = self[id]?.email
        _ = update(id) { ($0.email, $0.isEmailVerified) = (address, false) }
        _ = revokeSessions(of: id, now: context.now)
        if let earlier, earlier != address, !isRecovery { send(.addressRecovery, to: earlier, of: id, in: context) }
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
                response = .error(error.message, "The link cannot be used. Ask for another mail.")
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
                try state.mail(of: code, [.signIn], now: now)
            }
            guard let url = mail.continueURL else { throw IdentityToolkitError("MISSING_CONTINUE_URI") }
            return LoopbackResponse(status: 302, headers: [("Location", url.absoluteString)])
        case "verifyEmail", "verifyAndChangeEmail", "recoverEmail":
            let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
                try state.verifyEmail(by: code, in: context)
            }
            let message = "It is \(account.email ?? ""). You can return to the app."
            return .message("Your address is verified", message)
        case "resetPassword":
            guard request.method == "POST", let password = request.form["newPassword"], password.count >= 6 else {
                return form(for: code)
            }
            _ = try accounts.withLock { (state) throws(IdentityToolkitError) in
                try state.resetPassword(by: code, to: password, now: now)
            }
            return .message("Your password is changed", "You can return to the app.")
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
