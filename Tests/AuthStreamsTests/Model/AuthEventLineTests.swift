import AuthStreams
import Testing

@Suite struct AuthEventLineTests {
    struct Line: Sendable {
        let event: AuthEvent
        let text: String
    }

    static let lines = [
        Line(event: AuthEvent(.restored), text: "restored"),
        Line(
            event: AuthEvent(
                .signInFailed, attempt: 3, provider: .apple, step: .waitingForOtherApp, error: .timedOut,
                elapsed: .milliseconds(30_002)),
            text: "signInFailed attempt=3 provider=apple.com step=waitingForOtherApp error=timedOut elapsed=30.002"),
        Line(
            event: AuthEvent(
                .refreshFailed, error: .network, elapsed: .microseconds(1999), delay: .seconds(3600)),
            text: "refreshFailed error=network elapsed=0.001 delay=3600.000"),
        Line(
            event: AuthEvent(.clockSkewLearned, delay: .milliseconds(-90_050)),
            text: "clockSkewLearned delay=-90.050"),
        Line(event: AuthEvent(.clockSkewLearned, delay: .milliseconds(-50)), text: "clockSkewLearned delay=-0.050"),
        Line(
            event: AuthEvent(.signedOut, provider: .kakao, reason: .refreshInterrupted),
            text: "signedOut provider=kakao reason=refreshInterrupted"),
        Line(
            event: AuthEvent(.signInSucceeded, attempt: 1, isNewUser: true),
            text: "signInSucceeded attempt=1 isNewUser=true"),
        Line(event: AuthEvent(.eventsMissed, skipped: 12), text: "eventsMissed skipped=12"),
    ]

    @Test(arguments: lines) func anEventIsOneLineOfKeysAndValues(line: Line) {
        #expect(line.event.description == line.text)
    }

    @Test func aNameOfTheAppsCannotEndTheLineNorPassForAnotherKey() {
        let event = AuthEvent(
            AuthEvent.Kind(rawValue: "mine\nsignedOut"), provider: ProviderID(rawValue: "a error=network"),
            error: AuthError.Code(rawValue: "ä%"))
        #expect(event.description == "mine%0AsignedOut provider=a%20error%3Dnetwork error=%C3%A4%25")
    }

    @Test func everyReasonHasANameOfItsOwn() {
        let reasons: [SignOutReason] = [
            .user, .revoked, .expired, .disabled, .deleted, .revokedAtProvider, .refreshInterrupted, .elsewhere,
        ]
        #expect(Set(reasons.map { AuthEvent(.signedOut, reason: $0).description }).count == reasons.count)
    }
}
