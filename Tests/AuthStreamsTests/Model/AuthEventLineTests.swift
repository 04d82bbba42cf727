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
                .signInFailed, provider: .apple, failure: .init(.timedOut), elapsed: .milliseconds(30_002),
                details: .attempt(AuthEvent.Attempt(3, .signIn, step: .waitingForOtherApp))),
            text:
                "signInFailed attempt=3 operation=signIn provider=apple.com step=waitingForOtherApp error=timedOut elapsed=30.002"
        ),
        Line(
            event: AuthEvent(
                .refreshFailed, failure: .init(.network), elapsed: .microseconds(1999),
                details: .retry(in: .seconds(3600))),
            text: "refreshFailed error=network elapsed=0.001 retry=3600.000"),
        Line(
            event: AuthEvent(.clockSkewLearned, details: .clockSkew(.milliseconds(-90_050))),
            text: "clockSkewLearned clockSkew=-90.050"),
        Line(
            event: AuthEvent(.clockSkewLearned, details: .clockSkew(.milliseconds(-50))),
            text: "clockSkewLearned clockSkew=-0.050"),
        Line(
            event: AuthEvent(.signedOut, provider: .kakao, details: .signedOut(.refreshInterrupted)),
            text: "signedOut provider=kakao reason=refreshInterrupted"),
        Line(
            event: AuthEvent(.signInSucceeded, details: .signedIn(AuthEvent.Attempt(1, .signIn), isNewUser: true)),
            text: "signInSucceeded attempt=1 operation=signIn isNewUser=true"),
        Line(event: AuthEvent(.eventsMissed, details: .missed(12)), text: "eventsMissed missed=12"),
    ]

    @Test(arguments: lines) func anEventIsOneLineOfKeysAndValues(line: Line) {
        #expect(line.event.description == line.text)
    }

    @Test func aNameOfTheAppsCannotEndTheLineNorPassForAnotherKey() {
        let event = AuthEvent(
            AuthEvent.Kind(rawValue: "mine\nsignedOut"), provider: ProviderID(rawValue: "a error=network"),
            failure: AuthEvent.Failure(AuthError.Code(rawValue: "ä%")))
        #expect(event.description == "mine%0AsignedOut provider=a%20error%3Dnetwork error=%C3%A4%25")
    }

    @Test func everyReasonHasANameOfItsOwn() {
        let reasons: [SignOutReason] = [
            .user, .revoked, .expired, .disabled, .deleted, .revokedAtProvider, .refreshInterrupted, .keyLost,
            .elsewhere,
        ]
        #expect(Set(reasons.map { AuthEvent(.signedOut, details: .signedOut($0)).description }).count == reasons.count)
    }
}
