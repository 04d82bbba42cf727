import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

@Suite struct ProviderRegistryTests {
    /// A provider whose credential says which of several it is.
    private func provider(_ id: ProviderID, _ name: String, _ kinds: [SignInMethod.Kind] = [.standard])
        -> ScriptedProvider
    {
        ScriptedProvider(id, methodKinds: kinds, userID: name)
    }

    private static func registry(_ providers: [any AuthProvider]) -> ProviderRegistry {
        ProviderRegistry(providers, callbacks: CallbackRouter())
    }

    /// Which provider a method leads to.
    private func pick(_ method: SignInMethod, among providers: [ScriptedProvider]) async throws -> String? {
        try await Self.registry(providers).provider(for: method).authenticate().value.userID
    }

    private func refusal(_ method: SignInMethod, among providers: [ScriptedProvider]) throws -> AuthError {
        let error = try #require(throws: AuthError.self) { try Self.registry(providers).provider(for: method) }
        #expect(error.provider == method.provider)
        return error
    }

    @Test func idsAreNamedOnceInTheOrderOfRegistration() {
        let registry = Self.registry([
            provider(.naver, "n"), provider(.apple, "s", [.sheet]), provider(.kakao, "k"),
            provider(.apple, "w", [.web]), provider("line", "l"),
        ])
        #expect(registry.ids == [.naver, .apple, .kakao, "line"])
    }

    @Test func methodsAreEveryKindInTheOrderOfRegistration() {
        let registry = Self.registry([
            provider(.kakao, "k", [.app, .web]), provider(.apple, "w", [.web]), provider(.google, "g"),
            provider(.apple, "s", [.sheet]),
        ])
        #expect(
            registry.methods == [
                .init(.kakao, using: .app), .init(.kakao, using: .web), .init(.apple, using: .web),
                .init(.google, using: .standard), .init(.apple, using: .sheet),
            ])
    }

    @Test func withoutAKindTheFirstRegisteredWins() async throws {
        let (sheet, web) = (provider(.apple, "sheet", [.sheet]), provider(.apple, "web", [.web]))
        #expect(try await pick(.init(.apple), among: [provider(.kakao, "k"), sheet, web]) == "sheet")
        #expect(try await pick(.init(.apple), among: [web, provider(.kakao, "k"), sheet]) == "web")
    }

    @Test func aKindPicksTheProviderThatHasIt() async throws {
        let providers = [
            provider(.apple, "sheet", [.sheet]), provider(.kakao, "kakao", [.app, .web]),
            provider(.apple, "web", [.web, "carrier pigeon"]),
        ]
        for (kind, name) in [(.sheet, "sheet"), (.web, "web"), ("carrier pigeon", "web")]
            as [(SignInMethod.Kind, String)]
        {
            #expect(try await pick(.init(.apple, using: kind), among: providers) == name)
        }
        #expect(try await pick(.init(.kakao, using: .web), among: providers) == "kakao")
    }

    @Test func aKindThatTheProviderHasNotIsUnsupported() throws {
        let providers = [provider(.apple, "s", [.sheet]), provider(.apple, "w", [.web]), provider(.kakao, "k", [.app])]
        let error = try refusal(.init(.apple, using: .app), among: providers)
        #expect(error.code == .unsupportedProvider)
        #expect(error.explanation.contains("It has: sheet, web."))
    }

    @Test func providersThatAnswerAtOneURLAreRefused() throws {
        func page(_ id: ProviderID, _ url: StaticString) -> PageProvider {
            PageProvider(id: id, redirectURI: URL(literal: url))
        }
        let a = page("a", "com.example.app:/back?x=1")
        // An issuer may add a slash.
        for b in [page("b", "com.example.app:/back"), page("b", "com.example.app:/back/")] {
            for (method, other) in [("a", "b"), ("b", "a")] as [(ProviderID, ProviderID)] {
                let error = #expect(throws: AuthError.self) {
                    try Self.registry([a, b]).provider(for: SignInMethod(method))
                }
                #expect(error?.code == .misconfigured && error?.provider == method)
                #expect(error?.explanation.contains("\(other)") == true && error?.explanation.contains("x=1") == false)
            }
        }
        // The same provider by two pages, another path, and a listener.
        let others: [any AuthProvider] = [
            PageProvider(id: "a", redirectURI: a.redirectURI, methodKinds: [.app]), page("c", "com.example.app:/c"),
            PageProvider(id: "d", redirectURI: nil), PageProvider(id: "e", redirectURI: nil),
        ]
        for provider in [a] + others {
            #expect(throws: Never.self) { try Self.registry([a] + others).provider(for: SignInMethod(provider.id)) }
        }
    }

    @Test func providerThatIsNotThereIsUnsupported() throws {
        let error = try refusal(.init(.naver), among: [provider(.kakao, "k")])
        #expect(error.code == .unsupportedProvider)
        #expect(error.explanation.contains("naver"))
    }

    @Test func registryWithoutProvidersSaysSo() throws {
        let error = try refusal(.init(.kakao), among: [])
        #expect(error.code == .unsupportedProvider)
        #expect(error.explanation.contains("without any provider"))
        #expect(Self.registry([]).ids.isEmpty && Self.registry([]).methods.isEmpty)
    }

    @Test(
        arguments: [
            ([.standard], [.standard], .standard), ([.app, .web], [.web], .web), ([.sheet], [.web, .sheet], .sheet),
        ] as [([SignInMethod.Kind], [SignInMethod.Kind], SignInMethod.Kind)])
    func twoThatClaimTheSameKindAreAMisconfiguration(
        first: [SignInMethod.Kind], second: [SignInMethod.Kind], shared: SignInMethod.Kind
    ) async throws {
        let providers = [provider(.kakao, "1", first), provider(.naver, "n", first), provider(.kakao, "2", second)]
        // Also where the requested kind is clear: which of the others would run is not.
        for kind in [nil, shared, .app] {
            let error = try refusal(.init(.kakao, using: kind), among: providers)
            #expect(error.code == .misconfigured)
            #expect(error.explanation.contains("'\(shared)'"))
        }
        #expect(try await pick(.init(.naver), among: providers) == "n")
    }

    @Test func providerThatNamesItsKindTwiceIsNotTwoProviders() async throws {
        #expect(try await pick(.init(.kakao, using: .app), among: [provider(.kakao, "k", [.app, .app])]) == "k")
    }
}

/// A provider whose page answers at a URL of the app.
private struct PageProvider: AuthProvider {
    let id: ProviderID
    let redirectURI: URL?
    var methodKinds: [SignInMethod.Kind] = [.web]

    var callbackURLs: [URL] { redirectURI.map { [$0] } ?? [] }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> { .failure(AuthError.cancelled) }
}
