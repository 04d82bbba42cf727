import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Observation
import TestSupport
import Testing

/// What a screen sees of a sign-in, and what its buttons begin.
@Suite @MainActor struct AuthViewModelTests {
    private let fixture = ViewModelFixture()

    private func makeModel() async -> AuthViewModel {
        let model = AuthViewModel(fixture.auth)
        await model.waitUntilSignedOut()
        return model
    }

    // MARK: State

    @Test func stateOfTheServiceIsThereFromTheStart() async throws {
        _ = try await fixture.auth.signIn(with: .google).value
        let model = AuthViewModel(fixture.auth)
        #expect(model.state == fixture.auth.state)
        #expect(model.user?.id == "google.com:1001")
        #expect(model.providers == [.kakao, .google])
        #expect(model.methods == fixture.auth.methods)
    }

    @Test func methodsAreThoseThatAPersonBegins() {
        let passkey = ScriptedProvider(.passkey, methodKinds: [.sheet, .immediate, .conditional])
        let auth = AuthService(
            repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao), passkey],
            store: MemorySessionStore(), callbacks: CallbackRouter())
        #expect(
            AuthViewModel(auth).methods.filter { $0.provider == .passkey } == [SignInMethod(.passkey, using: .sheet)])
    }

    @Test func changeBeforeTheFirstObservationIsSeen() async throws {
        let model = AuthViewModel(fixture.auth)
        _ = try await fixture.auth.signIn(with: .google).value
        await model.wait { $0.user != nil }
        #expect(model.state == fixture.auth.state)
    }

    @Test func observationOfAViewSeesAChangeOfTheState() async {
        let model = await makeModel()
        let changed = Promise<Void>()
        withObservationTracking {
            _ = model.state
        } onChange: {
            changed.resolve(())
        }
        model.signIn(with: .google)
        await model.wait { $0.user != nil }
        #expect(changed.current != nil)
    }

    @Test func endOfAnIntentShowsItsEffect() async {
        let model = await makeModel()
        model.signIn(with: .google)
        await model.wait { !$0.isBusy }
        #expect(model.user?.id == "google.com:1001")
        model.signOut()
        await model.wait { !$0.isBusy }
        #expect(model.state == .signedOut(.user))
    }

    @Test func providerInFlightAndItsStepAreShown() async {
        let model = await makeModel()
        model.signIn(with: .kakao)
        await model.wait { $0.progress != nil }
        #expect(model.progress == AuthProgress(.kakao, .presenting))
        #expect(model.intents == [.signIn(SignInMethod(.kakao))])
        fixture.answer.resolve(.success(()))
        await model.wait { $0.progress == nil && !$0.isBusy }
        #expect(model.user?.id == "kakao:1001")
    }

    @Test func linkShowsItsProviderAndStepWhileTheUserStaysSignedIn() async {
        let model = await makeModel()
        model.signIn(with: .google)
        await model.wait { !$0.isBusy && $0.progress == nil }
        model.link(with: .kakao)
        await model.wait { $0.progress != nil }
        #expect(model.progress == AuthProgress(.kakao, .presenting))
        #expect(model.user?.id == "google.com:1001")
        fixture.answer.resolve(.success(()))
        await model.wait { $0.progress == nil && !$0.isBusy }
        #expect(model.user?.providers.map(\.id) == [.kakao])
    }

    @Test func modelThatIsMadeInTheMiddleOfALinkShowsIt() async {
        let first = await makeModel()
        first.signIn(with: .google)
        await first.wait { !$0.isBusy }
        first.link(with: .kakao)
        await first.wait { $0.progress != nil }
        let second = AuthViewModel(fixture.auth)
        #expect(second.progress == AuthProgress(.kakao, .presenting))
        fixture.answer.resolve(.success(()))
        await first.wait { !$0.isBusy }
        #expect(first.progress == nil)
        await second.wait { $0.progress == nil }
    }

    @Test func signInThatReplacesAUserShowsItsProvider() async {
        let model = await makeModel()
        model.signIn(with: .google)
        await model.wait { !$0.isBusy }
        model.signIn(with: .kakao)
        await model.wait { $0.progress != nil }
        #expect(model.progress == AuthProgress(.kakao, .presenting))
        #expect(model.user?.id == "google.com:1001")
        fixture.answer.resolve(.success(()))
        await model.wait { !$0.isBusy }
        #expect(model.progress == nil)
    }

    // MARK: Intents

    @Test func twentyTapsAreOneAttempt() async {
        let model = await makeModel()
        for _ in 1...20 { model.signIn(with: .kakao) }
        await model.wait { $0.progress != nil }
        for _ in 1...20 { model.signIn(with: .kakao) }
        fixture.answer.resolve(.success(()))
        await model.wait { !$0.isBusy }
        #expect(model.user?.id == "kakao:1001")
        #expect(fixture.attempts.withLock { $0 } == 1)
        #expect(fixture.repository.calls == [.signIn(.kakao)])
    }

    @Test func buttonThatWasUsedCanBeUsedAgain() async {
        let model = await makeModel()
        for _ in 1...2 {
            model.signIn(with: .google)
            await model.wait { !$0.isBusy }
            model.signOut()
            await model.wait { !$0.isBusy }
        }
        #expect(fixture.repository.calls.count { $0 == .signIn(.google) } == 2)
    }

    @Test func anotherProviderSupersedesTheOneThatIsAskedWithoutAnError() async {
        let model = await makeModel()
        let errors = Record<AuthError>()
        model.onError(for: errors) { $0.elements.append($1) }
        model.signIn(with: .kakao)
        await model.wait { $0.progress != nil }
        model.signIn(with: .google)
        await model.wait { !$0.isBusy }
        #expect(model.user?.id == "google.com:1001")
        #expect(errors.elements.isEmpty)
    }

    @Test func cancelEndsTheAttemptWithoutAnError() async {
        let model = await makeModel()
        let errors = Record<AuthError>()
        model.onError(for: errors) { $0.elements.append($1) }
        model.signIn(with: .kakao)
        await model.wait { $0.progress != nil }
        await fixture.asked.value()
        model.cancel()
        await model.wait { !$0.isBusy }
        #expect(model.state.isSignedOut)
        #expect(errors.elements.isEmpty)
    }

    /// The attempt that was cancelled has not ended yet.
    @Test func providerThatIsChosenOnceMoreIsAskedOnceMore() async {
        let model = await makeModel()
        model.signIn(with: .kakao)
        await fixture.asked.value()
        model.cancel()
        model.signIn(with: .kakao)
        await fixture.cancelled.value()
        fixture.answer.resolve(.success(()))
        await model.wait { !$0.isBusy }
        #expect(model.user != nil)
        #expect(fixture.attempts.withLock { $0 } == 2)
    }

    @Test func providerThatIsChosenAfterAnotherIsTheOneThatCounts() async {
        let model = await makeModel()
        model.signIn(with: .kakao)
        await fixture.asked.value()
        model.signIn(with: .google)
        model.signIn(with: .kakao)
        await fixture.cancelled.value()
        fixture.answer.resolve(.success(()))
        await model.wait { !$0.isBusy }
        #expect(model.user?.id == "kakao:1001")
    }

    @Test func providerIsAskedAgainAfterAnAnonymousSignInEndedItsAttempt() async {
        let model = await makeModel()
        model.signIn(with: .kakao)
        await fixture.asked.value()
        model.signInAnonymously()
        model.signIn(with: .kakao)
        await fixture.cancelled.value()
        fixture.answer.resolve(.success(()))
        await model.wait { !$0.isBusy }
        #expect(model.user?.id == "kakao:1001")
        #expect(fixture.attempts.withLock { $0 } == 2)
    }

    @Test func providerIsAskedAgainAfterASignOutEndedItsAttempt() async {
        let model = await makeModel()
        model.signIn(with: .kakao)
        await fixture.asked.value()
        model.signOut()
        await fixture.cancelled.value()
        model.signIn(with: .kakao)
        fixture.answer.resolve(.success(()))
        await model.wait { !$0.isBusy }
        #expect(model.user?.id == "kakao:1001")
        #expect(fixture.attempts.withLock { $0 } == 2)
    }

    @Test func intentIsInFlightUntilItsLastAttemptHasEnded() async throws {
        let (answers, asked) = ([Promise<Void>(), Promise<Void>()], Lock(0))
        var account = ScriptedAccount()
        account.signOutEverywhere = { _ in
            let number = asked.withLock { count in
                defer { count += 1 }
                return count
            }
            _ = await answers[number].value()
        }
        let fixture = ViewModelFixture(account: account)
        let model = AuthViewModel(fixture.auth)
        await model.waitUntilSignedOut()
        for count in 1...2 {
            model.signIn(with: .google)
            await model.wait { $0.user != nil && !$0.intents.contains(.signIn(SignInMethod(.google))) }
            model.signOut(everywhere: true)
            await model.wait { $0.user == nil }
            try await wait(for: "the server to be told of the sign-out") { asked.withLock { $0 } == count }
        }
        // The next change is the end of the first attempt.
        var calls = 0
        await model.wait { _ in
            if calls == 0 { answers[0].resolve(()) }
            calls += 1
            return calls == 2
        }
        #expect(model.intents == [.signOut(everywhere: true)])
        answers[1].resolve(())
        await model.wait { !$0.isBusy }
        #expect(model.user == nil)
    }

    /// The server has not answered to the sign-out of the user before.
    @Test func nextUserCanSignOutWhileTheServerIsToldOfTheFirst() async {
        let answer = Promise<Void>()
        var account = ScriptedAccount()
        account.signOutEverywhere = { _ in _ = await answer.value() }
        let fixture = ViewModelFixture(account: account)
        let model = AuthViewModel(fixture.auth)
        await model.waitUntilSignedOut()
        model.signIn(with: .google)
        await model.wait { $0.user != nil }
        model.signOut(everywhere: true)
        await model.wait { $0.user == nil }
        model.signIn(with: .google)
        await model.wait { $0.user != nil }
        #expect(model.intents.contains(.signOut(everywhere: true)))
        model.signOut(everywhere: true)
        answer.resolve(())
        await model.wait { !$0.isBusy }
        #expect(model.user == nil)
        #expect(fixture.repository.calls.count { $0 == .signOutEverywhere("google.com:1001") } == 2)
    }

    @Test func everyIntentReachesTheServer() async {
        let model = await makeModel()
        fixture.answer.resolve(.success(()))
        let errors = Record<AuthError>()
        model.onError(for: errors) { $0.elements.append($1) }
        let intents: [@MainActor () -> Void] = [
            { model.signInAnonymously() }, { model.link(with: .google) }, { model.link(with: .kakao) },
            { model.reload() },
            { model.updateProfile(displayName: .set("Minji")) }, { model.reauthenticate(with: .google) },
            { model.unlink(.google) }, { model.signOut() }, { model.signIn(with: SignInMethod(.google)) },
            { model.signOut(everywhere: true) }, { model.signIn(with: .google) }, { model.deleteAccount() },
        ]
        for intent in intents {
            intent()
            #expect(model.isBusy)
            await model.wait { !$0.isBusy }
        }
        let names = fixture.repository.calls.map { "\($0)".prefix { $0 != "(" } }
        #expect(
            names == [
                "signInAnonymously", "link", "link", "reload", "updateProfile", "reauthenticate", "unlink", "signOut",
                "signIn", "signOutEverywhere", "signIn", "deleteAccount",
            ])
        #expect(model.state == .signedOut(.deleted))
        #expect(errors.elements.isEmpty)
    }
}
