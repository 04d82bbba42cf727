public import Foundation

/// The proof that a provider returns after a sign-in, and that a repository sends to the server.
///
/// Which fields are set depends on the provider. Apple and Google give an ID token and the nonce it was asked with; Kakao
/// an ID token, or an access token where the app has no OpenID Connect; Naver an authorization code, because the secret
/// that redeems it stays on the server. A credential lives from the callback to the repository's answer and is never stored.
public struct Credential: Hashable, Sendable {
    /// The provider that vouches for it.
    public var provider: ProviderID
    /// An OpenID Connect ID token, as the provider sent it.
    public var idToken: Secret?
    /// The attempt's nonce before any hashing. Firebase and most servers want this one.
    public var rawNonce: Secret?
    /// The provider's own access token.
    public var accessToken: Secret?
    /// A one-time authorization code.
    public var authorizationCode: AuthorizationCode?
    /// A one-time code that your server alone redeems at the provider, with its own client (Google's `server_code`).
    public var serverAuthCode: Secret?
    /// A token that a server returned in place of proofs that it checked and found in conflict (Firebase's
    /// `pendingToken`). It signs in or links at that server, once; it has no use elsewhere.
    public var pendingToken: Secret?
    /// The e-mail address or the phone number that the person entered, for ``password(email:_:)``, ``code(to:)`` and a link;
    /// `nil` for a provider's own proof.
    public var address: String?
    /// The password that the person entered.
    public var password: Secret?
    /// The answer of a passkey, as JSON text: an `AuthenticationResponseJSON`, or for a link a `RegistrationResponseJSON` (WebAuthn
    /// Level 3 section 5.1). It works once.
    public var passkey: Secret?
    /// Further members for a server of your own, by the names that it expects. No other server receives them.
    public var members: [String: Secret] = [:]
    /// The person's identifier at the provider, if the provider returned it (the ID token's `sub`).
    public var userID: String?
    /// Profile data that the provider returns only once: Apple's name and e-mail at the first authorization.
    public var profile: Profile?
    /// Whether the person appears to be real, in the judgement of Apple's sheet; `nil` if the provider does not say.
    ///
    /// It is not sent to your server, which reads the signed claim `real_user_status` of the ID token.
    public var realUserStatus: RealUserStatus?
    /// Whether the e-mail address is a relay address in place of the person's own; `nil` if the provider does not say.
    ///
    /// Apple's providers read it from the ID token. It is not sent to your server, which reads the signed claim
    /// `is_private_email` there.
    public var isPrivateEmail: Bool?
    /// Whether the answer is bound to this attempt, by `state`, PKCE or a nonce that only the provider received: `false` unless
    /// the provider's author says so.
    ///
    /// An unbound answer may be another person's: any app can open this one with a URL, and another user of a machine may read
    /// the arguments of its processes. Such a credential can sign in, but cannot link an identity or re-authenticate. The answers
    /// of the Naver app, and of KakaoTalk by custom scheme, are unbound.
    public var isBound: Bool
    /// How to wait for another answer of the attempt, if only the server can tell whether this one is the attempt's
    /// own; otherwise ``Replacement/none``. The Naver app's credential has one.
    public var replacement = Replacement.none
    /// The authentication contexts that the request asked for, of which the ID token names one.
    package var acrValues: [String] = []
    /// How old the log-in may be that the request asked for; `nil` if it did not say.
    package var maximumAge: Duration?
    /// Receives what the repository notices and what does not end the sign-in, such as an ID token without a verified
    /// signature.
    package var warnings = Warnings.none
    /// The rest of the answer that ``accessToken`` and ``idToken`` are from, if the provider redeems its grant itself; `nil`
    /// otherwise. A repository whose session is the provider's tokens continues with it.
    package var issuedTokens: IssuedTokens?

    /// Makes a credential. Everything but the provider may be absent. It is unbound unless `isBound` is `true`.
    public init(
        provider: ProviderID, idToken: Secret? = nil, rawNonce: Secret? = nil, accessToken: Secret? = nil,
        authorizationCode: AuthorizationCode? = nil, serverAuthCode: Secret? = nil, userID: String? = nil,
        profile: Profile? = nil, pendingToken: Secret? = nil, isBound: Bool = false
    ) {
        self.isBound = isBound
        self.provider = provider
        self.idToken = idToken
        self.rawNonce = rawNonce
        self.accessToken = accessToken
        self.authorizationCode = authorizationCode
        self.serverAuthCode = serverAuthCode
        self.pendingToken = pendingToken
        self.userID = userID
        self.profile = profile
    }
}

extension Credential {
    /// A credential of an e-mail address and a password.
    ///
    /// Use it with ``AuthService/signIn(credential:)`` and ``AuthService/signUp(credential:)``, or ask the person by
    /// `PasswordProvider` of AuthStreamsOAuth.
    public static func password(email: String, _ password: String) -> Credential {
        var credential = Credential(provider: .password, isBound: true)
        credential.address = email
        credential.password = Secret(password)
        return credential
    }

    /// A credential that asks the server to send a code to an e-mail address or a phone number. The server answers with a
    /// ``Challenge`` for the code.
    public static func code(to address: String) -> Credential {
        var credential = Credential(provider: .code, isBound: true)
        credential.address = address
        return credential
    }

