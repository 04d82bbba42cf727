import AuthStreamsTesting
import Testing

@testable import AuthStreams

/// Services for previews, which need no network, no store and no task.
@Suite struct AuthServicePreviewTests {
    @Test(arguments: [
        (AuthPreview.restoring, AuthState.restoring(.reading)), (.signedOut, .signedOut(nil)),
        (.signedIn, .signedIn(AuthPreview.user, .verified)),
        (.signedIn(as: AuthUser(id: "ada")), .signedIn(AuthUser(id: "ada"), .verified)),
        (.signingIn(.kakao), .signingIn(.kakao, .presenting)),
        (.signingIn(.naver, at: .waitingForOtherApp), .signingIn(.naver, .waitingForOtherApp)),
    ])
    func itBeginsInTheState(preview: AuthPreview, state: AuthState) async {
        let auth = AuthService.preview(preview)
        #expect(auth.state == state)
        var states = auth.states.makeAsyncIterator()
        #expect(await states.next() == state)
    }

    @Test func itStartsNoTask() async {
        let started = Lock(0)
        let count = { @Sendable (body: @escaping TaskSpawner.Body) in
            started.withLock { $0 += 1 }
            return Task { await body() }
        }
        let auth = TaskSpawner.withStarter(count) { AuthService.preview(.signedIn) }
        #expect(started.withLock { $0 } == 0)
        #expect(auth.user == AuthPreview.user)
    }

    @Test func buttonsAreThoseOfTheProvidersInOrder() {
        #expect(AuthService.preview().providers == [.apple, .google, .kakao, .naver])
        #expect(AuthService.preview(providers: [.naver, .apple]).providers == [.naver, .apple])
    }

    @Test func tapSignsInAsTheUserOfThePreview() async throws {
        let auth = AuthService.preview()
        #expect(try await auth.signIn(with: .kakao).value.user == AuthPreview.user)
        #expect(auth.state == .signedIn(AuthPreview.user, .verified))
        #expect(auth.lastSignIn?.provider == .kakao)
        try await auth.signOut()
        #expect(auth.state == .signedOut(.user))
    }

    @Test func everyTapFailsWithTheCode() async {
        let auth = AuthService.preview(failing: .network)
        for _ in 0..<2 {
            let error = await auth.signIn(with: .kakao).result.error
            #expect(error?.code == .network && error?.provider == .kakao)
            #expect(auth.state == .signedOut(nil))
        }
    }

    @Test func signedInUserHasATokenAndCanDeleteTheAccount() async throws {
        let auth = AuthService.preview(.signedIn)
        _ = try await auth.accessToken(forceRefresh: true)
        #expect(auth.user == AuthPreview.user)
        try await auth.deleteAccount(with: .kakao).value
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test func badgeIsThatOfTheLastSignIn() {
        #expect(AuthService.preview(lastSignIn: SignInMethod(.google)).lastSignIn == SignInMethod(.google))
        #expect(AuthService.preview().lastSignIn == nil)
    }
}
