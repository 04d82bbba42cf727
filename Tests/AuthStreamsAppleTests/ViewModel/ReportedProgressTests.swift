import AuthStreams
import Testing

@testable import AuthStreamsApple

/// The progress that events tell.
@Suite struct ReportedProgressTests {
    private func progress(after events: AuthEvent...) -> AuthProgress? {
        var progress = ReportedProgress()
        for event in events { progress.follow(event) }
        return progress.current
    }

    @Test(arguments: [AuthEvent.Kind.signInStep, .changeStep]) func stepIsShownWithItsProvider(kind: AuthEvent.Kind) {
        let event = AuthEvent(kind, attempt: 1, provider: .kakao, step: .exchanging)
        #expect(progress(after: event) == AuthProgress(.kakao, .exchanging))
    }

    @Test(arguments: [AuthEvent.Kind.signInSucceeded, .signInFailed, .changeSucceeded, .changeFailed])
    func endOfTheAttemptEndsTheProgress(kind: AuthEvent.Kind) {
        let step = AuthEvent(.changeStep, attempt: 2, provider: .kakao, step: .presenting)
        #expect(progress(after: step, AuthEvent(kind, attempt: 2, provider: .kakao)) == nil)
        #expect(progress(after: step, AuthEvent(kind, attempt: 1)) == AuthProgress(.kakao, .presenting))
    }

    @Test func requestWithoutAProviderShowsNoProgress() {
        #expect(progress(after: AuthEvent(.changeStep, attempt: 1, step: .establishingSession)) == nil)
        #expect(progress(after: AuthEvent(.refreshStarted)) == nil)
    }
}
