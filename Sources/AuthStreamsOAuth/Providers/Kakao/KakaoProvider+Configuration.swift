import AuthStreams
public import Foundation

extension KakaoProvider {
    /// The app's entries in the Kakao Developers console, and what is asked of the person.
    public struct Configuration: Equatable, Sendable {
        /// The native app key, not the REST API key: the ID token's audience (`aud`) is the key that was used.
        public var nativeAppKey: String
        /// The bundle identifier registered in the console, which Kakao compares; this app's own unless given.
        public var bundleID: String?
        /// Whether OpenID Connect is on in the console; `true` unless set. If it is off there, sign-ins end with
        /// `misconfigured`.
        ///
        /// The credential is then an ID token that is bound to the attempt's nonce and to this app. Otherwise the
        /// credential is an access token, whose `app_id` the server has to compare. KakaoTalk's answer is then not
        /// bound to the attempt: another app may answer instead with another person's code. So it signs in, but never
        /// links and never re-authenticates.
        public var usesOpenIDConnect: Bool
        /// Scopes to ask for beyond what the console asks for at the first log-in. Usually none; see
        /// ``KakaoProvider/authenticate(_:)``.
        public var scopes: [String]
        /// Tags of service terms to show (Kakao Sync).
        public var serviceTerms: [String]
        /// Public IDs of KakaoTalk channels that the person is asked to add.
        public var channelIDs: [String]
        /// Whether KakaoTalk is also opened by its custom scheme, `kakaokompassauth`, where its universal link does not open;
        /// `false` unless set.
        ///
        /// Any app can claim that scheme. It then receives the attempt's challenge and nonce, and can answer with a code of
        /// another person that passes every check: the user is signed in to that person's account. A universal link opens
        /// KakaoTalk and no other app. Linking and re-authentication never use the scheme.
        public var allowsCustomScheme: Bool
        /// Kakao's endpoints: production unless given.
        public var endpoints: Endpoints

        /// Makes a configuration. Only the native app key is required.
        public init(
            nativeAppKey: String, bundleID: String? = Self.runningBundleID, usesOpenIDConnect: Bool = true,
            scopes: [String] = [], serviceTerms: [String] = [], channelIDs: [String] = [],
            allowsCustomScheme: Bool = false, endpoints: Endpoints = .production
        ) {
            self.nativeAppKey = nativeAppKey
            self.bundleID = bundleID
            self.usesOpenIDConnect = usesOpenIDConnect
            self.scopes = scopes
            self.serviceTerms = serviceTerms
            self.channelIDs = channelIDs
            self.allowsCustomScheme = allowsCustomScheme
            self.endpoints = endpoints
        }

        /// The bundle identifier of the running app, also in an extension of it; `nil` on systems without bundles.
        @usableFromInline static var runningBundleID: String? { Bundle.appIdentifier }

        /// `kakao{KEY}://oauth`, which the app lists in `CFBundleURLTypes`; `nil` when the key makes no URL scheme.
        var redirectURI: URL? {
            nativeAppKey.isASCIILettersAndDigits ? URL(string: "kakao\(nativeAppKey)://oauth") : nil
        }
    }

    /// Kakao's endpoints.
    public struct Endpoints: Equatable, Sendable {
        /// The page that asks the person.
        package var authorize: URL
        /// The token endpoint.
        package var token: URL
        /// The keys of the ID tokens.
        package var keys: URL
        /// The `iss` of ID tokens.
        package var issuer: URL

        var metadata: AuthorizationServerMetadata {
            AuthorizationServerMetadata(
                issuer: issuer.absoluteString, authorizationEndpoint: authorize, tokenEndpoint: token, jwksURI: keys)
        }

        /// Kakao itself, `kauth.kakao.com`.
        public static let production = Endpoints(
            authorize: URL(literal: "https://kauth.kakao.com/oauth/authorize"),
            token: URL(literal: "https://kauth.kakao.com/oauth/token"),
            keys: URL(literal: "https://kauth.kakao.com/.well-known/jwks.json"),
            issuer: URL(literal: "https://kauth.kakao.com"))

        /// The emulator's Kakao, at `{base}/kauth.kakao.com`.
        public static func emulator(at base: URL) -> Endpoints {
            Endpoints(
                authorize: production.authorize.relocated(onto: base), token: production.token.relocated(onto: base),
                keys: production.keys.relocated(onto: base), issuer: production.issuer.relocated(onto: base))
        }
    }
}
