import AuthStreams
import AuthStreamsTesting
import Testing

/// Which provider and which kind of method a sign-in asks for.
@Suite struct AuthServiceMethodKindTests {
    /// A provider whose user is named after it, and after the kind of method that the request names.
    private func provider(_ id: ProviderID, _ kinds: [SignInMethod.Kind], _ name: String) -> ScriptedProvider {
        ScriptedProvider(id, methodKinds: kinds) { request in
            Credential(provider: id, userID: "\(name) by \(request.methodKind.map(\.rawValue) ?? "choice")")
        }
    }

    private var auth: AuthService {
        service([
            provider(.kakao, [.app, .web], "kakao"), provider(.apple, [.sheet], "sheet"),
            provider(.apple, [.web], "page"),
        ])
    }

    private func service(_ providers: [any AuthProvider]) -> AuthService {
        AuthService(
            repository: ScriptedRepository(), providers: providers, store: MemorySessionStore(),
            callbacks: CallbackRouter())
    }

    @Test func providersAndMethodsAreListedInOrder() {
        #expect(auth.providers == [.kakao, .apple])
        #expect(
            auth.methods == [
                .init(.kakao, using: .app), .init(.kakao, using: .web), .init(.apple, using: .sheet),
                .init(.apple, using: .web),
            ])
    }

    @Test func everyMethodThatIsListedCanBeUsed() async throws {
        let auth = auth
        var users: [String] = []
        for method in auth.methods { users.append(try await auth.signIn(with: method).value.user.id) }
        #expect(
            users == [
                "kakao:kakao by app", "kakao:kakao by web", "apple.com:sheet by sheet", "apple.com:page by web",
            ])
    }

    @Test func aNamedKindReachesTheProvider() async throws {
        #expect(try await auth.signIn(with: .kakao, using: .web).value.user.id == "kakao:kakao by web")
        #expect(try await auth.signIn(with: .apple, using: .web).value.user.id == "apple.com:page by web")
    }

    @Test func withoutAKindTheFirstRegisteredChooses() async throws {
        #expect(try await auth.signIn(with: .kakao).value.user.id == "kakao:kakao by choice")
        #expect(try await auth.signIn(with: .apple).value.user.id == "apple.com:sheet by choice")
    }

    @Test func theKindOfTheRequestCountsWhereNoneIsNamed() async throws {
        let request = AuthRequest(methodKind: .web)
        #expect(try await auth.signIn(with: .apple, request).value.user.id == "apple.com:page by web")
        #expect(try await auth.signIn(with: .apple, using: .sheet, request).value.user.id == "apple.com:sheet by sheet")
        #expect(try await auth.signIn(with: SignInMethod(.apple), request).value.user.id == "apple.com:page by web")
    }

    @Test func nameOfTheServerIsSignedInWith() async throws {
        let method = try SignInMethod(serverValue: "kakao_account")
        #expect(try await auth.signIn(with: method).value.user.id == "kakao:kakao by web")
    }

    @Test(
        arguments: [
            SignInMethod(.kakao, using: .sheet), .init(.apple, using: .app), .init(.naver), .init(.naver, using: .app),
        ])
    func whatIsNotThereIsUnsupportedAndBeginsNothing(method: SignInMethod) async {
        let auth = auth
        var states = auth.states.makeAsyncIterator()
        while await states.next() != .signedOut(nil) {}
        let error = await auth.signIn(with: method).result.error
        #expect(error?.code == .unsupportedProvider)
        #expect(error?.provider == method.provider)
        #expect(auth.state == .signedOut(nil))
    }

    @Test func twoProvidersByTheSameKindAreToldAndNeitherRuns() async {
        let auth = service([
            ScriptedProvider(.kakao) { _ in
                Issue.record("The first ran.")
                return Credential(provider: .kakao)
            },
            ScriptedProvider(.kakao) { _ in
                Issue.record("The second ran.")
                return Credential(provider: .kakao)
            },
        ])
        #expect(await auth.signIn(with: .kakao).result.error?.code == .misconfigured)
        #expect(auth.providers == [.kakao])
    }

    @Test func serviceWithoutProvidersSaysSo() async {
        let error = await service([]).signIn(with: .kakao).result.error
        #expect(error?.code == .unsupportedProvider)
        #expect(error?.explanation.contains("without any provider") == true)
    }

    @Test func userIsWhoIsSignedIn() async throws {
        let auth = auth
        #expect(auth.user == nil)
        let user = try await auth.signIn(with: .kakao).value.user
        #expect(auth.user == user)
        try await auth.signOut()
        #expect(auth.user == nil)
    }
}
