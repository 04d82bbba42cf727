import AuthStreams
import Foundation

/// The key that the tokens of a store's session are bound to (RFC 9449), in the record ``SessionStoreKey/dpopKey``.
///
/// A store has one key. It is made at the first sign-in, on disk before any token is bound to it, and stays: another process may be
/// signing in with it. A sign-in replaces it only if it is of no use any more: the record is damaged, or this device's Secure
/// Enclave has the key no more. A failure that may pass ends the sign-in instead.
final class DPoPKeys: Sendable {
    private let store: (any SessionStore)?
    private let hardware: KeyHardware
    /// The keys that were used, by their thumbprints.
    private let known = Lock<[String: DPoPKey]>([:])

    /// - Parameters:
    ///   - store: The store of the session; `nil` if there is none, which ends attempts with `misconfigured`.
    ///   - hardware: What keeps the key; the Secure Enclave unless given.
    init(in store: (any SessionStore)?, hardware: KeyHardware = .system) {
        self.store = store
        self.hardware = hardware
    }

    /// Returns the key for a sign-in: that of the store, or a new one that was written there.
    ///
    /// Of two processes that make one at the same time, the second writer takes over that of the first.
    ///
    /// - Throws: `AuthError`; `misconfigured` if there is no store, or this system makes no keys; `storageLocked` or `storage` if the
    ///   store or the Secure Enclave fails. The key counts as lost in neither case, and stays.
    func current() async throws(AuthError) -> DPoPKey {
        let key = try await required().update(.dpopKey) { [hardware] data throws(AuthError) -> DPoPKey in
            if let stored = data, let key = try DPoPKey(stored: stored, in: hardware), try isOfUse(key) { return key }
            let key = try DPoPKey.make(in: hardware)
            data = try key.stored
            return key
        }
        known.withLock { $0[key.thumbprint] = key }
        return key
    }

    /// Whether a stored key signs. One that the Secure Enclave has no more can be read in some cases, and not be used.
    private func isOfUse(_ key: DPoPKey) throws(AuthError) -> Bool {
        do throws(AuthError) { _ = try key.sign(Data(key.thumbprint.utf8)) } catch {
            guard error.classification.sessionEnd == .keyLost else { throw error }
            return false
        }
        return true
    }

    /// Returns the key that a session's tokens are bound to.
    ///
    /// - Throws: `AuthError`; `sessionExpired` that ends the session with ``SignOutReason/keyLost`` if the store has another key or
    ///   none, or the key is of no use any more; otherwise as ``current()``.
    func key(_ thumbprint: String) async throws(AuthError) -> DPoPKey {
        if let key = known.withLock({ $0[thumbprint] }) { return key }
        let record = try await required().read(.dpopKey)
        guard let data = record.data, let key = try DPoPKey(stored: data, in: hardware), key.thumbprint == thumbprint
        else { throw .keyLost }
        known.withLock { $0[thumbprint] = key }
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
