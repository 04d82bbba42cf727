import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import TestSupport
import Testing

/// The closures of screens that observe a view model without SwiftUI.
@Suite @MainActor struct AuthViewModelClosureTests {
    private let fixture = ViewModelFixture()

    @Test func closureIsCalledAtOnceAndNeverTwiceWithTheSame() async {
        struct Shown: Equatable {
            let state: AuthState
            let intents: Set<AuthIntent>
            let progress: AuthProgress?
        }
        let model = AuthViewModel(fixture.auth)
        let shown = Record<Shown>()
        model.observe(for: shown) { shown, model in
            shown.elements.append(Shown(state: model.state, intents: model.intents, progress: model.progress))
        }
        #expect(shown.elements.map(\.state) == [model.state])
        model.signIn(with: .kakao)
        await model.wait { $0.progress != nil }
        fixture.answer.resolve(.success(()))
        await model.wait { !$0.isBusy && $0.progress == nil }
        #expect(zip(shown.elements, shown.elements.dropFirst()).allSatisfy { $0 != $1 })
        #expect(shown.elements.last?.state.user?.id == "kakao:1001")
        #expect(shown.elements.last?.intents == [])
    }

    @Test func closureEndsWithItsOwner() async {
        let model = AuthViewModel(fixture.auth)
        let calls = Record<AuthState>()
        final class Screen {}
        var screen: Screen? = Screen()
        model.observe(for: screen!) { _, model in calls.elements.append(model.state) }
        model.onError(for: screen!) { _, error in Issue.record("\(error)") }
        weak let reference = screen
        screen = nil
        #expect(reference == nil)
        let count = calls.elements.count
        model.signIn(with: .google)
        await model.wait { !$0.isBusy }
        fixture.answer.resolve(.failure(AuthError(.network, "The network is gone.")))
        model.signIn(with: .kakao)
        await model.wait { !$0.isBusy }
        #expect(calls.elements.count == count)
    }

    @Test func closureEndsWhenItIsCancelledAlsoByAnotherClosureDuringACall() async {
        let model = AuthViewModel(fixture.auth)
        let (first, second) = (Record<AuthState>(), Record<AuthState>())
        var observation: AuthObservation?
        model.observe(for: first) { first, model in
            first.elements.append(model.state)
            if model.isBusy { observation?.cancel() }
        }
        observation = model.observe(for: second) { $0.elements.append($1.state) }
        let count = second.elements.count
        model.signIn(with: .google)
        await model.wait { !$0.isBusy }
        #expect(first.elements.count > 1)
        #expect(second.elements.count == count)
        observation?.cancel()
    }

    @Test func closureMayBeginAnIntent() async {
        let model = AuthViewModel(fixture.auth)
        let screen = Record<AuthState>()
        model.observe(for: screen) { screen, model in
            screen.elements.append(model.state)
            if model.state.isSignedOut { model.signIn(with: .google) }
        }
        await model.wait { $0.user != nil && !$0.isBusy }
        #expect(screen.elements.last?.user?.id == "google.com:1001")
        #expect(fixture.repository.calls == [.signIn(.google)])
    }

    // MARK: Results

    @Test func eachSuccessfulSignInIsToldOnceWhenTheModelShowsTheUser() async {
        struct Told: Equatable {
            let result: SignInResult
            let shown: AuthUser?
        }
        let model = AuthViewModel(fixture.auth)
        let told = Record<Told>()
        model.onSignIn(for: told) { [unowned model] told, result in
            told.elements.append(Told(result: result, shown: model.user))
        }
        for provider in [ProviderID.google, .google] {
            model.signIn(with: provider)
            await model.wait { !$0.isBusy }
        }
        let user = AuthUser(id: "google.com:1001")
        let expected = Told(result: SignInResult(user: user, isNewUser: false, provider: .google), shown: user)
        #expect(told.elements == [expected, expected])
        model.link(with: .google)
        await model.wait { !$0.isBusy }
        #expect(told.elements.count == 2)
    }

    @Test func signInWithoutAnIdentityIsTold() async {
        let model = AuthViewModel(fixture.auth)
        let told = Record<ProviderID>()
        model.onSignIn(for: told) { $0.elements.append($1.provider) }
        model.signInAnonymously()
        await model.wait { !$0.isBusy }
        #expect(told.elements == [.anonymous])
    }

    @Test func attemptThatFailedOrWasSupersededOrIsAnothersTellsNoResult() async {
        let (model, other) = (AuthViewModel(fixture.auth), AuthViewModel(fixture.auth))
        let told = Record<ProviderID>()
        model.onSignIn(for: told) { $0.elements.append($1.provider) }
        model.signIn(with: .kakao)
        await fixture.asked.value()
        other.signIn(with: .google)
        await model.wait { !$0.isBusy }
        await other.wait { !$0.isBusy }
        #expect(model.user?.id == "google.com:1001" && told.elements.isEmpty)
        fixture.answer.resolve(.failure(AuthError(.network, "The network is gone.")))
        model.signIn(with: .kakao)
        await model.wait { !$0.isBusy }
        #expect(told.elements.isEmpty)
    }

    /// One closure begins an intent in its first call, and others are registered before and after it.
    @Test func closureThatBeginsAnIntentMakesNoneSeeTheSameTwice() async {
        let model = AuthViewModel(fixture.auth)
        await model.wait { $0.state.isSignedOut }
        let shown = [Record<Int>(), Record<Int>(), Record<Int>()]
        for (index, record) in shown.enumerated() {
            model.observe(for: record) { record, model in
                record.elements.append(model.intents.count)
                if index == 1, record.elements.count == 1 { model.signIn(with: .kakao) }
            }
        }
        #expect(shown.map(\.elements) == [[0, 1], [0, 1], [1]])
        model.cancel()
        await model.wait { !$0.isBusy }
    }
}
