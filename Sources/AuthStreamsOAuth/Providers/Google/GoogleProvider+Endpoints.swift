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
