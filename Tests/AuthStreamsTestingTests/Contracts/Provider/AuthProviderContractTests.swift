import AuthStreams
import AuthStreamsTesting
import Testing

/// The contract finds each broken promise, and that one alone.
@Suite struct AuthProviderContractTests {
    @Test func aProviderThatKeepsEveryPromisePasses() async throws {
        let report = try await FlawedProvider.contract(nil).verify()
        #expect(report.kept == AuthProviderContract.checks.map(\.name))
        #expect(report.skipped == [])
    }

    @Test(arguments: FlawedProvider.Flaw.allCases)
    func aBrokenPromiseIsFoundByItsCheckAlone(flaw: FlawedProvider.Flaw) async throws {
        #expect(try await brokenPromises(FlawedProvider.contract(flaw)) == [flaw.promise])
    }

    @Test func everyPromiseHasAProviderThatBreaksIt() {
        #expect(Set(AuthProviderContract.checks.map(\.name)) == Set(FlawedProvider.Flaw.allCases.map(\.promise)))
    }

    @Test func aCheckThatCannotBeginIsBrokenWhenItRunsAlone() async throws {
        for check in AuthProviderContract.checks where check.name == "a credential holds a proof" {
            let error = await #expect(throws: ContractViolations.self) {
                try await FlawedProvider.contract(.neverGetsACredential).verify(check)
            }
            #expect(error?.violations.map(\.expected) == ["a credential of a person who agrees"])
        }
    }

    /// The issuer's configuration is asked for once, by whichever instance is the first to need it.
    @Test(arguments: AuthProviderContract.checks)
    func aProviderWithACacheKeeps(promise: ContractCheck<AuthProviderContract>) async throws {
        let isCached = Lock(false)
        try await AuthProviderContract { person, witness in
            scriptedProvider(person, witness) {
                if !isCached.withLock({ $0 }) { await witness.contact() }
                try Task.checkCancellation()
                isCached.withLock { $0 = true }
            }
        }.verify(promise)
    }

    @Test func violationsTellNoSecret() async throws {
        for flaw in [FlawedProvider.Flaw.tellsASecretInAnError, .tellsASecretInTheUser, .makesSecretsOncePerStream] {
            let error = await #expect(throws: ContractViolations.self) {
                try await FlawedProvider.contract(flaw).verify()
            }
            let words = error?.description ?? ""
            #expect(!words.contains("the nonce of this test"))
            #expect(!words.contains("number"))
        }
    }
}
