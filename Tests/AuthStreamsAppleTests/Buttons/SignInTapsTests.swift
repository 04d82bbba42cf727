import AuthStreams
import AuthStreamsTesting
import Testing

@testable import AuthStreamsApple

/// The taps on one button.
@Suite @MainActor struct SignInTapsTests {
    let fixture = ViewModelFixture()
    let taps = SignInTaps()
    let errors = Record<AuthError>()
    let signIns = Record<SignInResult>()
    let links = Record<AuthUser>()
    let changes = Record<Bool>()

    private var reports: SignInReports {
        SignInReports { [signIns] in
            signIns.elements.append($0)
        } onLink: { [links] in
            links.elements.append($0)
        } onError: { [errors] in
            errors.elements.append($0.error)
        }
    }

    /// Taps, and returns what happens when the attempt has ended and was reported.
    private func tap(_ provider: ProviderID = .kakao, _ action: SignInButtonAction = .signIn) -> Promise<Void> {
        let ended = Promise<Void>()
        taps.tap(action, with: SignInMethod(provider), of: fixture.auth, reports: reports) { isInProgress in
            changes.elements.append(isInProgress)
            // The report follows in the same turn of the main actor.
            if !isInProgress { Task { ended.resolve(()) } }
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

    @Test func eachSuccessfulSignInIsReportedOnce() async {
        fixture.answer.resolve(.success(()))
        for _ in 1...2 { await tap().value() }
        let user = AuthUser(id: "kakao:1001")
        let result = SignInResult(user: user, isNewUser: false, provider: .kakao)
        #expect(signIns.elements == [result, result])
        #expect(links.elements.isEmpty && errors.elements.isEmpty)
    }

    @Test func supersededAttemptReportsNothing() async {
        let kakao = tap()
        await fixture.asked.value()
        // As a second button does.
        _ = await fixture.auth.signIn(with: .google).result
        await kakao.value()
        #expect(signIns.elements.isEmpty && errors.elements.isEmpty)
    }

    @Test func linkKeepsTheUserAndReportsThemWithTheNewIdentity() async throws {
        fixture.answer.resolve(.success(()))
        await tap(.google).value()
        await tap(.kakao, .link).value()
        let user = try #require(fixture.auth.user)
        #expect(user.id == "google.com:1001" && user.providers.map(\.id) == [.kakao])
        #expect(links.elements == [user] && signIns.elements.map(\.provider) == [.google])
    }

    @Test func linkWithoutAUserReportsItsError() async {
        await tap(.kakao, .link).value()
        #expect(errors.elements.map(\.code) == [.notSignedIn] && links.elements.isEmpty)
    }

    /// The button releases it; the attempt is completed and reported.
    @Test func attemptOutlivesTheButton() async {
        let told = Promise<SignInResult>()
        var taps: SignInTaps? = SignInTaps()
        let reports = SignInReports { told.resolve($0) }
        taps?.tap(.signIn, with: SignInMethod(.kakao), of: fixture.auth, reports: reports) { _ in }
        taps = nil
        await fixture.asked.value()
        fixture.answer.resolve(.success(()))
        #expect(await told.value()?.user.id == "kakao:1001")
        #expect(fixture.auth.user?.id == "kakao:1001")
    }
}
