import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

/// What the article about the providers says of their kinds, and of the parameters of their pages.
@Suite struct ProvidersArticleTests {
    /// Each provider with every option that adds a parameter to its page.
    private static let factories: [AuthProviderFactory] = [
        .google(
            clientID: "1234-abc.apps.googleusercontent.com", serverClientID: "1234-web.apps.googleusercontent.com",
            hostedDomain: "example.com"),
        .kakao(.init(nativeAppKey: "0123abcd", scopes: ["friends"], serviceTerms: ["tag"], channelIDs: ["_channel"])),
        .naver(clientID: "naverClient", urlScheme: "pulseboard", appName: "PulseBoard"),
        .apple(
            servicesID: "com.example.web", relay: URL(literal: "https://example.com/relay"),
            callback: URL(literal: "pulseboard://apple")),
        .openID(
            "work", issuer: "https://id.example.com", clientID: "app",
            redirect: .redirect(URL(literal: "pulseboard://work"))),
    ]

    private func rows(_ verb: String) throws -> [MarkdownFile.Row] {
        try MarkdownFile("Sources/AuthStreamsOAuth/AuthStreamsOAuth.docc/Providers.md").rows
            .filter { $0.mark.verb == verb }
    }

    private func codes(_ cell: String) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.1) } }

    @Test func theKindsAreThoseOfTheProviders() throws {
        let providers = Self.factories.map { $0.provider(for: .isolated()) }
        let rows = try rows("table")
        #expect(rows.count == providers.count)
        for provider in providers {
            let row = try #require(rows.first { $0.name == "\(type(of: provider))" })
            #expect(provider is OpenIDProvider || codes(row.cells[1]) == [provider.id.rawValue])
            #expect(codes(row.cells[2]) == provider.methodKinds.map(\.rawValue))
        }
    }

    @MainActor
    @Test(arguments: [ProviderID.google, .kakao, .naver, .apple]) func thePageHasTheseParameters(of id: ProviderID)
        async throws
    {
        let witness = PageWitness()
        let platform = AuthPlatform(
            store: MemorySessionStore(), opener: witness, redirect: .appURL, transport: witness
        ) { _ in witness }
        let provider = try #require(Self.factories.map { $0.provider(for: platform) }.first { $0.id == id })

        let request = AuthRequest(
            methodKind: .web, prompts: [.consent, .selectAccount], loginHint: "ada@example.com", extraScopes: ["more"])
        let code = await provider.authenticate(request).result.error?.code

        #expect(code == .cancelled)
        let page = try #require(
            witness.pages.all.first.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) })
        let row = try #require(rows("page").first { $0.mark.name == id.rawValue && $0.name.hasPrefix("page, ") })
        #expect(row.name == "page, \(page.host ?? "")\(page.path)")
        let described = codes(row.cells[1]).map { String($0.prefix { $0 != "=" }) }
        #expect(Set(page.queryItems?.map(\.name) ?? []) == Set(described))
        for fixed in codes(row.cells[1]).map({ $0.split(separator: "=", maxSplits: 1) }) where fixed.count == 2 {
            #expect(page.queryItems?.first { $0.name == fixed[0] }?.value == String(fixed[1]))
        }
    }

    /// The words and numbers of Kakao and Naver that the article lists have the errors that it names beside them.
    @Test func errorsAreThoseOfTheProviders() throws {
        let naver = NaverErrors.page.mapValues(\.code)
            .merging(NaverErrors.app.map { ("\($0)", $1.code) }) { first, _ in first }
        let kakao = KakaoErrors.callback.merging(KakaoErrors.kauth) { first, _ in first }
            .merging(KakaoErrors.kapi.map { ("\($0)", $1) }) { first, _ in first }.mapValues(\.code)
        for (provider, errors, count) in [(ProviderID.kakao, kakao, 30), (.naver, naver, 12)] {
            var compared = 0
            for row in try rows("errors") where row.mark.name == provider.rawValue {
                for word in codes(row.cells[0]) {
                    guard let error = errors[word] else {
                        Issue.record("\(provider) does not say \(word), line \(row.line)")
                        continue
                    }
                    #expect(codes(row.cells[1]).first == error.rawValue, "\(word), line \(row.line)")
                    compared += 1
                }
            }
            #expect(compared == count)
        }
    }
}

/// Notes the pages, which the person closes at once. There is no other app, and no network.
@MainActor
private struct PageWitness: UserAgent, ApplicationOpener, AuthHTTPTransport {
    let pages = Notes<URL>()

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        if case .redirect(let redirectURI) = page.redirect { pages.add(page.url(redirectURI: redirectURI)) }
        throw AuthError(.cancelled, "The person closed the page.")
    }

    func canOpen(_ url: URL) -> Bool { false }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? { nil }

    nonisolated func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        throw AuthError(.network, "There is no network.")
    }
}