    /// A credential of a passkey's answer, such as one that a page got by `navigator.credentials`.
    ///
    /// `PasskeyProvider` of AuthStreamsOAuth makes it of the system's sheet.
    ///
    /// - Parameter response: An `AuthenticationResponseJSON`, or for a link a `RegistrationResponseJSON` (WebAuthn Level 3 section
    ///   5.1).
    public static func assertion(_ response: AuthJSON) -> Credential {
        var credential = Credential(provider: .passkey, isBound: true)
        credential.passkey = (try? JSONEncoder().encode(response)).map { Secret(String(decoding: $0, as: UTF8.self)) }
        return credential
    }

    /// A one-time code with the values that the server repeats when it redeems it (RFC 6749 section 4.1.3).
    public struct AuthorizationCode: Hashable, Sendable {
        /// The code. It works once and expires within minutes.
        public var code: Secret
        /// The `state` of the request, which Naver's token endpoint requires again.
        public var state: Secret?
        /// The redirect URI of the request, or `nil` where none was used (app-to-app, native sheets).
        public var redirectURI: URL?
        /// The PKCE verifier, where the request carried a challenge (RFC 7636).
        public var codeVerifier: Secret?
        /// The scopes of the request, which a token response without `scope` grants (RFC 6749 section 5.1); `nil` if they are not
        /// known.
        public var scopes: [String]?
        /// The issuer that the answer named (RFC 9207), which the ID token must name, too; `nil` if it named none.
        package var issuer: String?

        /// Makes a code with its values.
        public init(
            code: Secret, state: Secret? = nil, redirectURI: URL? = nil, codeVerifier: Secret? = nil,
            scopes: [String]? = nil
        ) {
            self.code = code
            self.state = state
            self.redirectURI = redirectURI
            self.codeVerifier = codeVerifier
            self.scopes = scopes
        }
    }

    /// The wait for another credential of the same attempt, after the server refused this one as invalid.
    ///
    /// An unbound answer may be one that another app forged, which must not end the attempt. The use case ``AuthSignIn``
    /// then waits for the next answer and signs in with that. Two credentials that differ only in this are equal.
    public struct Replacement: Hashable, Sendable {
        /// No other answer is waited for.
        public static let none = Replacement { throw $0 }

        /// Waits for the next credential, given the server's refusal.
        let next: @Sendable (any Error) async throws -> Credential

        /// Makes a replacement.
        ///
        /// - Parameter next: Waits for the next answer, given the server's refusal, an ``AuthError``. It limits the
        ///   number of answers and the time, and throws the first refusal if no answer arrives.
        package init(_ next: @escaping @Sendable (any Error) async throws -> Credential) {
            self.next = next
        }

        /// Returns `true`: a replacement is not part of what a credential proves.
        public static func == (_: Replacement, _: Replacement) -> Bool { true }
        /// Adds nothing to the hash, since all replacements are equal.
        public func hash(into _: inout Hasher) {}
    }

    /// An answer of a token endpoint (RFC 6749 section 5.1), without the access token and the ID token.
    package struct IssuedTokens: Hashable, Sendable {
        /// The refresh token; `nil` if the server gave none.
        package let refreshToken: Secret?
        /// The granted scopes: those that the answer names, otherwise those that were requested (section 5.1).
        package let scopes: [String]
        /// The members of the answer, without its tokens.
        package let members: [String: AuthJSON]
        /// When the server answered, by its own clock; `nil` if the answer has no date.
        package let date: Date?
        /// The thumbprint of the key that the tokens are bound to (RFC 9449); `nil` for bearer tokens.
        package let keyThumbprint: String?

        package init(
            refreshToken: Secret?, scopes: [String], members: [String: AuthJSON], date: Date?, keyThumbprint: String?
        ) {
            self.refreshToken = refreshToken
            self.scopes = scopes
            self.members = members
            self.date = date
            self.keyThumbprint = keyThumbprint
        }
    }

    /// Where a repository that redeems the credential itself reports errors that do not end the sign-in. Two
    /// credentials that differ only in this are equal.
    package struct Warnings: Hashable, Sendable {
        /// They are dropped.
        package static let none = Warnings { _ in }

        /// Reports an error.
        package let report: @Sendable (any Error) -> Void

        package init(_ report: @escaping @Sendable (any Error) -> Void) { self.report = report }

        package static func == (_: Warnings, _: Warnings) -> Bool { true }
        package func hash(into _: inout Hasher) {}
    }

    /// Whether a person appears to be real. Apple judges at the first authorization of an account only.
    public enum RealUserStatus: String, Hashable, Sendable {
        /// The system does not judge.
        case unsupported
        /// The system cannot tell: treat the person as a new one, with the usual checks.
        case unknown
        /// The person appears to be real, with high confidence.
        case likelyReal
    }

    /// Name and e-mail that accompanied the tokens. Unsigned: never trust this e-mail over the ID token's.
    public struct Profile: Hashable, Sendable, Codable {
        /// The person's name.
        public var name: PersonName?
        /// The e-mail address that the person agreed to share.
        public var email: String?

        /// Makes a profile.
        public init(name: PersonName? = nil, email: String? = nil) {
            self.name = name
            self.email = email
        }

        /// Whether all values are absent.
        package var isEmpty: Bool { name == nil && email == nil }
    }
}

extension Credential.IssuedTokens: DescriptionOnly {
    /// A fixed text without content of the answer, to which a server may add secrets of its own.
    package var description: String { "issued tokens" }
}
