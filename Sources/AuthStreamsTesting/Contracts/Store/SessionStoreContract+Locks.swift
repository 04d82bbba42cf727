import AuthStreams
import Foundation

extension SessionStoreContract {
    /// The promise that one about waiting depends on.
    private static let exclusion = "a lock has one holder, and the next once it is released or dropped"

    /// The locks that several owners of one place share.
    static let locks = [
        check(exclusion) { place, findings in
            let stores = [place.store, try await place.otherOwner.required()()]
            let held = try await place.store.lock(refresh)
            let counter = ConcurrencyCounter()
            var waits: [Task<AuthError.Code?, Never>] = []
            for number in 0..<6 {
                let store = stores[number % 2]
                waits.append(
                    await SuspensionProbe().enter {
                        await code {
                            let lock = try await store.lock(refresh)
                            await counter.enter()
                            // Half of them release it, the others only drop the reference.
                            if number < 3 { lock.release() } else { withExtendedLifetime(lock) {} }
                        }
                    })
            }
            findings.expect(
                counter.entered == 0, "no task to get a lock that is held", saw: "\(counter.entered) got it")
            held.release()
            findings.stage("waiting for a lock that was released")
            for wait in waits {
                let code = await wait.value
                findings.expect(code == nil, "each task to get the lock in turn", saw: "an error")
            }
            findings.expect(counter.largest == 1, "one holder at a time", saw: "saw \(counter.largest)")
        },
        check("a lock says whether it is held") { place, findings in
            _ = try await place.otherOwner.required()()
            let lock = try await place.store.lock(refresh)
            findings.expect(lock.isHeld, "a lock that was just taken to be held", saw: "it says it is not")
            lock.release()
            findings.expect(!lock.isHeld, "a lock that was released not to be held", saw: "it says it is")
        },
        check("a lock that was lost says so") { place, findings in
            let lose = try place.losingLocks.required()
            let lock = try await place.store.lock(refresh)
            try await lose(refresh)
            findings.expect(!lock.isHeld, "a lost lock not to be held", saw: "it says it is")
        },
        check("a cancelled task no longer waits for a lock") { place, findings in
            let store = try await place.otherOwner.required()()
            let held = try await place.store.lock(refresh)
            defer { held.release() }
            let wait = await SuspensionProbe().enter { await code { _ = try await store.lock(refresh) } }
            wait.cancel()
            findings.stage("waiting for a lock although the task was cancelled")
            let seen = await wait.value
            guard seen != nil else {
                throw ContractInconclusive(
                    base: exclusion, expected: "a lock that is held to be waited for", seen: "it was had")
            }
            findings.expect(seen == .cancelled, "the wait to end with 'cancelled'", saw: "another error")
        },
        check("a lock does not block another lock, or a record of its name") { place, findings in
            let store = try await place.otherOwner.required()()
            let held = try await place.store.lock(.session)
            findings.stage("waiting for a record whose namesake is a lock that is held")
            for owner in [place.store, store] {
                try await owner.write(Data("free".utf8), for: .session)
                _ = try await owner.read(.session)
                try await owner.remove(.session)
            }
            findings.stage("waiting for a lock while another one is held")
            _ = try await store.lock(refresh)
            held.release()
        },
        check("a lock's name is valid where a record's is") { place, findings in
            _ = try await place.otherOwner.required()()
            for name in ["", "..", ".hidden", "a/b", "UPPER", "nul\0"] {
                let seen = await code { _ = try await place.store.lock(SessionStoreKey(rawValue: name)) }
                findings.expect(
                    seen == .storage, "locking '\(name)' to be refused with 'storage'",
                    saw: "saw \(seen.map { "'\($0.rawValue)'" } ?? "no error")")
            }
        },
    ]

    private static var refresh: SessionStoreKey { SessionStoreKey(rawValue: "refresh") }
}

/// An actor on which a task waits for a store. Its next job runs once the task has suspended, so a check can tell that
/// it waits.
actor SuspensionProbe {
    private let isInside = Promise<Void>()

    /// Starts a task and returns once it waits, unless there is nothing to wait for.
    nonisolated func enter<Value: Sendable>(
        _ wait: @escaping @Sendable () async -> Value
    ) async -> Task<Value, Never> {
        let task = Task { await self.run(wait) }
        _ = await isInside.value()
        await settle()
        // A task that has left this actor may need a moment more to suspend.
        for _ in 0..<100 { await Task.yield() }
        return task
    }

    private func run<Value: Sendable>(_ wait: @Sendable () async -> Value) async -> Value {
        isInside.resolve(())
        return await wait()
    }

    private func settle() {}
}

/// Counts the tasks that are inside at once.
private final class ConcurrencyCounter: Sendable {
    private let state = Lock((now: 0, largest: 0, entered: 0))

    var entered: Int { state.withLock { $0.entered } }
    var largest: Int { state.withLock { $0.largest } }

    /// Enters, yields so that others may enter, too, and leaves.
    func enter() async {
        state.withLock { state in
            state.entered += 1
            state.now += 1
            state.largest = max(state.largest, state.now)
        }
        for _ in 0..<20 { await Task.yield() }
        state.withLock { $0.now -= 1 }
    }
}
