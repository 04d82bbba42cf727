import AuthStreams
import Foundation

extension SessionStoreContract {
    /// Changes of others are reported.
    static let changes = [
        check("a write of any owner is reported to every reader") { place, findings in
            let other = try await place.otherOwner.required()()
            for (writer, words) in [(other, "the other"), (place.store, "the one")] {
                let streams = [place.store, place.store, other].map { $0.changes(of: .session) }
                try await writer.write(Data(words.utf8), for: .session)
                for (number, stream) in streams.enumerated() {
                    findings.stage("waiting in reader \(number + 1) for a change that \(words) owner made")
                    await expectChange(in: stream, findings)
                }
            }
        },
        check("a removal by another owner is reported") { place, findings in
            let other = try await place.otherOwner.required()()
            try await place.store.write(Data("kept".utf8), for: .session)
            let stream = place.store.changes(of: .session)
            try await other.remove(.session)
            findings.stage("waiting for a removal to be told")
            await expectChange(in: stream, findings)
        },
    ]

    private static func expectChange(in stream: AsyncStream<Void>, _ findings: ContractFindings) async {
        for await _ in stream { return }
        findings.add("a change to be told", saw: "the stream was over")
    }

    /// Concurrent writers and readers see whole records.
    static let crowds = [
        check("writers at once leave one of their records, whole") { place, findings in
            let (store, candidates) = (place.store, candidates)
            findings.stage("waiting for sixteen writers")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for data in candidates { group.addTask { try await store.write(data, for: .session) } }
                try await group.waitForAll()
            }
            let survivor = try await store.read(.session).data
            findings.expect(
                survivor.map(candidates.contains) ?? false, "one of the records that were written",
                saw: survivor == nil ? "there is none" : "there is a mixture")
        },
        check("a reader sees a whole record while others write") { place, findings in
            let (store, candidates, isOver) = (place.store, candidates, Lock(false))
            try await store.write(candidates[0], for: .session)
            findings.stage("waiting for a writer and its readers")
            let torn = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var torn = 0
                        repeat {
                            let seen = try await store.read(.session).data
                            torn += seen.map(candidates.contains) ?? false ? 0 : 1
                            await Task.yield()
                        } while !isOver.withLock { $0 }
                        return torn
                    }
                }
                group.addTask {
                    defer { isOver.withLock { $0 = true } }
                    for data in candidates { try await store.write(data, for: .session) }
                    return 0
                }
                return try await group.reduce(0, +)
            }
            findings.expect(torn == 0, "the old record or the new one", saw: "\(torn) reads saw another or none")
        },
    ]

    private static var candidates: [Data] { (0..<16).map { Data(repeating: UInt8($0), count: 5000) } }

    /// 'Empty', 'locked' and 'failed' are distinguished.
    static let failureChecks = [
        check("waiting for a store that is not locked returns at once") { place, findings in
            findings.stage("waiting for an unlocked store")
            await place.store.waitUntilUnlocked()
        },
        check("a locked store says storageLocked, and loses nothing") { place, findings in
            let locking = try place.locking.required()
            try await place.store.write(Data("kept".utf8), for: .session)
            try await locking.lock()
            try await expect(.storageLocked, from: place.store, findings)
            try await locking.unlock()
            try await expect(Data("kept".utf8), in: place.store, findings)
        },
        check("unlocking resumes the tasks that wait for it") { place, findings in
            let (locking, store) = (try place.locking.required(), place.store)
            try await locking.lock()
            let wait = await SuspensionProbe().enter { await store.waitUntilUnlocked() }
            try await locking.unlock()
            findings.stage("waiting in waitUntilUnlocked() after the unlock")
            await wait.value
        },
        check("a cancelled task no longer waits for the unlock") { place, findings in
            let (locking, store) = (try place.locking.required(), place.store)
            try await locking.lock()
            let wait = await SuspensionProbe().enter { await store.waitUntilUnlocked() }
            wait.cancel()
            findings.stage("waiting in waitUntilUnlocked() although its task was cancelled")
            await wait.value
        },
        check("a store that fails says storage, never 'empty'") { place, findings in
            let fail = try place.failing.required()
            try await place.store.write(Data("kept".utf8), for: .session)
            try await fail()
            try await expect(.storage, from: place.store, findings)
        },
    ]

    private static func expect(
        _ code: AuthError.Code, from store: any SessionStore, _ findings: ContractFindings
    ) async throws {
        for (verb, call) in calls(on: store, .session) {
            let seen = await self.code(of: call)
            findings.expect(
                seen == code, "\(verb) to fail with '\(code.rawValue)'",
                saw: "saw \(seen.map { "'\($0.rawValue)'" } ?? "no error")")
        }
    }
}
