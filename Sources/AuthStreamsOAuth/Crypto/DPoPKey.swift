import AuthStreams
import Foundation

/// A key that tokens are bound to (RFC 9449): a private key on P-256, in the Secure Enclave where there is one.
struct DPoPKey: Sendable {
    /// What signs.
    private enum Signer: Sendable {
        /// The key as DER.
        case software(Data)
        #if AUTH_CRYPTOKIT
            case secureEnclave(EnclaveKey)
        #endif
    }

    /// The public half.
    let publicKey: PublicKey
    /// The thumbprint of the public half (RFC 7638).
    let thumbprint: String
    private let signer: Signer

    private init(_ publicKey: PublicKey, _ signer: Signer) {
        self.publicKey = publicKey
        self.signer = signer
        thumbprint = publicKey.thumbprint
    }

    /// Makes a new key.
    ///
    /// - Throws: `misconfigured` if this system makes no keys.
    static func make() throws(AuthError) -> Self {
        #if AUTH_CRYPTOKIT
            if let key = EnclaveKey.make() { return Self(key.publicKey, .secureEnclave(key)) }
        #endif
        do throws(SignatureError) {
            let key = try Signatures.makePrivateKey()
            return Self(try Signatures.publicKey(ofPrivateKey: key), .software(key))
        } catch { throw .noKeys }
    }

    /// Returns the signature of a message by ES256, in the form of a JWS (RFC 7518 section 3.4).
    ///
    /// - Throws: `storageLocked` if the Secure Enclave does not sign before the device was unlocked; `storage` if it refuses.
    func sign(_ message: Data) throws(AuthError) -> Data {
        switch signer {
        case .software(let key):
            do throws(SignatureError) { return try Signatures.sign(message, algorithm: .es256, privateKey: key) } catch
            {
                throw .noKeys
            }
        #if AUTH_CRYPTOKIT
            case .secureEnclave(let key): return try key.sign(message)
        #endif
        }
    }
}

extension DPoPKey {
    /// The stored form.
    private struct Record: Codable {
        static let version = 1

        enum Kind: String, Codable {
            /// `key` is the private key as DER.
            case software
            /// `key` is what the Secure Enclave returned. It is of use on this device alone.
            case secureEnclave
        }

        var version = Self.version
        let kind: Kind
        let key: Data
    }

    private struct Version: Codable { let version: Int }

    /// Reads a stored key.
    ///
    /// - Parameters:
    ///   - stored: The stored form.
    ///   - isNeeded: Whether no other key will do. At a sign-in one will, so that a Secure Enclave that fails with the stored one
    ///     does not prevent it.
    /// - Returns: `nil` for a key that is of no use any more: the record is damaged, or another device's Secure Enclave made it.
    /// - Throws: `storageLocked` before the device was unlocked; `storage` for a form of a newer version of the library, or if the
    ///   Secure Enclave fails; `misconfigured` if this system has no library for signatures.
    init?(stored: Data, isNeeded: Bool) throws(AuthError) {
        let decoder = JSONDecoder()
        if let version = try? decoder.decode(Version.self, from: stored).version, version > Record.version {
            throw AuthError(
                .storage, "The key of the session was stored by a newer version (form \(version)). Update the app.")
        }
        guard let record = try? decoder.decode(Record.self, from: stored), record.version == Record.version else {
            return nil
        }
        switch record.kind {
        case .software:
            guard Signatures.isAvailable else { throw .noKeys }
            guard let key = try? Signatures.publicKey(ofPrivateKey: record.key), key.fits(.es256) else { return nil }
            self.init(key, .software(record.key))
        case .secureEnclave:
            #if AUTH_CRYPTOKIT
                guard let key = try EnclaveKey(stored: record.key, isNeeded: isNeeded) else { return nil }
                self.init(key.publicKey, .secureEnclave(key))
            #else
                return nil
            #endif
        }
    }

    /// The key in its stored form.
    var stored: Data {
        get throws(AuthError) {
            let record =
                switch signer {
                case .software(let key): Record(kind: .software, key: key)
                #if AUTH_CRYPTOKIT
                    case .secureEnclave(let key): Record(kind: .secureEnclave, key: key.stored)
                #endif
                }
            do { return try JSONEncoder().encode(record) } catch {
                throw AuthError(.storage, "The key could not be encoded.", cause: error)
            }
        }
    }
}

extension DPoPKey: CustomStringConvertible, CustomReflectable {
    /// The thumbprint, which is no secret.
    var description: String { "key \(thumbprint)" }
    /// A mirror without children, because the key is secret.
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension AuthError {
    /// The error of a system that makes no keys and no signatures.
    static var noKeys: Self {
        AuthError(.misconfigured, "This system makes no keys that tokens could be bound to. \(Signatures.keyAdvice)")
    }
}
