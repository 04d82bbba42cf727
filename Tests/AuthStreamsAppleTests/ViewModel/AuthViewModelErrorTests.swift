import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import TestSupport
import Testing

/// What is told the person, and how often.
@Suite @MainActor struct AuthViewModelErrorTests {
    private func makeModel(_ providers: ScriptedProvider...) -> (AuthService, AuthViewModel) {
        let auth = AuthService(
            .repository(ScriptedRepository()), providers: providers.map { .provider($0) }, platform: .isolated())
        return (auth, AuthViewModel(auth))
    }

    @Test func sameErrorTwiceIsTwoErrorsAndAFurtherScreenReceivesNone() async {
        let (auth, model) = makeModel(.failing(.kakao, with: .network))
        let errors = Record<AuthError>()
        model.onError(for: errors) { $0.elements.append($1) }
        var toasts = model.errors.makeAsyncIterator()
        for _ in 1...2 {
            model.signIn(with: .kakao)
            await model.wait { !$0.isBusy }
        }
        #expect(await toasts.next()?.code == .network)
        #expect(await toasts.next()?.code == .network)
        #expect(errors.elements.map(\.code) == [.network, .network])
        let redrawn = Record<AuthError>()
        model.onError(for: redrawn) { $0.elements.append($1) }
        model.signIn(with: .kakao)
        await model.wait { !$0.isBusy }
        #expect((errors.elements.count, redrawn.elements.count) == (3, 1))
        withExtendedLifetime(auth) {}
    }

    /// Also if a closure causes the next error.
    @Test func everyClosureReceivesEachErrorOnceAndInOrder() async {
        var (auth, model): (AuthService?, AuthViewModel) = makeModel(.failing(.kakao, with: .network))
        let screens = [Record<AuthError.Code>(), Record(), Record()]
        for (index, screen) in screens.enumerated() {
            model.onError(for: screen) { [unowned model] screen, error in
                screen.elements.append(error.code)
                guard index == 0, error.code == .network else { return }
                auth = nil
                model.reload()
            }
        }
        model.signIn(with: .kakao)
        await model.wait { !$0.isBusy }
        for screen in screens { #expect(screen.elements == [.network, .misconfigured]) }
        #expect(auth == nil)
    }

    @Test func cancelOfThePersonIsNoErrorAndAMistakeInTheConfigurationIsOne() async {
        let (auth, model) = makeModel(.failing(.kakao, with: .cancelled), .failing(.naver, with: .misconfigured))
        let errors = Record<AuthError>()
        model.onError(for: errors) { $0.elements.append($1) }
        for provider in [ProviderID.kakao, .naver, .kakao] {
            model.signIn(with: provider)
            await model.wait { !$0.isBusy }
        }
        #expect(errors.elements.map(\.code) == [.misconfigured])
        #expect(errors.elements.first?.errorDescription?.isEmpty == false)
        withExtendedLifetime(auth) {}
    }

    @Test func errorOfAnAppWithoutTextsHasASentenceInBothLanguages() async throws {
        let (auth, model) = makeModel(.failing(.kakao, with: AuthError.Code(rawValue: "maintenance")))
        var errors = model.errors.makeAsyncIterator()
        model.signIn(with: .kakao)
        let error = try #require(await errors.next())
        let english = try #require(AuthErrorTexts.english.text(for: error))
        let korean = try #require(AuthErrorTexts.korean.text(for: error))
        #expect(!english.isEmpty && !korean.isEmpty && english != korean)
        withExtendedLifetime(auth) {}
    }

    @Test func errorsEndWithTheModel() async {
        var (auth, model): (AuthService, AuthViewModel?) = makeModel(.failing(.kakao, with: .network))
        var errors = model!.errors.makeAsyncIterator()
        model = nil
        #expect(await errors.next() == nil)
        withExtendedLifetime(auth) { auth = auth }
    }

    @Test func stateIsThatAfterTheAttemptWhenItsErrorIsTold() async {
        let (auth, model) = makeModel(.failing(.kakao, with: .network))
        let states = Record<AuthState>()
        model.onError(for: states) { [unowned model] states, _ in states.elements.append(model.state) }
        await model.waitUntilSignedOut()
        model.signIn(with: .kakao)
        await model.wait { !$0.isBusy }
        #expect(states.elements == [.signedOut(nil)])
        withExtendedLifetime(auth) {}
    }
}
