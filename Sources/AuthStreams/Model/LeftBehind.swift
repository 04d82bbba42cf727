/// What another SDK left on this device: how to find its session, and how to let go of it.
///
/// ```swift
/// LeftBehind(
///     find: { oldSDK.refreshToken.map { LegacySession(refreshToken: Secret($0)) } },
///     letGo: { try oldSDK.signOut() })
/// ```
public struct LeftBehind: Sendable {
    let find: @Sendable () async throws -> LegacySession?
    let letGo: @Sendable () async throws -> Void

    /// Says how.
    ///
    /// - Parameters:
    ///   - find: Returns the session, or `nil` when there is none. Called while the library's own store is empty and nothing
    ///     was taken up before. The state is restoring until it has returned, so it must not take long. `storageLocked` means
    ///     that it cannot be read yet: it is called again after the unlock. After any other error the state is signed out,
    ///     and it is called again with exponential backoff. A call of the service that has to know who is signed in ends
    ///     with `misconfigured` in here.
    ///   - letGo: Makes the other SDK forget its session on this device, without revoking it. Called once the library's own
    ///     store holds the session, or it is over; again at a later launch when it threw, or the process died before.
    public init(
        find: @escaping @Sendable () async throws -> LegacySession?,
        letGo: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.find = find
        self.letGo = letGo
    }

    /// The manager that runs one of its closures in the calling task, or in one that started it.
    @TaskLocal static var caller: ObjectIdentifier?
}
