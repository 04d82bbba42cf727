import AuthStreams

/// What a credential is to Supabase.
enum SupabaseProof {
    /// The grant and the body of `token`.
    case tokens(grant: String, [String: AuthJSON])
    /// A code has to be sent.
    case code(to: Recipient)
    /// The `token_hash` of a mail's link, and the address that it was sent to.
    case mailLink(Secret, address: String?)
}

/// An e-mail address or a phone number.
struct Recipient: Hashable, Sendable {
    let text: String

    var isPhone: Bool { !text.contains("@") }

    private var name: String { isPhone ? "phone" : "email" }

    /// The member of a request that names it.
    var member: [String: AuthJSON] { [name: .string(text)] }

    init(text: String) { self.text = text }

    /// Where `reauthenticate` sends a code (`reauthenticate.go`): to the address of a user, or without one to the number.
    init?(of user: AuthJSON) {
        guard let text = user["email"]?.text ?? user["phone"]?.text.map({ "+\($0)" }) else { return nil }
        self.init(text: text)
    }

    /// Whether it is the address or the number of a user.
    func isOne(of user: AuthJSON) -> Bool { user[name]?.text.map(Self.plain) == Self.plain(text) }

    /// Whether a user has another address, or another number.
    func replacesOne(of user: AuthJSON) -> Bool { user[name]?.text != nil && !isOne(of: user) }

    /// Supabase stores a number without plus sign and spaces (`phone.go`: `formatPhoneNumber`), and an address in lower case.
    private static func plain(_ text: String) -> String {
        text.contains("@") ? text.lowercased() : text.replacing("+", with: "").replacing(" ", with: "")
    }
}

extension Credential {
    /// The address or the number that the person entered.
    var recipient: Recipient? { address.flatMap { $0.isEmpty ? nil : Recipient(text: $0) } }
}

extension SupabaseRepository {
    /// - Throws: `unsupportedProvider` if the project does not take the provider's ID tokens; `invalidCredential` if a part is
    ///   missing.
    func proof(of credential: Credential) throws(AuthError) -> SupabaseProof {
        if let name = providers[credential.provider] {
            guard let idToken = credential.idToken?.present else {
                throw AuthError(
                    .invalidCredential,
                    "The credential has no ID token. Supabase takes no other proof: turn on OpenID Connect at the provider."
                )
            }
            // `token_oidc.go`: `IdTokenGrantParams`.
            var body: [String: AuthJSON] = ["provider": .string(name), "id_token": .string(idToken.reveal())]
            if let nonce = credential.rawNonce?.present { body["nonce"] = .string(nonce.reveal()) }
            // Compared with `at_hash`, if the ID token has it.
            if let token = credential.accessToken?.present { body["access_token"] = .string(token.reveal()) }
            return .tokens(grant: "id_token", body)
        }
        switch credential.provider {
        case .password:
            guard let recipient = credential.recipient, let password = credential.password?.present else {
                throw .incomplete
            }
            var body = recipient.member
            body["password"] = .string(password.reveal())
            return .tokens(grant: "password", body)
        case .code:
            guard let recipient = credential.recipient else { throw .incomplete }
            return .code(to: recipient)
        case .emailLink:
            guard let hash = credential.authorizationCode?.code.present else { throw .incomplete }
            return .mailLink(hash, address: credential.address)
        default:
            throw AuthError(
                .unsupportedProvider,
                "The project takes no ID token of \(credential.provider). Add it to the repository's providers.")
        }
    }
}

extension AuthError {
    fileprivate static var incomplete: Self {
        AuthError(.invalidCredential, "The credential has no address, no password or no code.")
    }
}
