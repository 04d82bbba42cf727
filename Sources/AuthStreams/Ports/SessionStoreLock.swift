/// A lock of a ``SessionStore``, held until it is released, its last reference is gone, or it is lost.
///
/// A lock is lost when it expires, or when the system takes it from a process that it suspended. The holder checks
/// ``isHeld`` before each step that the lock protects.
public final class SessionStoreLock: Sendable {
    private let released = Promise<Void>()
    private let check: @Sendable () -> Bool
    private let action: @Sendable () -> Void

    /// Makes a lock that is already held.
    ///
    /// - Parameters:
    ///   - isHeld: Returns whether the lock is not lost. Not called after the release.
    ///   - release: Releases the underlying lock. Called once.
    public init(isHeld: @escaping @Sendable () -> Bool = { true }, release: @escaping @Sendable () -> Void) {
        check = isHeld
        action = release
    }

    /// Whether the lock is neither released nor lost.
    public var isHeld: Bool { released.current == nil && check() }

    /// Releases the lock. Later calls do nothing.
    public func release() { if released.resolve(()) { action() } }

    deinit { release() }
}

extension SessionStoreLock: Hashable {
    /// Whether both are the same lock.
    public static func == (first: SessionStoreLock, second: SessionStoreLock) -> Bool { first === second }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
