import AuthStreams
import Foundation

/// The key that the tokens of a store's session are bound to (RFC 9449), in the record ``SessionStoreKey/dpopKey``.
///
/// A store has one key. It is made at the first sign-in, on disk before any token is bound to it, and stays: another process may be
/// signing in with it. A sign-in replaces it only if it is of no use any more.
final class DPoPKeys: Sendable {
    private let store: (any SessionStore)?
    /// The key that was used last.
    private let known = Lock<DPoPKey?>(nil)

    /// - Parameter store: The store of the session; `nil` if there is none, which ends attempts with `misconfigured`.
    init(in store: (any SessionStore)?) { self.store = store }

    /// Returns the key for a sign-in: that of the store, or a new one that was written there.
    ///
    /// Of two processes that make one at the same time, the second writer takes over that of the first.
    ///
    /// - Throws: `AuthError`; `misconfigured` if there is no store, or this system makes no keys; `storageLocked` or `storage` if the
    ///   store fails. The key counts as lost in neither case.
    func current() async throws(AuthError) -> DPoPKey {
        let key = try await required().update(.dpopKey) { data throws(AuthError) -> DPoPKey in
            if let stored = data, let key = try DPoPKey(stored: stored, isNeeded: false) { return key }
            let key = try DPoPKey.make()
            data = try key.stored
            return key
        }
        known.withLock { $0 = key }
        return key
    }

    /// Returns the key that a session's tokens are bound to.
    ///
    /// - Throws: `AuthError`; `sessionExpired` that ends the session with ``SignOutReason/keyLost`` if the store has another key or
    ///   none, or the key is of no use any more; otherwise as ``current()``.
    func key(_ thumbprint: String) async throws(AuthError) -> DPoPKey {
        if let key = known.withLock({ $0 }), key.thumbprint == thumbprint { return key }
        let record = try await required().read(.dpopKey)
        guard let data = record.data, let key = try DPoPKey(stored: data, isNeeded: true), key.thumbprint == thumbprint
        else {
            throw AuthError(
                .sessionExpired,
                """
                The key that the session's tokens are bound to is gone, such as after the device was restored. \
                Sign in again.
                """, endsSession: .keyLost)
        }
        known.withLock { $0 = key }
        return key
    }

    private func required() throws(AuthError) -> any SessionStore {
        guard let store else {
            throw AuthError(
                .misconfigured,
                "`usesDPoP` needs a place for the key. Make the provider with `store`: that of the service.")
        }
        return store
    }
}
