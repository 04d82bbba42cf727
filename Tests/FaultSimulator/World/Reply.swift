/// What a suspended call will be given once, by the world.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Reply<Value: Sendable>: @unchecked Sendable {
    // Unsafe, since a waiter in a process that was killed is never resumed, which is no misuse.
    private var waiter: UnsafeContinuation<Value, Never>?
    private var value: Value?
    private(set) var isGiven = false

    /// Gives the value, unless there was one.
    ///
    /// - Returns: Whether it counts.
    @discardableResult
    func give(_ value: Value) -> Bool {
        guard !isGiven else { return false }
        isGiven = true
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: value)
        } else {
            self.value = value
        }
        return true
    }

    /// Waits for the value, which is not kept here: the receiver owns it.
    func wait() async -> Value {
        await withUnsafeContinuation { waiter in
            if let value = value.take() { waiter.resume(returning: value) } else { self.waiter = waiter }
        }
    }
}
