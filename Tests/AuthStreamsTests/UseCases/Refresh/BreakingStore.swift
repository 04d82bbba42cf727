import AuthStreamsTesting
import Foundation

@testable import AuthStreams

/// A store that counts its calls, locks included, and fails from one call on: for that call, or until it is
/// healed.
final class BreakingStore: SessionStore {
    enum Outage: CaseIterable, Sendable {
        case once
        case untilHealed
    }

    private struct Plan {
        let call: Int
        let outage: Outage
        let moment: FaultySessionStore.Moment
    }
    private struct State {
        var plan: Plan?
        var count = 0
        var hasFailed = false
    }
    private let base: any SessionStore
    private let state = Lock(State())

    init(_ base: any SessionStore) { self.base = base }

    /// Counts from here on.
    func fail(at call: Int, _ outage: Outage, _ moment: FaultySessionStore.Moment) {
        state.withLock { $0 = State(plan: Plan(call: call, outage: outage, moment: moment)) }
    }

    /// - Returns: Whether anything has failed.
    func heal() -> Bool {
        state.withLock { state in
            state.plan = nil
            return state.hasFailed
        }
    }

    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        try await asked { () async throws(AuthError) in try await base.read(key) }
    }

    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        try await asked { () async throws(AuthError) in try await base.write(data, for: key, replacing: version) }
    }

    func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock {
        try await asked { () async throws(AuthError) in try await base.lock(name, waitingAtMost: limit) }
    }

    func waitUntilUnlocked() async {}

    private func asked<Value>(_ call: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        let failing: FaultySessionStore.Moment? = state.withLock { state in
            state.count += 1
            guard let plan = state.plan else { return nil }
            let fails = plan.outage == .once ? state.count == plan.call : state.count >= plan.call
            if fails { state.hasFailed = true }
            return fails ? plan.moment : nil
        }
        let error = AuthError(.storage, "The store was told to fail.")
        if failing == .before { throw error }
        let value = try await call()
        if failing == .after { throw error }
        return value
    }
}
