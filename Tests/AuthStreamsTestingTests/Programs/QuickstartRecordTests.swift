import AuthStreams
import AuthStreamsTesting
import Testing

@testable import quickstart

/// The quickstart reports every deviation.
@Suite struct QuickstartRecordTests {
    private static let ada = SignInResult(user: AuthUser(id: "kakao:1001"), isNewUser: true, provider: .kakao)

    private static func record(
        _ story: Scenario.Story = .approved, results: [Result<SignInResult, AuthError>] = [.success(ada)],
        steps: [String] = ["presenting", "establishingSession"],
        states: [String] = ["signedOut", "signingIn", "signedIn"], httpRequests: Int = 6
    ) -> AttemptRecord {
        AttemptRecord(
            scenario: Scenario(story: story, provider: .kakao), backend: .firebase, results: results,
            steps: steps.map { AttemptRecord.Step(name: $0, at: .zero) }, states: states, httpRequests: httpRequests,
            duration: .zero)
    }

    private static func failure(_ code: AuthError.Code) -> Result<SignInResult, AuthError> {
        .failure(AuthError(code, "It failed."))
    }

    @Test func aRunThatIsAsItShouldBeHasNoProblems() {
        let denied = Self.record(
            .denied, results: [Self.failure(.accessDenied)], states: ["signedOut", "signingIn", "signedOut"])
        #expect(Self.record().problems.isEmpty)
        #expect(denied.problems.isEmpty)
        #expect(Summary([Self.record(), denied]).isOK)
    }

    static let broken: [AttemptRecord] = [
        record(results: []),
        record(results: [.success(ada), .success(ada)]),
        record(results: [failure(.network)]),
        record(results: [.success(SignInResult(user: AuthUser(id: ""), isNewUser: true, provider: .kakao))]),
        record(steps: ["presenting"]),
        record(states: ["signedOut", "signedIn"]),
        record(states: ["signedOut", "signingIn", "signedOut"]),
        record(httpRequests: 0),
        record(.denied),
        record(.denied, results: [failure(.network)], states: ["signedOut", "signingIn", "signedOut"]),
        record(.cancelled, results: [failure(.cancelled)]),
    ]

    @Test(arguments: broken.indices) func anythingElseIsAProblem(index: Int) {
        let record = Self.broken[index]
        #expect(!record.problems.isEmpty)
        #expect(!Summary([record]).isOK)
    }
}
