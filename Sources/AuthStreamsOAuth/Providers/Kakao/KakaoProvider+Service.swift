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

/// The requested consents, as parameters of KakaoTalk and of the account page.
struct KakaoConsent: Sendable {
    /// The scopes of the page, with `openid` if the app uses it: Kakao omits the ID token if a request names scopes
    /// without it. Empty if only the console's scopes are requested.
    let scopes: [String]
    private let configuration: KakaoProvider.Configuration
    private let loginHint: String?
    /// The nonce that the ID token has to repeat.
    private let nonce: @Sendable (AuthorizationSecrets) -> Secret
    private let shared: [(name: String, value: String)]

    init(_ configuration: KakaoProvider.Configuration, _ request: AuthRequest) {
        self.configuration = configuration
        loginHint = request.loginHint
        nonce = { $0.nonce(for: request) }
        let scopes = configuration.scopes + request.extraScopes
        self.scopes = scopes.isEmpty || !configuration.usesOpenIDConnect ? scopes : ["openid"] + scopes
        shared = [
            ("prompt", Self.prompts(of: request)),
            ("service_terms", configuration.serviceTerms.joined(separator: ",")),
            ("channel_public_id", configuration.channelIDs.joined(separator: ",")),
        ].filter { !$0.1.isEmpty }
    }

    /// The `params` of KakaoTalk.
    func talkParameters(_ secrets: AuthorizationSecrets) -> [String: String] {
        var parameters = [
            "code_challenge": secrets.proofKey.challenge, "code_challenge_method": "S256",
        ]
        for parameter in shared { parameters[parameter.name] = parameter.value }
        if configuration.usesOpenIDConnect { parameters["nonce"] = nonce(secrets).reveal() }
        return parameters
    }

    /// The request of the account page.
    func pageRequest(_ secrets: AuthorizationSecrets) -> AuthorizationRequest {
        var page = AuthorizationRequest(
            endpoint: configuration.endpoints.authorize, clientID: configuration.nativeAppKey, state: secrets.state)
        if configuration.usesOpenIDConnect { page.set("nonce", nonce(secrets).reveal()) }
        page.challenge(with: secrets.proofKey)
        for parameter in shared { page.set(parameter.name, parameter.value) }
        page.set("login_hint", loginHint)
        page.set("scope", words: scopes)
        return page
    }

    private static func prompts(of request: AuthRequest) -> String {
        let prompts = (request.purpose == .reauthenticate ? [.login] : []) + request.prompts
        var words: [String] = []
        for prompt in prompts where prompt != .consent && !words.contains(prompt.rawValue) {
            words.append(prompt.rawValue)
        }
        return words.joined(separator: ",")
    }
}

/// The URLs that open KakaoTalk to ask for a code.
///
/// `kakaokompassauth://authorize?client_id=…&redirect_uri=…&response_type=code&headers={"KA":…}&params={…}&deep_link_method=…`,
/// or the same inside a universal link. `params` has the parameters of the code request as JSON.
package struct KakaoTalkRequest: Sendable {
    package var clientID: String
    package var redirectURI: String
    /// Identifies this client to Kakao; see ``KakaoAgent``.
    package var agent: String
    /// `code_challenge`, `nonce` and so on.
    package var parameters: [String: String]

    package init(clientID: String, redirectURI: String, agent: String, parameters: [String: String]) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.agent = agent
        self.parameters = parameters
    }

    /// The URL for `canOpenURL`, which tells whether KakaoTalk is installed; the app lists the scheme in
    /// `LSApplicationQueriesSchemes`.
    package static let availabilityURL = URL(literal: "kakaokompassauth://authorize")

    /// The universal link, which no other app can claim. Open it with universal links only; otherwise a browser would
    /// open it.
    package var universalLink: URL? {
        customScheme(["universal_link"]).flatMap {
            URL(string: "https://talk-apps.kakao.com/scheme/\(FormCoding.escape($0.absoluteString))")
        }
    }

    /// The custom scheme, used after the universal link did not open. It tells KakaoTalk that both were tried.
    package var customSchemeFallback: URL? { customScheme(["universal_link", "uri_scheme"]) }

    private func customScheme(_ methods: [String]) -> URL? {
        guard let headers = Self.json(["KA": agent]), let params = Self.json(parameters) else { return nil }
        let query = FormCoding.encode([
            ("client_id", clientID), ("redirect_uri", redirectURI), ("response_type", "code"), ("headers", headers),
            ("params", params), ("deep_link_method", methods.joined(separator: ",")),
        ])
        return URL(string: "kakaokompassauth://authorize?\(query)")
    }

    private static func json(_ object: [String: String]) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(object)).flatMap { String(data: $0, encoding: .utf8) }
    }
}

