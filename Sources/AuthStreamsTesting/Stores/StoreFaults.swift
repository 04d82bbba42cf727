import AuthStreams

/// The faults of a ``FaultySessionStore``, and the calls they apply to.
struct StoreFaults {
    struct Failure {
        let call: FaultySessionStore.Call
        /// `nil` for any record.
        let key: SessionStoreKey?
        let moment: FaultySessionStore.Moment
        let error: AuthError
        /// The number of calls that still fail; `nil` for all.
        var remaining: Int?
    }

    struct Holding {
        let call: FaultySessionStore.Call
        /// `nil` for any record.
        let key: SessionStoreKey?
        let moment: FaultySessionStore.Moment
        let gate: StoreGate
    }

    var failures: [Failure] = []
    var holds: [Holding] = []

    /// Returns the error that this call fails with, by the oldest matching fault.
    mutating func takeFailure(
        _ call: FaultySessionStore.Call, _ key: SessionStoreKey, _ moment: FaultySessionStore.Moment
    ) -> AuthError? {
        let next = failures.firstIndex {
            $0.call == call && $0.key ?? key == key && $0.moment == moment && $0.remaining != 0
        }
        guard let index = next else { return nil }
        failures[index].remaining? -= 1
        return failures[index].error
    }

    /// Returns the gate that holds this call. Each holds one call.
    mutating func takeHold(
        _ call: FaultySessionStore.Call, _ key: SessionStoreKey, _ moment: FaultySessionStore.Moment
    ) -> StoreGate? {
        holds.firstIndex { $0.call == call && $0.key ?? key == key && $0.moment == moment }
            .map { holds.remove(at: $0).gate }
    }
}

/// Holds one call until it is released.
final class StoreGate: Sendable {
    let arrived = Promise<Void>()
    private let released = Promise<Void>()

    func release() { released.resolve(()) }

    func pass() async {
        arrived.resolve(())
        // An unstructured task, because a cancellation of the caller must not open the gate.
        await Task { [released] in _ = await released.value() }.value
    }
}
