import AuthStreams

extension EmulatorConfiguration {
    /// An OpenID Connect issuer for the app's own people, with the paths of a Keycloak realm.
    public struct Issuer: Sendable {
        /// The issuer's identifier in production.
        public static let identifier = "https://id.pulseboard.example/realms/main"
        static let host = "id.pulseboard.example"

        /// Whether the parameters of the page may be sent before the page is shown (RFC 9126).
        public enum PushedRequests: Hashable, Sendable {
            /// There is no endpoint for them.
            case unsupported
            /// They are accepted, as parameters in the page's URL are.
            case supported
            /// They are accepted, and parameters in the page's URL are refused.
            case required
        }

        /// Whether tokens are bound to a key that the client proves (RFC 9449).
        public enum DPoP: Hashable, Sendable {
            /// Proofs are ignored, and all tokens are bearer tokens.
            case unsupported
            /// The tokens of a request with a proof are bound, those of another are bearer tokens.
            case supported
            /// A token request without a proof is refused.
            case required
        }

        /// How the client proves who it is (OpenID Connect Core section 9).
        package enum Authentication: Hashable, Sendable {
            case none
            case basic(secret: String)
            case post(secret: String)
            /// A token that the development key for ES256 signs.
            case privateKey

            /// The method in metadata.
            var name: String {
                switch self {
                case .none: "none"
                case .basic: "client_secret_basic"
                case .post: "client_secret_post"
                case .privateKey: "private_key_jwt"
                }
            }
        }

        /// The client identifier of the app, a public client.
        public var clientID = "pulseboard-app"
        /// How the client proves who it is. One that uses another method is refused.
        package var authentication = Authentication.none
        /// Whether the parameters of the page may be sent before the page is shown, as a configuration with
        /// `pushesAuthorizationRequests` does. `unsupported` unless set.
        public var pushedRequests = PushedRequests.unsupported
        /// Whether the issuer gives codes that a person enters on another device (RFC 8628): `false` unless set.
        public var acceptsDeviceCodes = false
        /// How long such a code can be entered. A minute after that the issuer has forgotten it, and answers `invalid_grant`.
        public var deviceCodeLifetime = Duration.seconds(600)
        /// The shortest time before the first request of a device to the token endpoint, and between two of them.
        public var devicePollingInterval = Duration.seconds(5)
        /// Whether tokens are bound to a key that the client proves, as a configuration with `usesDPoP` does. `unsupported` unless
        /// set. Each proof is checked: its signature, type, method, URL, time, token and nonce, and that it is used once. A code, a
        /// refresh token and an access token that are bound to a key need proofs of that key.
        public var dpop = DPoP.unsupported
        /// Whether a proof must have the issuer's nonce, which each response has. `false` unless set.
        public var demandsDPoPNonces = false
        /// The registered redirect URIs. `http://127.0.0.1/…` stands for any port (RFC 8252 section 7.3).
        public var redirectURIs = ["com.example.pulseboard:/callback", "http://127.0.0.1/callback/openid"]
        /// The registered post-logout redirect URIs, likewise.
        public var postLogoutRedirectURIs = ["com.example.pulseboard:/goodbye", "http://127.0.0.1/goodbye"]
        /// The lifetime of an access token.
        public var accessTokenLifetime = Duration.seconds(300)
        /// The lifetime of a refresh token. Each works once, and a second use ends all that follow from it.
        public var refreshTokenLifetime = Duration.seconds(30 * 86_400)
        /// The people with an account.
        public var users = [
            EmulatorUser(
                id: "f3b7c1de-0001", name: "Minji Kim", email: "minji@pulseboard.example",
                pictureURL: "https://id.pulseboard.example/minji.png"),
            EmulatorUser(id: "f3b7c1de-0002", name: "Alex Morgan", email: "alex@pulseboard.example"),
        ]
    }
}

extension EmulatorEndpoint {
    private static let realm = "id.pulseboard.example/realms/main"
    /// The issuer's metadata.
    public static let issuerMetadata = Self(stringLiteral: "\(realm)/.well-known/openid-configuration")
    /// The issuer's page.
    public static let issuerAuthorize = Self(stringLiteral: "\(realm)/protocol/openid-connect/auth")
    /// The issuer's endpoint for pushed requests, if ``EmulatorConfiguration/Issuer/pushedRequests`` has it.
    public static let issuerPushedAuthorization = Self(
        stringLiteral: "\(realm)/protocol/openid-connect/ext/par/request")
    /// The issuer's endpoint for codes of devices, if ``EmulatorConfiguration/Issuer/acceptsDeviceCodes`` is set.
    public static let issuerDeviceAuthorization = Self(
        stringLiteral: "\(realm)/protocol/openid-connect/auth/device")
    /// The page at which a person enters the code of a device, which its parameter `user_code` fills in.
    public static let issuerDevicePage = Self(stringLiteral: "\(realm)/device")
    /// The issuer's token endpoint.
    public static let issuerToken = Self(stringLiteral: "\(realm)/protocol/openid-connect/token")
    /// The issuer's keys.
    public static let issuerKeys = Self(stringLiteral: "\(realm)/protocol/openid-connect/certs")
    /// The issuer's user information.
    public static let issuerUserInfo = Self(stringLiteral: "\(realm)/protocol/openid-connect/userinfo")
    /// The issuer's end of tokens.
    public static let issuerRevocation = Self(stringLiteral: "\(realm)/protocol/openid-connect/revoke")
    /// The issuer's log-out page.
    public static let issuerEndSession = Self(stringLiteral: "\(realm)/protocol/openid-connect/logout")
}
