import AuthStreams
import AuthStreamsTesting
import TestSupport
import Testing

/// The contract finds each broken promise, and that one alone.
@Suite struct AuthRepositoryContractTests {
    @Test func aRepositoryThatKeepsEveryPromisePasses() async throws {
        let report = try await FlawedRepository.contract(nil).verify()
        #expect(report.kept == AuthRepositoryContract.checks.map(\.name))
        #expect(report.skipped == [])
    }

    @Test(arguments: TestVolume.part(0, of: 2, FlawedRepository.Flaw.allCases))
    func aBrokenPromiseIsFoundByItsCheckAlone(flaw: FlawedRepository.Flaw) async throws {
        #expect(try await brokenPromises(FlawedRepository.contract(flaw)) == [flaw.promise])
    }

    /// What its author says of the server is held against it, too.
    @Test func sessionsThatAreSaidToEndAndGoOnAreFound() async throws {
        let contract = FlawedRepository.contract(nil, givesRefreshTokens: .cannot("they say"))
        #expect(try await brokenPromises(contract) == ["a session can be refreshed"])
    }

    @Test func everyPromiseHasARepositoryThatBreaksIt() {
        #expect(Set(AuthRepositoryContract.checks.map(\.name)) == Set(FlawedRepository.Flaw.allCases.map(\.promise)))
    }
}
