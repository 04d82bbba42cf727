import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import TestSupport
import Testing

/// What a view model keeps alive, and what ends with it.
@Suite @MainActor struct AuthViewModelLifetimeTests {
    @Test func modelEndsWithItsOwnerWhileItFollowsTheState() async {
        let fixture = ViewModelFixture()
        var model: AuthViewModel? = AuthViewModel(fixture.auth)
        await model?.waitUntilSignedOut()
        weak let reference = model
        model = nil
        #expect(reference == nil)
    }

    @Test func modelThatGoesAwayWhileSigningInEndsAndCancelsTheAttempt() async throws {
        let fixture = ViewModelFixture()
        var model: AuthViewModel? = AuthViewModel(fixture.auth)
        model?.signIn(with: .kakao)
        await fixture.asked.value()
        weak let reference = model
        model = nil
        #expect(reference == nil)
        try await wait(for: "the attempt to be cancelled") { fixture.cancelled.current != nil }
        try await wait(for: "the attempt to end") { fixture.auth.state == .signedOut(nil) }
    }

    @Test func intentThatAsksNoOneIsCompletedAfterTheModelIsGone() async throws {
        let held = Promise<Void>()
        var account = ScriptedAccount()
        account.unlink = { _, session in
            guard await held.value() != nil else { throw CancellationError() }
            return session
        }
        let fixture = ViewModelFixture(account: account)
        _ = try await fixture.auth.signIn(with: .google).value
        var events = fixture.auth.events.makeAsyncIterator()
        var model: AuthViewModel? = AuthViewModel(fixture.auth)
        model?.unlink(.google)
        while let event = await events.next(), event.kind != .changeStarted {}
        model = nil
        held.resolve(())
        while let event = await events.next() {
            guard event.kind == .changeSucceeded || event.kind == .changeFailed else { continue }
            #expect(event.kind == .changeSucceeded)
            break
        }
    }

    @Test func modelThatGoesAwayWithTheHomeScreenLeavesNothingOfADeletion() async throws {
        let fixture = ViewModelFixture()
        _ = try await fixture.auth.signIn(with: .google).value
        var events = fixture.auth.events.makeAsyncIterator()
        let home = Record<AuthViewModel>()
        home.elements = [AuthViewModel(fixture.auth)]
        home.elements[0].observe(for: home) { home, model in
            if model.state == .signedOut(.deleted) { home.elements = [] }
        }
        home.elements[0].deleteAccount()
        while let event = await events.next() {
            guard event.kind == .changeSucceeded || event.kind == .changeFailed else { continue }
            #expect(event.kind == .changeSucceeded)
            break
        }
        _ = try await fixture.auth.signIn(with: .google).value
        #expect(await fixture.auth.pendingDeletion == nil)
    }

    @Test func serviceIsNotKeptAliveAndAnIntentAfterItsEndSaysSo() async throws {
        var fixture: ViewModelFixture? = ViewModelFixture()
        let model = AuthViewModel(try #require(fixture).auth)
        await model.waitUntilSignedOut()
        weak let service = fixture?.auth
        fixture = nil
        #expect(service == nil)
        #expect(model.state == .signedOut(nil))
        var errors = model.errors.makeAsyncIterator()
        model.signIn(with: .kakao)
        let error = try #require(await errors.next())
        #expect(error.code == .misconfigured)
        #expect(error.explanation.contains("Keep the service"))
        #expect(!model.isBusy)
    }

    /// It is made in the place where it is used.
    @Test func previewIsKeptAndReleasedWithTheModel() async throws {
        weak var service: AuthService?
        func preview() -> AuthService {
            let auth = AuthService.preview()
            service = auth
            return auth
        }
        var model: AuthViewModel? = AuthViewModel(preview())
        #expect(service != nil)
        model?.signIn(with: .kakao)
        await model?.wait { !$0.isBusy }
        #expect(model?.user == AuthPreview.user)
        weak let released = model
        model = nil
        #expect(released == nil)
        try await wait(for: "the preview to be released") { service == nil }
    }

    @Test func serviceThatIsReleasedWhileASheetIsUpCompletesTheAttempt() async throws {
        var fixture: ViewModelFixture? = ViewModelFixture()
        let model = AuthViewModel(try #require(fixture).auth)
        model.signIn(with: .kakao)
        await fixture?.asked.value()
        let answer = try #require(fixture).answer
        weak let service = fixture?.auth
        fixture = nil
        #expect(service != nil)
        answer.resolve(.success(()))
        await model.wait { $0.user != nil && !$0.isBusy }
        #expect(model.user?.id == "kakao:1001")
        #expect(service == nil)
    }
}
