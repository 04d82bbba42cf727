package import AuthStreams
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

/// The URL that opens the Naver app to ask for a code, and the callback URL of its answer.
///
/// The answer carries no `state`, so nothing binds it to the attempt; see ``NaverProvider``. The code is useless without the
/// client secret on the server.
package struct NaverAppRequest: Sendable {
    package var clientID: String
    package var urlScheme: String
    package var appName: String
    /// `reprompt` to ask the person for the consents again. The app supports no other value: Naver's own client does
    /// not send `reauthenticate` to it.
    package var authType: String?

    package init(clientID: String, urlScheme: String, appName: String, authType: String?) {
        self.clientID = clientID
        self.urlScheme = urlScheme
        self.appName = appName
        self.authType = authType
    }

    /// The URL for `canOpenURL`, which tells whether the Naver app is installed; this app lists the scheme in
    /// `LSApplicationQueriesSchemes`.
    package static let availabilityURL = URL(literal: "naversearchthirdlogin://")

    /// The URL that opens the Naver app.
    package var url: URL? {
        var fields = [
            ("version", "2"), ("callbackScheme", urlScheme), ("extOauthConsumerKey", clientID),
            ("response_type", "code"), ("extAppName", appName),
        ]
        if let authType { fields.append(("authType", authType)) }
        return URL(string: "naversearchthirdlogin://thirdPartyLogin?\(FormCoding.encode(fields))")
    }
}

/// Naver's errors as codes of this library: the words of the page and the numbers of the app.
///
/// A person's cancel is `error=access_denied` on the page, as Naver's own clients report it, and number 2 from the app.
package enum NaverErrors {
    /// An entry of a table: the code to branch on, and the remedy.
    package typealias Entry = (code: AuthError.Code, advice: String)

    /// The `error` words of the authorize page's redirect.
    package static let page: [String: Entry] = [
        "access_denied": (.cancelled, "The person cancelled on Naver's page."),
        "invalid_request": (.misconfigured, wrongRequest),
        "unauthorized_client": (.misconfigured, unknownClient),
        "unsupported_response_type": (.misconfigured, "Naver does not know the response type. Check the endpoints."),
        "server_error": (.server, "Naver failed. Try again later."),
        "temporarily_unavailable": (.server, "Naver is overloaded or under maintenance. Try again later."),
    ]

    /// The `code` numbers of the app's answer. Any other number counts as a failure of the app: older clients list numbers
    /// that the app never sends.
    package static let app: [Int64: Entry] = [
        2: (.cancelled, "The person cancelled in the Naver app."),
        6: (.misconfigured, wrongRequest),
        7: (.misconfigured, unknownClient),
        8: (.misconfigured, "The Naver app does not know the response type."),
        9: (.server, "Naver failed. Try again later."),
        10: (.server, "The Naver app failed without saying how."),
    ]

    /// Words of the page, for ``ExpectedCallback``.
    package static let dialect: OAuthFailure.Dialect = { failure in
        page[failure.error].map { AuthError($0.code, $0.advice, provider: .naver) }
    }

    /// Whether a callback has the form of the app's answer: either a code or the number of an error.
    package static func isAppAnswer(_ answer: AuthorizationCallback) -> Bool {
        guard let number = answer["code"], number != "0" else { return answer.hasExactlyOne(of: "authCode") }
        return Int64(number) != nil && answer["authCode"] == nil
    }

    /// Returns the code in the app's answer: `authCode`, because its `code` is the number of an error, 0 for none.
    ///
    /// - Throws: The error of the number, or `invalidResponse` without code and number.
    package static func code(ofAppAnswer answer: AuthorizationCallback) throws(AuthError) -> Secret {
        guard let number = answer["code"], number != "0" else { return try answer.code("authCode") }
        let entry = Int64(number).flatMap { app[$0] } ?? (.server, "The Naver app failed with a number of its own.")
        throw AuthError(entry.code, entry.advice, provider: .naver, serverCode: OAuthFailure.sanitized(number))
    }

    private static let wrongRequest =
        "Naver refused the request's form: check the client id, and the URL scheme and callback in Naver Developers."
    private static let unknownClient =
        "Naver does not let this client do that: check the client id, and that the app's environment is set up there."
}
