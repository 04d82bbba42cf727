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
