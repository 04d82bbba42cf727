import AuthStreams
import AuthStreamsTesting
import Testing

/// How a contract of any port reports.
@Suite struct ContractTests {
    @Test func violationsSayWhatWasExpectedAndWhatWasSeen() async throws {
        let error = await #expect(throws: ContractViolations.self) {
            try await FlawedStore.contract(.takesEmptyForNothing).verify()
        }
        #expect(
            error?.description == """
                1 broken promise:
                - an empty record is a record: expected a record of 0 bytes that begins with []; read no record
                """)
    }

    @Test func aPartThatHangsIsReportedAndLeftBehind() async throws {
        let error = await #expect(throws: ContractViolations.self) {
            try await FlawedStore.contract(.ignoresCancellation).verify()
        }
        #expect(
            error?.violations.map(\.seen)
                == ["after 60.0 seconds it was still waiting in waitUntilUnlocked() although its task was cancelled"])
    }

    @Test func aSingleCheckRunsAlone() async throws {
        for check in SessionStoreContract.checks where check.name != FlawedStore.Flaw.keepsOneRecord.promise {
            let report = try await FlawedStore.contract(.keepsOneRecord).verify(check)
            #expect(report.kept == [check.name])
        }
    }

    @Test func whatCannotBeCheckedIsReportedWithItsReason() async throws {
        let report = try await SessionStoreContract {
            .init(
                store: MemorySessionStore(), laterProcess: .cannot("memory ends with its process"),
                otherOwner: .cannot("it is a store of one process alone"), losingLocks: .cannot("it has no locks"),
                locking: .cannot("memory is never locked"),
                failing: .cannot("memory does not fail"))
        }.verify()
        #expect(report.skipped.count == 14)
        #expect(report.skipped.count + report.kept.count == SessionStoreContract.checks.count)
        #expect(
            report.description.contains(
                "skipped: unlocking resumes the tasks that wait for it (memory is never locked)"))
    }

    @Test func theCancelledCallerOfAContractIsNotKeptWaiting() async throws {
        let hang = Hang()
        let verification = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var contract = SessionStoreContract {
                await hang.forever()
                throw CancellationError()
            }
            contract.timeout = ContractTimeout(.seconds(3600))
            try await contract.verify()
        }
        await #expect(throws: CancellationError.self) { try await verification.value }
    }

    @Test func namesArePlainWordsAndEachIsThereOnce() {
        for names in [
            SessionStoreContract.checks.map(\.name), AuthProviderContract.checks.map(\.name),
            AuthRepositoryContract.checks.map(\.name),
        ] {
            #expect(Set(names).count == names.count)
            #expect(names.allSatisfy { !$0.isEmpty })
        }
    }
}
