import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// What each wish of a request changes in what each provider opens, compared with a plain request: this, and nothing else.
///
/// The table in the documentation of ``AuthRequest`` says the same.
@MainActor
struct RequestMappingTests {
    /// Something that is opened to ask a person.
    enum Place: String, Sendable, CaseIterable {
        case applePage, googlePage, kakaoPage, kakaoTalk, naverPage, naverApp, openIDPage
    }

    /// One wish.
    enum Wish: String, Sendable, CaseIterable {
        case reauthentication, linking, login, selectAccount, consent, loginAndConsent, none, loginHint, idTokenHint
        case extraScopes

        var request: AuthRequest {
            switch self {
            case .reauthentication: AuthRequest(purpose: .reauthenticate)
            case .linking: AuthRequest(purpose: .link)
            case .login: AuthRequest(prompts: [.login])
            case .selectAccount: AuthRequest(prompts: [.selectAccount])
            case .consent: AuthRequest(prompts: [.consent])
            case .loginAndConsent: AuthRequest(prompts: [.login, .consent])
            case .none: AuthRequest(prompts: [.none])
            case .loginHint: AuthRequest(loginHint: "a+b@example.com")
            case .idTokenHint: AuthRequest(idTokenHint: Secret("first.id.token"))
            case .extraScopes: AuthRequest(extraScopes: ["more"])
            }
        }

        func request(by kind: SignInMethod.Kind) -> AuthRequest {
            var request = request
            request.methodKind = kind
            return request
        }
    }

    /// The parameters that a wish adds or changes. `nil` where it is refused.
    private func changes(of wish: Wish, at place: Place) -> [String: String]? {
        switch (place, wish) {
        case (.googlePage, .none), (.kakaoPage, .none), (.openIDPage, .none): ["prompt": "none"]
        case (_, .none): nil

        case (.applePage, .extraScopes): ["scope": "name email more"]

        case (.googlePage, .reauthentication), (.googlePage, .login), (.googlePage, .selectAccount):
            ["prompt": "select_account"]
        case (.googlePage, .consent): ["prompt": "consent"]
        case (.googlePage, .loginAndConsent): ["prompt": "select_account consent"]
        case (.googlePage, .loginHint): ["login_hint": "a+b@example.com"]
        case (.googlePage, .extraScopes): ["scope": "openid email profile more", "include_granted_scopes": "true"]

        case (.kakaoPage, .reauthentication), (.kakaoPage, .login), (.kakaoPage, .loginAndConsent),
            (.kakaoTalk, .reauthentication), (.kakaoTalk, .login), (.kakaoTalk, .loginAndConsent):
            ["prompt": "login"]
        case (.kakaoPage, .selectAccount), (.kakaoTalk, .selectAccount): ["prompt": "select_account"]
        case (.kakaoPage, .loginHint): ["login_hint": "a+b@example.com"]
        case (.kakaoPage, .extraScopes): ["scope": "openid more"]
        case (.kakaoTalk, .extraScopes): nil

        case (.naverPage, .reauthentication), (.naverPage, .login), (.naverPage, .selectAccount),
            (.naverPage, .loginAndConsent):
            ["auth_type": "reauthenticate"]
        case (.naverPage, .consent): ["auth_type": "reprompt"]
        case (.naverApp, .consent), (.naverApp, .loginAndConsent): ["authType": "reprompt"]
        case (.naverApp, .linking), (.naverApp, .reauthentication): nil

        case (.openIDPage, .reauthentication): ["prompt": "login", "max_age": "0"]
        case (.openIDPage, .login): ["prompt": "login"]
        case (.openIDPage, .selectAccount): ["prompt": "select_account"]
        case (.openIDPage, .consent): ["prompt": "consent"]
        case (.openIDPage, .loginAndConsent): ["prompt": "login consent"]
        case (.openIDPage, .loginHint): ["login_hint": "a+b@example.com"]
        case (.openIDPage, .idTokenHint): ["id_token_hint": "first.id.token"]
        case (.openIDPage, .extraScopes): ["scope": "openid email profile more"]

        default: [:]
        }
    }

    @Test(arguments: Place.allCases, Wish.allCases)
    func wishChangesWhatIsOpenedAsTheTableSays(place: Place, wish: Wish) async throws {
        let plain = try #require(await opened(by: place, for: AuthRequest(methodKind: place.methodKind)))
        #expect(plain["client_id"] != nil || plain["extOauthConsumerKey"] != nil)
        let asked = await opened(by: place, for: wish.request(by: place.methodKind))
        #expect(asked == changes(of: wish, at: place).map { plain.merging($0) { $1 } })
    }

    /// Where a provider goes when the request names no kind.
    @Test(
        arguments: [
            (.kakaoTalk, .login, .kakaoTalk), (.kakaoTalk, .loginHint, .kakaoTalk),
            (.kakaoTalk, .reauthentication, .kakaoTalk), (.kakaoTalk, .extraScopes, .kakaoPage),
            (.kakaoTalk, .none, .kakaoPage),
            (.naverApp, .consent, .naverApp), (.naverApp, .loginHint, .naverApp), (.naverApp, .extraScopes, .naverApp),
            (.naverApp, .linking, .naverPage), (.naverApp, .reauthentication, .naverPage),
            (.naverApp, .login, .naverPage), (.naverApp, .selectAccount, .naverPage),
            (.naverApp, .loginAndConsent, .naverPage),
        ] as [(Place, Wish, Place)])
    func wishThatTheAppCannotGrantGoesToThePage(place: Place, wish: Wish, goal: Place) async throws {
        let asked = try #require(await opened(by: place, for: wish.request))
        let expected = await opened(by: goal, for: wish.request(by: goal.methodKind))
        #expect(asked == expected)
    }

