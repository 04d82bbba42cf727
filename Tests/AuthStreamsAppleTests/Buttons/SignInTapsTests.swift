import AuthStreams
import AuthStreamsTesting
import Testing

@testable import AuthStreamsApple

/// The taps on one button.
@Suite @MainActor struct SignInTapsTests {
    let fixture = ViewModelFixture()
    let taps = SignInTaps()
    let errors = Record<AuthError>()
    let changes = Record<Bool>()

    /// Taps, and gives what happens when the attempt has ended.
    private func tap(_ provider: ProviderID = .kakao) -> Promise<Void> {
        let ended = Promise<Void>()
        taps.tap {
            fixture.auth.signIn(with: provider)
        } onChange: { isInProgress in
            changes.elements.append(isInProgress)
            if !isInProgress { ended.resolve(()) }
        } onError: {
            errors.elements.append($0)
        }
        return ended
    }

    @Test func twentyTapsAreOneAttempt() async {
        let ended = tap()
        for _ in 1..<20 { _ = tap() }
        await fixture.asked.value()
        for _ in 1...20 { _ = tap() }
        #expect(taps.isInProgress)
        fixture.answer.resolve(.success(()))
        await ended.value()
        #expect(!taps.isInProgress && fixture.attempts.withLock { $0 } == 1)
        #expect(changes.elements == [true, false] && errors.elements.isEmpty)
        #expect(fixture.auth.user?.id == "kakao:1001")
    }

    @Test func buttonCanBeTappedAgainAfterTheAttemptHasEnded() async {
        fixture.answer.resolve(.failure(AuthError(.network, "Offline.")))
        for count in 1...2 {
            await tap().value()
            #expect(fixture.attempts.withLock { $0 } == count)
        }
        #expect(changes.elements == [true, false, true, false])
        await tap(.google).value()
        #expect(fixture.auth.user?.id == "google.com:1001")
        #expect(errors.elements.map(\.code) == [.network, .network])
    }

    /// The button releases it; the attempt is completed.
    @Test func attemptOutlivesTheButton() async {
        let ended = Promise<Void>()
        var taps: SignInTaps? = SignInTaps()
        taps?.tap {
            fixture.auth.signIn(with: .kakao)
        } onChange: {
            if !$0 { ended.resolve(()) }
        } onError: { _ in
            Issue.record("The attempt succeeds.")
        }
        taps = nil
        await fixture.asked.value()
        fixture.answer.resolve(.success(()))
        await ended.value()
        #expect(fixture.auth.user?.id == "kakao:1001")
    }
}
