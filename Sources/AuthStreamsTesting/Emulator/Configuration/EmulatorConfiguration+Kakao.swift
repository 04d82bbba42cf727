extension EmulatorConfiguration {
    /// An app at Kakao. Its native keys and its REST key are different clients of the same app.
    public struct Kakao: Sendable {
        /// The app's number, which distinguishes its access tokens from those of another app.
        public var appID: Int64 = 1_234_567
        /// The app's native keys; Kakao allows up to five. They have no secret; the redirect URI of each is
        /// `kakao{KEY}://oauth`. A server accepts ID tokens for any of them.
        public var nativeAppKeys = ["0a1b2c3d4e5f60718293a4b5c6d7e8f9"]
        /// The key of a server or a website.
        public var restAPIKey = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"
        /// The secret of the REST key, or `nil` if the console does not require it.
        public var restSecret: String? = "emulator-kakao-secret"
        /// The key by which the app's server acts for any of its users. It is never in an app.
        public var adminKey = "emulator-kakao-admin-key"
        /// The redirect URIs of the REST key. `http://127.0.0.1/…` stands for any port (RFC 8252 section 7.3).
        public var redirectURIs = ["https://app.example/kakao", "http://127.0.0.1/callback"]
        /// The registered bundle identifiers. A token request that names another one is refused with KOE009.
        public var bundleIDs = ["com.example.authstreams"]
        /// Whether OpenID Connect is enabled, so that there are ID tokens.
        public var isOpenIDEnabled = true
        /// The consents that the console offers, beside `openid`.
        public var scopes: Set<String> = ["profile_nickname", "profile_image", "account_email"]
        /// Another app, whose access tokens are valid at Kakao and must not be accepted elsewhere.
        public var otherAppID: Int64 = 7_654_321
        /// The native key of that other app.
        public var otherNativeAppKey = "ffffffffffffffffffffffffffffffff"
        /// The people with an account.
        public var users = [
            EmulatorUser(
                id: "1001", name: "김민지", email: "minji@kakao.example", pictureURL: "https://k.example/minji.jpg"),
            EmulatorUser(
                id: "1002", name: "Alex Morgan", email: "alex@kakao.example", pictureURL: "https://k.example/alex.jpg"),
        ]

        /// The first of the native keys.
        public var nativeAppKey: String {
            get { nativeAppKeys.first ?? "" }
            set { nativeAppKeys.replaceSubrange(0..<min(1, nativeAppKeys.count), with: [newValue]) }
        }

        /// The redirect URI of the first native key.
        public var nativeRedirectURI: String { "kakao\(nativeAppKey)://oauth" }

        /// Returns the app of a key, or `nil` for an unknown key.
        func appID(ofKey key: String) -> Int64? {
            keys(ofApp: appID).contains(key) ? appID : keys(ofApp: otherAppID).contains(key) ? otherAppID : nil
        }

        func keys(ofApp app: Int64) -> Set<String> {
            app == appID ? Set(nativeAppKeys + [restAPIKey]) : app == otherAppID ? [otherNativeAppKey] : []
        }

        func redirectURIs(ofKey key: String) -> [String] {
            key == restAPIKey ? redirectURIs : ["kakao\(key)://oauth"]
        }
    }
}
