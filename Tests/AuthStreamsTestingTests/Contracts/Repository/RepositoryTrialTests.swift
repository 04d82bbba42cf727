import AuthStreams
import Testing

@testable import AuthStreamsTesting

/// When a call on a broken network is made again, and when a new one is prepared.
@Suite struct RepositoryTrialTests {
    /// The secrets of the calls that were made, one for each fault at that request.
    private func attempts(
        _ flaw: FlawedRepository.Flaw, _ call: RepositoryTrial.Call, from number: Int
    ) async throws -> [Set<Secret>] {
        let trial = try await RepositoryTrial(FlawedRepository.contract(flaw))
        var kept: RepositoryTrial.Prepared?
        var secrets: [Set<Secret>] = []
        for code in [AuthError.Code.network, .timedOut, .network] {
            let attempt = try await trial.attempt(call, keeping: &kept, from: number) { _ in .failure(code) }
            #expect(attempt.result.failure != nil)
            secrets.append(attempt.call.secrets)
        }
        return secrets
    }

    @Test func aCallThatTheServerHasNotHeardOfIsMadeAgain() async throws {
        #expect(Set(try await attempts(.sendsTheTokenElsewhere, .refresh, from: 1)).count == 1)
    }

    @Test func afterACallThatReachedTheServerANewOneIsMade() async throws {
        #expect(Set(try await attempts(.sendsTheTokenElsewhere, .refresh, from: 2)).count == 3)
    }

    @Test func aCallThatIsRefusedWithoutARequestIsReplaced() async throws {
        #expect(Set(try await attempts(.failsAtSignOut, .signOut, from: 1)).count == 3)
    }
}
