import AuthStreams
import Foundation

#if AUTH_CRYPTOKIT
    import CryptoKit
    import Security
#endif

/// A key on P-256 that never leaves the hardware that made it. What is stored of it is of use on this device alone.
protocol HardwareKey: Sendable {
    var publicKey: PublicKey { get }
    var stored: Data { get }

    /// - Throws: `storageLocked` before the first unlock of the device; `sessionExpired` that ends the session with
    ///   ``SignOutReason/keyLost`` if the hardware has the key no more; `storage` if it fails otherwise.
    func sign(_ message: Data) throws(AuthError) -> Data
}

/// The hardware that keeps keys. Tests simulate it on systems without.
struct KeyHardware: Sendable {
    /// Makes a key; `nil` where there is no such hardware.
    let make: @Sendable () throws(AuthError) -> (any HardwareKey)?
    /// Reads a stored key; `nil` if this device's hardware did not make it, or was erased since.
    let read: @Sendable (Data) throws(AuthError) -> (any HardwareKey)?

    #if AUTH_CRYPTOKIT
        /// The Secure Enclave.
        static let system = KeyHardware(
            make: { () throws(AuthError) in try EnclaveKey.make() },
            read: { data throws(AuthError) in try EnclaveKey(stored: data) })
    #else
        /// None.
        static let system = KeyHardware(make: { nil }, read: { _ in nil })
    #endif
}

/// What an error of the Secure Enclave says about a key.
enum EnclaveFailure: Equatable {
    /// The data is no key of this Secure Enclave.
    case lost
    /// The device was not unlocked since it started.
    case locked
    /// Nothing: it may pass.
    case passing

    /// - Parameters:
    ///   - domain: The error's domain.
    ///   - code: The error's code: one of `TKError`, or a status of Security.
    init(domain: String, code: Int) {
        switch (domain, code) {
        // `corruptedData` and `objectNotFound`.
        case ("CryptoTokenKit", -3), ("CryptoTokenKit", -6): self = .lost
        // `errSecDecode`, `errSecParam` and `errSecItemNotFound`: what Security says of such data.
        case ("NSOSStatusErrorDomain", -26275), ("NSOSStatusErrorDomain", -50), ("NSOSStatusErrorDomain", -25300):
            self = .lost
        // `errSecInteractionNotAllowed`: keys are as readable as their access control says.
        case ("NSOSStatusErrorDomain", -25308): self = .locked
        default: self = .passing
        }
    }
}

#if AUTH_CRYPTOKIT
    /// A key in the Secure Enclave.
    struct EnclaveKey: HardwareKey {
        private let key: SecureEnclave.P256.Signing.PrivateKey

        /// Makes a key; `nil` where there is no Secure Enclave.
        ///
        /// - Throws: `storageLocked` or `storage` if it makes none.
        static func make() throws(AuthError) -> Self? {
            guard SecureEnclave.isAvailable else { return nil }
            // As the records of the keychain: a refresh signs also while the device is locked, from the first unlock on.
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil)
            guard let access else {
                throw AuthError(
                    .storage, "The Secure Enclave made no key, because the system made no rule for its use. Try again.")
            }
            do { return Self(key: try SecureEnclave.P256.Signing.PrivateKey(accessControl: access)) } catch {
                throw Self.error(Self.failure(error), error)
            }
        }

        private init(key: SecureEnclave.P256.Signing.PrivateKey) { self.key = key }

        /// Reads a stored key.
        ///
        /// - Returns: `nil` if this device's Secure Enclave did not make it, or was erased since.
        /// - Throws: `storageLocked` before the first unlock; `storage` if the Secure Enclave does not say what is wrong.
        init?(stored: Data) throws(AuthError) {
            guard SecureEnclave.isAvailable else { return nil }
            do { key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: stored) } catch {
                let failure = Self.failure(error)
                if failure == .lost { return nil }
                throw Self.error(failure, error)
            }
        }

        var stored: Data { key.dataRepresentation }

        var publicKey: PublicKey {
            let point = key.publicKey.rawRepresentation
            return .elliptic(.p256, x: Data(point.prefix(32)), y: Data(point.suffix(32)))
        }

        func sign(_ message: Data) throws(AuthError) -> Data {
            do { return try key.signature(for: message).rawRepresentation } catch {
                let failure = Self.failure(error)
                throw failure == .lost ? AuthError.keyLost : Self.error(failure, error)
            }
        }

        private static func failure(_ error: any Error) -> EnclaveFailure {
            if let error = error as? CryptoKitError {
                // Data of another form. The other cases say nothing about the data.
                return switch error {
                case .incorrectKeySize, .incorrectParameterSize: .lost
                default: .passing
                }
            }
            let error = error as NSError
            return EnclaveFailure(domain: error.domain, code: error.code)
        }

        private static func error(_ failure: EnclaveFailure, _ cause: any Error) -> AuthError {
            failure == .locked
                ? AuthError(
                    .storageLocked, "The Secure Enclave signs after the first unlock of the device. Try again then.",
                    cause: cause)
                : AuthError(.storage, "The Secure Enclave could not use the key. Try again.", cause: cause)
        }
    }
#endif
