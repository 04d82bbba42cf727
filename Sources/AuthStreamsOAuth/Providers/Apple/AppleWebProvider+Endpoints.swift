import AuthStreams
public import Foundation

extension AppleWebProvider {
    /// Apple's endpoints.
    ///
    /// Constants instead of discovery, because the issuer in Apple's discovery document can differ from that of its tokens.
    public struct Endpoints: Equatable, Sendable {
        /// The `iss` of ID tokens.
        package var issuer: String
        /// The page.
        package var authorization: URL
        /// The keys of the ID tokens.
        package var keys: URL

        /// The app redeems nothing at Apple, which requires the secret of the server.
        var metadata: AuthorizationServerMetadata {
            AuthorizationServerMetadata(
                issuer: issuer, authorizationEndpoint: authorization, tokenEndpoint: nil, jwksURI: keys)
        }

        /// Apple's production endpoints.
        public static let production = Endpoints(
            issuer: "https://appleid.apple.com",
            authorization: URL(literal: "https://appleid.apple.com/auth/authorize"),
            keys: URL(literal: "https://appleid.apple.com/auth/keys"))

        /// The emulator's Apple: each `https://HOST/PATH` at `BASE/HOST/PATH`, the issuer likewise.
        public static func emulator(at base: URL) -> Endpoints {
            Endpoints(
                issuer: URL(literal: "https://appleid.apple.com").relocated(onto: base).absoluteString,
                authorization: production.authorization.relocated(onto: base),
                keys: production.keys.relocated(onto: base))
        }
    }
}
