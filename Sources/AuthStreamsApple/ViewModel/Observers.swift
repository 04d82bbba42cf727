/// Closures that are called with each value, each as long as its owner lives.
@MainActor
final class Observers<Value> {
    private struct Observer {
        let id: UInt64
        /// Returns whether the owner was there.
        let call: @MainActor (Value) -> Bool
    }
    private var observers: [Observer] = []
    private var registrations: UInt64 = 0
    /// The value that the closures are being called with, and those that came meanwhile.
    private var values: [Value] = []

    /// Registers a closure.
    ///
    /// - Parameter owner: Held weakly. Its end is the end of the registration.
    func add<Owner: AnyObject>(
        _ owner: Owner, _ handler: @escaping @MainActor (Owner, Value) -> Void
    ) -> AuthObservation {
        registrations += 1
        let id = registrations
        observers.append(
            Observer(id: id) { [weak owner] value in
                guard let owner else { return false }
                handler(owner, value)
                return true
            })
        return AuthObservation { [weak self] in self?.remove(id) }
    }

    /// Calls each closure, in the order of registration.
    ///
    /// A value that one of the closures causes follows when all have received the present one.
    func notify(_ value: Value) {
        values.append(value)
        guard values.count == 1 else { return }
        while let value = values.first {
            call(value)
            values.removeFirst()
        }
    }

    private func call(_ value: Value) {
        for observer in observers {
            // An earlier closure may have ended the registration.
            guard observers.contains(where: { $0.id == observer.id }) else { continue }
            if !observer.call(value) { remove(observer.id) }
        }
    }

    private func remove(_ id: UInt64) { observers.removeAll { $0.id == id } }
}

/// The registration of a closure with an ``AuthViewModel``.
///
/// The closure is registered until its owner or the model is released. Use the registration only to end it earlier.
@MainActor
public final class AuthObservation {
    private let end: @MainActor () -> Void

    init(end: @escaping @MainActor () -> Void) {
        self.end = end
    }

    /// Ends the registration: the closure is not called again. Idempotent.
    public func cancel() { end() }
}