/// The `KA` header by which Kakao's clients identify themselves.
///
/// Words of the form `key/value`. Kakao compares `origin` with the bundle identifier registered in the console. Words
/// for statistics only, such as screen and device model, are left out.
package enum KakaoAgent {
    package static func current(bundleID: String?) -> String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let locale = Locale.current
        let language = locale.language.languageCode?.identifier ?? "ko"
        return describe(
            system: "\(systemName)-\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
            language: "\(language)-\(locale.region?.identifier ?? "KR")", bundleID: bundleID)
    }

    package static func describe(system: String, language: String, bundleID: String?) -> String {
        let words = [
            ("sdk", "1.0.0"), ("sdk_type", "swift"), ("os", system), ("lang", language), ("origin", bundleID ?? ""),
        ]
        return words.map { "\($0)/\($1.replacing(" ", with: "_"))" }.joined(separator: " ")
    }

    private static var systemName: String {
        #if os(iOS)
            "ios"
        #elseif os(macOS)
            "macos"
        #elseif os(tvOS)
            "tvos"
        #elseif os(watchOS)
            "watchos"
        #elseif os(visionOS)
            "visionos"
        #else
            "linux"
        #endif
    }
}

/// Kakao's errors as codes of this library: three dialects with one table each.
///
/// A callback has words (`access_denied`), the authorization server has KOE codes, the API server has negative numbers. A token
/// request can get either of the last two. The text of `msg` is never kept.
///
/// Two refusals need more than their rows. `-402` names the scopes that lack a consent, and the explanation repeats them.
/// `-406` means that the person is under 14; a callback says so by `access_denied` and a description, and its server code is
/// then `-406`, too. It is not the person's choice, and the page would refuse them as well.
package enum KakaoErrors {
    /// The server code of a person under 14, in every dialect.
    static let under14 = "-406"

    /// The `error` words of a callback. `cancelled` is KakaoTalk's own, the others are of the account page too.
    package static let callback: [String: OAuthFailure.Meaning] = [
        "cancelled": (.cancelled, "The person cancelled in KakaoTalk."),
        "access_denied": (.accessDenied, "The person did not agree."),
        "invalid_request": (.misconfigured, "Kakao refused the request's form; check scopes, terms and channel ids."),
        "invalid_client": (.misconfigured, unknownKey),
        "invalid_scope": (.misconfigured, unknownScope),
        "invalid_grant": (.invalidCredential, "Kakao refused the grant. Start over."),
        "misconfigured": (.misconfigured, unknownPlatform),
        "unauthorized": (.misconfigured, unknownKey),
        "unauthorized_client": (.misconfigured, unknownKey),
        "login_required": (
            .requiresRecentSignIn, "No user is signed in to Kakao there, and a log-in could not be shown."
        ),
        "consent_required": (.accessDenied, "The person did not give a consent that is required."),
        "interaction_required": (.requiresRecentSignIn, "Kakao needed to show something that could not be shown."),
        "server_error": (.server, "Kakao failed. Try again later."),
        "auto_login": (.accessDenied, "Kakao could not sign the person in on its own."),
    ]

    /// The KOE codes of the authorization server (kauth).
    package static let kauth: [String: OAuthFailure.Meaning] = [
        "KOE001": (.misconfigured, "Kakao could not read the request. Check the configured endpoints."),
        "KOE002": (.misconfigured, "There is nothing at that address. Check the configured endpoints."),
        "KOE003": (.server, "Kakao failed for the moment. Try again later."),
        "KOE004": (.misconfigured, "Kakao Login is off: turn on Kakao Login > General > State in the console."),
        "KOE005": (.misconfigured, "The app is in test: add the account under App > Members in the console."),
        "KOE006": (.misconfigured, "The redirect URI is not registered: Kakao Login > General > Redirect URI."),
        "KOE007": (.misconfigured, "The logout redirect URI is not registered: Kakao Login > Advanced."),
        "KOE008": (.misconfigured, "That kind of key cannot do this: use the native app key from App > App keys."),
        "KOE009": (.misconfigured, unknownPlatform),
        "KOE010": (.misconfigured, "The client secret is missing or wrong: use the native app key, which has none."),
        "KOE101": (.misconfigured, unknownKey),
        "KOE201": (.misconfigured, "Kakao does not know the response type. Check the configured endpoints."),
        "KOE203": (.accessDenied, "The person refused a consent that the console says is required."),
        "KOE204": (.misconfigured, "A parameter has a wrong value; check scopes, terms and channel ids."),
        "KOE205": (.misconfigured, unknownScope),
        "KOE207": (.misconfigured, "A parameter is missing. Check the configured endpoints and the redirect URI."),
        "KOE237": (.rateLimited, "Too many token requests. Wait before the next one."),
        "KOE303": (.misconfigured, "The redirect URI of the code and that of its redemption differ."),
        "KOE310": (.misconfigured, "Kakao does not know the grant type. Check the configured endpoints."),
        "KOE319": (.invalidCredential, "There was no refresh token. Sign in again."),
        "KOE320": (.invalidCredential, "The code was used already or is too old. Start over."),
        "KOE322": (.sessionExpired, "The refresh token is too old. Sign in again."),
    ]

    /// The `code` numbers of the API server (kapi).
    package static let kapi: [Int64: OAuthFailure.Meaning] = [
        -1: (.server, "Kakao failed for the moment. Try again later."),
        -2: (.misconfigured, "A parameter is missing or wrong. Check the configured endpoints."),
        -3: (.misconfigured, "The feature is off for this app. Turn it on in the console."),
        -4: (.accessDenied, "Kakao has restricted this account."),
        -5: (.misconfigured, "The app has no permission for this. Ask for it in the console."),
        -7: (.server, "Kakao is under maintenance. Try again later."),
        -8: (.misconfigured, "A header was wrong. Check the bundle id and the configured endpoints."),
        -9: (.misconfigured, "Kakao no longer offers this. Update the library."),
        -10: (.rateLimited, "The app's quota is used up. Wait, or ask for more in the console."),
        -12: (.misconfigured, "Kakao has blocked this app. Ask Kakao why at its developer support."),
        -101: (.userNotFound, "The account is not linked to this app."),
        -102: (.credentialInUse, "The account is linked to this app already."),
        -103: (.userNotFound, "Kakao does not know the account, or it is dormant."),
        -201: (.misconfigured, "Kakao does not know a property key. Check the console's user properties."),
        -401: (.invalidCredential, "The token or the app key is wrong or has expired. Sign in again."),
        -402: (.accessDenied, "A consent is missing. Ask for its scope."),
        -406: (.accessDenied, "Kakao does not let people under 14 sign in to this app."),
        -501: (.userNotFound, "The account has no KakaoTalk."),
        -603: (.server, "Kakao's own service took too long. Try again later."),
        -9798: (.server, "Kakao is under maintenance. Try again later."),
    ]

    /// The part of the description by which an `access_denied` means a person under 14.
    private static let under14Description = "under age 14"
    private static let mostScopes = 16

    /// All three tables, for ``ExpectedCallback`` and ``TokenEndpoint``: the most specific code in the answer decides.
    package static let dialect: OAuthFailure.Dialect = { failure in
        if let code = failure.members["error_code"]?.string, let meaning = kauth[code] {
            return error(meaning, serverCode: code)
        }
        if failure.error.isEmpty, let code = failure.members["code"]?.lenientInteger {
            var meaning = kapi[code] ?? (.server, "Kakao failed with a number of its own.")
            let scopes = code == -402 ? scopes(failure.members["required_scopes"]) : []
            if !scopes.isEmpty { meaning.explanation += " Missing: \(scopes.joined(separator: ", "))." }
            return error(meaning, serverCode: String(code))
        }
        if failure.error == "access_denied", failure.errorDescription?.contains(under14Description) == true,
            let meaning = kapi[-406]
        {
            return error(meaning, serverCode: under14)
        }
        return callback[failure.error].map { error($0, serverCode: failure.error) }
    }

    /// The elements of an array that have the form of a scope. Others are left out.
    private static func scopes(_ names: AuthJSON?) -> [String] {
        let names = (names?.array ?? []).prefix(mostScopes).compactMap(\.string)
        return names.filter { name in
            (1...64).contains(name.utf8.count)
                && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
        }
    }

    private static func error(_ meaning: OAuthFailure.Meaning, serverCode: String) -> AuthError {
        AuthError(meaning.code, meaning.explanation, provider: .kakao, serverCode: serverCode)
    }

    private static let unknownKey =
        "Kakao does not know this key, or it is of another kind: use the native app key from App > App keys."
    private static let unknownScope =
        "A scope is not set up for this app: turn it on under Kakao Login > Consent items, and OpenID Connect for openid."
    private static let unknownPlatform =
        "This app is not registered: add its bundle id under App > Platform > iOS in the console."
}
