#if AUTH_CRYPTOKIT
    import AuthStreams
    import CryptoKit
    import Foundation
    import Security

    /// A key on P-256 in the Secure Enclave, which never leaves it. What is stored of it is of use on this device alone.
    struct EnclaveKey: Sendable {
        private let key: SecureEnclave.P256.Signing.PrivateKey

        /// Makes a key; `nil` where there is no Secure Enclave, or it makes none.
        static func make() -> Self? {
            guard SecureEnclave.isAvailable else { return nil }
            // As the records of the keychain: a refresh signs also while the device is locked, from the first unlock on.
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil)
            guard let access, let key = try? SecureEnclave.P256.Signing.PrivateKey(accessControl: access) else {
                return nil
            }
            return Self(key: key)
        }

        private init(key: SecureEnclave.P256.Signing.PrivateKey) { self.key = key }

        /// Reads a stored key.
        ///
        /// - Parameter isNeeded: Whether a failure that may pass is thrown; otherwise the key counts as lost then.
        /// - Returns: `nil` if this device's Secure Enclave did not make it, or was erased since.
        /// - Throws: `storageLocked` before the first unlock; `storage` if the Secure Enclave does not say what is wrong.
        init?(stored: Data, isNeeded: Bool) throws(AuthError) {
            guard SecureEnclave.isAvailable else { return nil }
            do { key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: stored) } catch {
                let failure = Self.failure(error)
                if Self.isLost(error) || !isNeeded && failure.code != .storageLocked { return nil }
                throw failure
            }
        }

        var stored: Data { key.dataRepresentation }

        var publicKey: PublicKey {
            let point = key.publicKey.rawRepresentation
            return .elliptic(.p256, x: Data(point.prefix(32)), y: Data(point.suffix(32)))
        }

        func sign(_ message: Data) throws(AuthError) -> Data {
            do { return try key.signature(for: message).rawRepresentation } catch { throw Self.failure(error) }
        }

        /// Whether the Secure Enclave says that the data is not a key of its own. Any other error may pass.
        private static func isLost(_ error: any Error) -> Bool {
            if let error = error as? CryptoKitError {
                if case .underlyingCoreCryptoError = error { return false }
                return true
            }
            let error = error as NSError
            // `TKError.corruptedData` and `objectNotFound`, and what Security says of such data.
            return error.domain == "CryptoTokenKit" && [-3, -6].contains(error.code)
                || error.domain == NSOSStatusErrorDomain
                    && [Int(errSecDecode), Int(errSecParam), Int(errSecItemNotFound)].contains(error.code)
        }

        private static func failure(_ error: any Error) -> AuthError {
            let foundation = error as NSError
            // Keys of the Secure Enclave are as readable as their access control says: after the first unlock.
            if foundation.domain == NSOSStatusErrorDomain, foundation.code == Int(errSecInteractionNotAllowed) {
                return AuthError(
                    .storageLocked, "The Secure Enclave signs after the first unlock of the device. Try again then.",
                    cause: error)
            }
            return AuthError(.storage, "The Secure Enclave could not use the key. Try again.", cause: error)
        }
    }
#endif
