import AuthStreams
import Foundation

extension SessionStoreContract {
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