    @Test(arguments: [Place.applePage, .googlePage, .kakaoPage, .naverPage, .openIDPage])
    func pageIsShownInTheWindowOfTheRequest(place: Place) async throws {
        final class Window {}
        let window = Window()
        let (agent, phone) = (Recorder(), Phone(CallbackRouter()) { _ in .refuse })
        for presentation in [PresentationContext.in(window), .automatic] {
            let request = AuthRequest(methodKind: .web, presentation: presentation)
            _ = await provider(of: place, agent, phone).authenticate(request).result
        }
        #expect(agent.windows.count == 2)
        #expect(agent.windows.first.map { $0 === window } == true)
        #expect(agent.windows.last.map { $0 == nil } == true)
    }

    // MARK: Playing a provider

    /// The parameters of what an attempt opens first; `nil` when it opens nothing.
    private func opened(by place: Place, for request: AuthRequest) async -> [String: String]? {
        let (agent, phone) = (Recorder(), Phone(CallbackRouter()) { _ in .refuse })
        // No app answers: only what was opened by then counts.
        _ = await provider(of: place, agent, phone).authenticate(request).result
        return phone.opened.first.flatMap { Self.parameters(ofApp: $0.url) } ?? agent.pages.first
    }

    private func provider(of place: Place, _ agent: Recorder, _ phone: Phone) -> any AuthProvider {
        let transport = ScriptedTransport { _ in throw CancellationError() }
        let secrets = AuthorizationSecrets.seeded(1)
        switch place {
        case .applePage:
            return AppleWebProvider(
                servicesID: "com.example.web", relayURL: URL(literal: "https://server.example/apple"),
                callback: URL(literal: "com.example.app:/apple"), userAgent: agent, transport: transport)
        case .googlePage:
            return GoogleProvider(
                clientID: GoogleFixture.clientID, clientSecret: Secret("GOCSPX-secret"), userAgent: agent,
                transport: transport)
        case .kakaoPage, .kakaoTalk:
            var provider = KakaoProvider(
                .init(nativeAppKey: "a1b2", bundleID: nil), callbacks: CallbackRouter(), opener: phone,
                userAgent: agent, transport: transport)
            provider.makeSecrets = { secrets }
            return provider
        case .naverPage, .naverApp:
            var provider = NaverProvider(
                .init(clientID: "cl_1", urlScheme: "myapp", appName: "My App"), callbacks: CallbackRouter(),
                opener: phone, userAgent: agent)
            provider.makeSecrets = { secrets }
            return provider
        case .openIDPage:
            let metadata = ScriptedTransport { _ in
                try .json([
                    "issuer": "https://id.example", "authorization_endpoint": "https://id.example/auth",
                    "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
                ])
            }
            return OpenIDProvider(
                "id.example", issuer: "https://id.example", clientID: "app",
                redirect: .redirect(URL(literal: "app:/back")), userAgent: agent, transport: metadata)
        }
    }

    /// What KakaoTalk's `params` hold, or what stands in the Naver app's query.
    private static func parameters(ofApp url: String) -> [String: String]? {
        let inner = url.components(separatedBy: "/scheme/").last?.removingPercentEncoding ?? ""
        let text = url.hasPrefix("https:") ? inner : url
        guard let fields = FormCoding.decode(text.components(separatedBy: "?").dropFirst().joined()) else { return nil }
        var parameters = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
        if let params = parameters.removeValue(forKey: "params") {
            let decoded = try? JSONDecoder().decode([String: String].self, from: Data(params.utf8))
            parameters.merge(decoded ?? [:]) { $1 }
        }
        return parameters
    }
}

extension RequestMappingTests.Place {
    fileprivate var methodKind: SignInMethod.Kind {
        switch self {
        case .kakaoTalk, .naverApp: .app
        case .applePage, .googlePage, .kakaoPage, .naverPage, .openIDPage: .web
        }
    }
}

/// A browser whose person closes every page, and which remembers where and with what it was shown.
@MainActor
private final class Recorder: UserAgent {
    /// The parameters of each page, those left out that are new for each attempt.
    private(set) var pages: [[String: String]] = []
    private(set) var windows: [AnyObject?] = []

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        let query = page.url(redirectURI: URL(literal: "app:/back")).query(percentEncoded: true) ?? ""
        let isNew: Set = ["state", "nonce", "code_challenge"]
        let fields = (FormCoding.decode(query) ?? []).filter { !isNew.contains($0.name) }
        pages.append(Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first })
        if case .window(let reference) = page.presentation {
            windows.append(reference.window)
        } else {
            windows.append(nil)
        }
        throw AuthError(.cancelled, "closed")
    }
}
