import AuthStreams
public import Foundation

extension NaverProvider {
    /// The app's entries in Naver Developers, and how the person is asked.
    public struct Configuration: Equatable, Sendable {
        /// Which `AuthProvider.methodKinds` the provider has. A request can name one of them, and no other.
        public enum Mode: Equatable, Sendable {
            /// The Naver app, then the browser if the app is not installed, does not open or answers with an error.
            case appPreferred
            /// The Naver app alone. Without it the attempt ends with `appUnavailable`; linking and re-authentication end with
            /// `misconfigured`.
            case appOnly
            /// The browser alone. Its answer is always bound to the attempt, by `state`.
            case browserOnly

            var methodKinds: [SignInMethod.Kind] {
                switch self {
                case .appPreferred: [.app, .web]
                case .appOnly: [.app]
                case .browserOnly: [.web]
                }
            }
        }

        /// The client ID of the application in Naver Developers. The client secret stays on the server.
        public var clientID: String
        /// The URL scheme of this app without `://`, as registered there and in `CFBundleURLTypes`.
        public var urlScheme: String
        /// The app's name, which the Naver app shows.
        public var appName: String
        /// The redirect URI of the browser, as registered there: `{urlScheme}://authorize` unless given.
        public var redirectURI: URL?
        /// The provider's method kinds.
        public var mode: Mode
        /// Naver's endpoints: production unless given.
        public var endpoints: Endpoints

        /// Makes a configuration.
        public init(
            clientID: String, urlScheme: String, appName: String, redirectURI: URL? = nil, mode: Mode = .appPreferred,
            endpoints: Endpoints = .production
        ) {
            self.clientID = clientID
            self.urlScheme = urlScheme
            self.appName = appName
            self.redirectURI = redirectURI
            self.mode = mode
            self.endpoints = endpoints
        }

        /// The redirect URI of the browser; `nil` when the scheme makes no URL.
        var browserRedirectURI: URL? { redirectURI ?? url("authorize") }

        /// The callback URL of the Naver app; `nil` if the scheme makes no URL.
        var appCallback: URL? { url("thirdPartyLoginResult") }

        /// A URL of the scheme, which has the characters of RFC 3986 section 3.1.
        private func url(_ host: String) -> URL? {
            urlScheme.isURLScheme ? URL(string: "\(urlScheme)://\(host)") : nil
        }
    }

    /// Naver's endpoints.
    public struct Endpoints: Equatable, Sendable {
        /// The page that asks the person.
        package var authorize: URL

        /// Naver itself, `nid.naver.com`.
        public static let production = Endpoints(authorize: URL(literal: "https://nid.naver.com/oauth2.0/authorize"))

        /// The emulator's Naver, at `{base}/nid.naver.com`.
        public static func emulator(at base: URL) -> Endpoints {
            Endpoints(authorize: production.authorize.relocated(onto: base))
        }
    }
}
