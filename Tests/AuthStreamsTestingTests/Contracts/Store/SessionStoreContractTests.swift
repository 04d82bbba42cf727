import AuthStreams
import AuthStreamsTesting
import Testing

/// The contract finds each broken promise, and that one alone.
@Suite struct SessionStoreContractTests {
    @Test func aStoreThatKeepsEveryPromisePasses() async throws {
        let report = try await FlawedStore.contract(nil).verify()
        #expect(report.kept == SessionStoreContract.checks.map(\.name))
        #expect(report.skipped == [])
    }

    @Test(arguments: FlawedStore.Flaw.allCases)
    func aBrokenPromiseIsFoundByItsCheckAlone(flaw: FlawedStore.Flaw) async throws {
        #expect(try await brokenPromises(FlawedStore.contract(flaw)) == [flaw.promise])
    }

    @Test func everyPromiseHasAStoreThatBreaksIt() {
        #expect(Set(SessionStoreContract.checks.map(\.name)) == Set(FlawedStore.Flaw.allCases.map(\.promise)))
    }
}
