import AuthStreams
public import Foundation

extension GoogleProvider {
    /// Where Google is, as its discovery document says.
    public struct Endpoints: Hashable, Sendable {
        /// How ID tokens may name Google: with and without `https://`.
        public var issuers: Set<String>
        /// The page.
        public var authorization: URL
        /// Where codes are redeemed.
        public var token: URL
        /// The keys of the ID tokens.
        public var keys: URL

        /// Names every place.
        public init(issuers: Set<String>, authorization: URL, token: URL, keys: URL) {
            self.issuers = issuers
            self.authorization = authorization
            self.token = token
            self.keys = keys
        }

        /// Google itself.
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
