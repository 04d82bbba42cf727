import AuthStreams
public import Foundation

extension GoogleProvider {
    /// Google's endpoints, as in its discovery document.
    public struct Endpoints: Equatable, Sendable {
        /// The accepted `iss` of ID tokens: with and without `https://`.
        package var issuers: Set<String>
        /// The page.
        package var authorization: URL
        /// The token endpoint.
        package var token: URL
        /// The keys of the ID tokens.
        package var keys: URL

        /// Google's callbacks name the issuer, but its metadata promise none.
        var metadata: AuthorizationServerMetadata {
            AuthorizationServerMetadata(
                issuer: issuers.max { $0.count < $1.count }, authorizationEndpoint: authorization, tokenEndpoint: token,
                jwksURI: keys)
        }

        /// Google's production endpoints.
        public static let production = Endpoints(
            issuers: ["https://accounts.google.com", "accounts.google.com"],
            authorization: URL(literal: "https://accounts.google.com/o/oauth2/v2/auth"),
            token: URL(literal: "https://oauth2.googleapis.com/token"),
            keys: URL(literal: "https://www.googleapis.com/oauth2/v3/certs"))

        /// The emulator's Google: each `https://HOST/PATH` at `BASE/HOST/PATH`, the issuers likewise.
        public static func emulator(at base: URL) -> Endpoints {
            let issuer = URL(literal: "https://accounts.google.com").relocated(onto: base).absoluteString
            let bare = issuer.split(separator: "://", maxSplits: 1).last.map(String.init) ?? issuer
            return Endpoints(
                issuers: [issuer, bare], authorization: production.authorization.relocated(onto: base),
                token: production.token.relocated(onto: base), keys: production.keys.relocated(onto: base))
        }
    }
}

extension GoogleProvider {
    /// How Google's answer returns; it depends on the client's type.
    public enum Redirect: Equatable, Sendable {
        /// A listener on 127.0.0.1, on any port: for clients of type Desktop. Google refuses it for mobile types.
        case loopback
        /// `com.googleusercontent.apps.NUM-HASH:/oauth2callback`: for clients of type iOS. The app must register that
        /// scheme.
        case reversedClientID

        /// The redirect URI of an iOS client, with a single slash; `nil` if the client ID has another form.
        static func reversed(clientID: String) -> URL? {
            let suffix = ".apps.googleusercontent.com"
            let id = clientID.lowercased()
            guard id.hasSuffix(suffix), id.count > suffix.count else { return nil }
            return URL(string: "com.googleusercontent.apps.\(id.dropLast(suffix.count)):/oauth2callback")
        }
    }
}

/// Google's errors beyond the codes of the specifications.
enum GoogleErrors {
    static let dialect: OAuthFailure.Dialect = { failure in
        switch failure.error {
        case "admin_policy_enforced":
            AuthError(
                .accessDenied, "The Workspace administrator does not allow this app. They can in the admin console.")
        case "org_internal":
            AuthError(.accessDenied, "The client is for one organisation's members only; see its consent screen.")
        case "deleted_client":
            AuthError(
                .misconfigured,
                "The client was deleted after six months without use, or by hand. Create another in the Google Cloud console."
            )
        case "invalid_audience":
            AuthError(
                .misconfigured, "The server's client ID is no client of type Web in the same project. Correct it.")
        case "disallowed_useragent":
            AuthError(.misconfigured, "Google refuses embedded views. Show its page in the system browser.")
        default: nil
        }
    }
}
