import AuthStreamsTesting
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
