import AuthStreams
import Dispatch
import TestSupport
import Testing

@testable import AuthStreamsTesting

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
                == [
                    "when it was said to hang it was still waiting in waitUntilUnlocked() although its task was cancelled"
                ])
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
            try await SessionStoreContract {
                await hang.forever()
                throw CancellationError()
            }.verify()
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

/// When a check hangs.
@Suite struct HangDetectionTests {
    /// The words after each turn with these readings, at three idle turns and a second of processor time.
    private func words(_ readings: [CheckActivity.Reading]) -> [String?] {
        var count = IdleTurns(limit: 3, processorTime: .seconds(1), interval: .milliseconds(100))
        return readings.map { count.take($0) }
    }

    private let idle = "after 3 turns without activity"

    @Test func checkThatIsSuspendedHangsAfterTheTurns() {
        #expect(words(Array(repeating: .init(), count: 4)) == [nil, nil, idle, idle])
    }

    @Test func eachStepBeginsTheTurnsAnew() {
        #expect(words([0, 0, 1, 1, 1, 1].map { .init(steps: $0) }) == [nil, nil, nil, nil, nil, idle])
    }

    @Test func checkThatWaitsForItsTurnDoesNotHang() {
        let readings = Array(repeating: CheckActivity.Reading(waiting: 1), count: 100)
        #expect(words(readings).allSatisfy { $0 == nil })
    }

    @Test func jobThatComputesDoesNotHangAndOneThatBlocksDoes() {
        let computing = (1...9).map { CheckActivity.Reading(running: 1, processorTime: .milliseconds(100 * $0)) }
        #expect(words(computing).allSatisfy { $0 == nil })
        #expect(words(computing + [computing[8], computing[8], computing[8]]).last == idle)
    }

    @Test func processorTimeIsBounded() {
        let spinning = (1...4).map { CheckActivity.Reading(steps: 10 * $0, processorTime: .milliseconds(300 * $0)) }
        #expect(words(spinning) == [nil, nil, nil, "after 1.0 seconds of processor time"])
    }

    private static let quick = HangDetection(turns: 3, interval: .milliseconds(1))

    /// What a contract says of a store that cannot be made.
    private func violation(
        _ detection: HangDetection = quick, _ hang: @escaping @Sendable () async -> Void
    ) async throws -> String? {
        var contract = SessionStoreContract {
            await hang()
            throw CancellationError()
        }
        contract.hangDetection = detection
        let check = try #require(SessionStoreContract.checks.first)
        let error = await #expect(throws: ContractViolations.self) { try await contract.verify(check) }
        return error?.violations.first?.seen
    }

    @Test func suspendedCheckIsReported() async throws {
        let seen = try await violation { await Hang().forever() }
        #expect(seen == "\(idle) it was still preparing")
    }

    @Test func blockedCheckIsReported() async throws {
        let semaphore = DispatchSemaphore(value: 0)
        let seen = try await violation { block(at: semaphore) }
        semaphore.signal()
        #expect(seen == "\(idle) it was still preparing")
    }

    /// Also while each of its steps is short.
    @Test func spinningCheckIsReported() async throws {
        let seen = try await violation(HangDetection(processorTime: .milliseconds(20))) {
            while !Task.isCancelled { await Task.yield() }
        }
        #expect(seen == "after 0.02 seconds of processor time it was still preparing")
    }

    @Test func checkThatWaitsForAdmissionWaitsForItsTurn() async throws {
        let (limit, activity) = (ResourceLimit(count: 1), CheckActivity())
        let (isAdmitted, end) = (Promise<Void>(), Promise<Void>())
        let other = Task {
            try await limit.run {
                isAdmitted.resolve(())
                await end.value()
            }
        }
        await isAdmitted.value()
        let check = activity.start { try? await limit.run {} }
        // Its first job has run.
        try await wait(for: "the check to wait for admission") {
            activity.reading.waiting == 1 && activity.reading.steps >= 2
        }
        end.resolve(())
        try await other.value
        await check.value
        #expect(activity.reading.waiting == 0)
    }
}

private func block(at semaphore: DispatchSemaphore) { semaphore.wait() }
