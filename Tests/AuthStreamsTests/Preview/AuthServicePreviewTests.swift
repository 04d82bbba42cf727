import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// Services for previews, which need no network, no store and no task.
@Suite struct AuthServicePreviewTests {
    private static let since = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [
        (AuthPreview.restoring, AuthState.restoring(.reading)), (.waitingForUnlock, .restoring(.waitingForUnlock)),
        (.signedOut, .signedOut(nil)), (.expired, .signedOut(.expired)),
        (.signedOut(because: .disabled), .signedOut(.disabled)), (.signedOut(because: .user), .signedOut(.user)),
        (.signedIn, .signedIn(AuthPreview.user, .verified)), (.cached, .signedIn(AuthPreview.user, .cached)),
        (.signedIn(as: AuthUser(id: "ada")), .signedIn(AuthUser(id: "ada"), .verified)),
        (
            .signedIn(as: AuthUser(id: "ada"), .offline(since: since)),
            .signedIn(AuthUser(id: "ada"), .offline(since: since))
        ),
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
        for preview in [AuthPreview.signedIn, .cached, .offline, .expired, .waitingForUnlock] {
            let auth = TaskSpawner.withStarter(count) { AuthService.preview(preview) }
            #expect(started.withLock { $0 } == 0)
            withExtendedLifetime(auth) {}
        }
    }

    @Test(arguments: [AuthPreview.cached, .offline])
    func sessionThatIsNotConfirmedStaysSoUntilANewTokenIsAskedFor(preview: AuthPreview) async throws {
        let auth = AuthService.preview(preview)
        let state = auth.state
        _ = try await auth.accessToken()
        #expect(auth.state == state && auth.user == AuthPreview.user)
        _ = try await auth.accessToken(forceRefresh: true)
        #expect(auth.state == .signedIn(AuthPreview.user, .verified))
        try await auth.signOut()
        #expect(auth.state == .signedOut(.user))
    }

    @Test func offlineStaysWhileRequestsFail() async throws {
        let auth = AuthService.preview(.offline, failing: .network)
        let state = auth.state
        guard case .signedIn(AuthPreview.user, .offline) = state else {
            Issue.record("It begins as \(state).")
            return
        }
        await #expect(throws: AuthError.self) { try await auth.accessToken(forceRefresh: true) }
        #expect(auth.state == state)
    }

    @Test(arguments: [
        AuthPreview.expired, .waitingForUnlock, .signedOut(because: .deleted), .cached, .offline, .restoring,
    ])
    func everyPreviewSignsIn(preview: AuthPreview) async throws {
        let auth = AuthService.preview(preview)
        #expect(try await auth.signIn(with: .naver).value.user == AuthPreview.user)
        #expect(auth.state == .signedIn(AuthPreview.user, .verified) && auth.session?.provider == .naver)
        try await auth.signOut()
        #expect(auth.state == .signedOut(.user))
    }

    @Test func requestsAreAnsweredByThePreview() async throws {
        let request = AuthHTTPRequest(.get, URL(literal: "https://api.example.com/feed"))
        let auth = AuthService.preview(.signedIn) { AuthHTTPResponse(status: $0.url == request.url ? 200 : 404) }
        #expect(try await auth.data(for: request).status == 200)
        let error = await #expect(throws: AuthError.self) {
            try await AuthService.preview(.signedIn).data(for: request)
        }
        #expect(error?.code == .network)
        let failing = AuthService.preview(.signedIn, failing: .server) { _ in AuthHTTPResponse(status: 200) }
        let failure = await #expect(throws: AuthError.self) { try await failing.data(for: request) }
        #expect(failure?.code == .server)
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
        #expect(AuthService.preview(providers: [.apple], lastSignIn: SignInMethod(.google)).lastSignIn == nil)
    }

    @Test func badgeStaysWhenAnotherIdentityIsUnlinked() async throws {
        let auth = AuthService.preview(.signedIn, lastSignIn: SignInMethod(.kakao))
        for provider in [ProviderID.kakao, .naver] { _ = try await auth.link(with: provider).value }
        _ = try await auth.unlink(.naver).value
        #expect(auth.lastSignIn == SignInMethod(.kakao))
        try await auth.deleteAccount(with: .kakao).value
        #expect(auth.lastSignIn == nil)
    }

    @Test func buttonMayNameAKindOfItsProvider() async throws {
        let auth = AuthService.preview()
        for method in [SignInMethod(.kakao, using: .web), .init(.naver, using: .app), .init(.apple, using: .sheet)] {
            #expect(try await auth.signIn(with: method).value.user == AuthPreview.user)
            #expect(auth.lastSignIn == method)
        }
    }

    @Test func changesOfTheAccountAreSeen() async throws {
        let auth = AuthService.preview()
        let anonymous = try await auth.signInAnonymously().value.user
        #expect(anonymous.isAnonymous && anonymous.id != AuthPreview.user.id)
        #expect(try await auth.link(with: .kakao).value.providers.map(\.id) == [.kakao])
        #expect(try await auth.link(with: .naver).value.providers.map(\.id) == [.kakao, .naver])
        #expect(try await auth.unlink(.kakao).value.providers.map(\.id) == [.naver])
        #expect(try await auth.updateProfile(displayName: .set("Jiho")).value.displayName == "Jiho")
        #expect(auth.user?.displayName == "Jiho" && auth.user?.isAnonymous == false)
        try await auth.signOut(everywhere: true)
        #expect(auth.state == .signedOut(.user))
    }

    /// Otherwise a view would show a user whom no server knows.
    @Test func failingPreviewFailsEveryRequest() async throws {
        let signedOut = AuthService.preview(failing: .network)
        #expect(await signedOut.signInAnonymously().result.error?.code == .network)
        let auth = AuthService.preview(.signedIn, failing: .network)
        #expect(await auth.reload().result.error?.code == .network)
        #expect(await auth.updateProfile(displayName: .remove).result.error?.code == .network)
        #expect(await auth.link(with: .kakao).result.error?.code == .network)
        #expect(await auth.deleteAccount(with: .kakao).result.error?.code == .network)
        await #expect(throws: AuthError.self) { try await auth.accessToken(forceRefresh: true) }
        #expect(auth.user == AuthPreview.user)
        try await auth.signOut()
        #expect(auth.user == nil)
    }
}
