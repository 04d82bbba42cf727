import AuthStreams
public import Foundation

extension AppleWebProvider {
    /// Apple's endpoints.
    ///
    /// Constants instead of discovery: in June 2025 Apple's discovery document named another issuer than its tokens.
    public struct Endpoints: Hashable, Sendable {
        /// The `iss` of ID tokens.
        public var issuer: String
        /// The page.
        public var authorization: URL
        /// The keys of the ID tokens.
        public var keys: URL

        /// Makes the endpoints.
        public init(issuer: String, authorization: URL, keys: URL) {
            self.issuer = issuer
            self.authorization = authorization
            self.keys = keys
        }

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
