import AuthStreams
import Foundation

/// A key that tokens are bound to (RFC 9449): a private key on P-256, in the Secure Enclave where there is one.
struct DPoPKey: Sendable {
    /// What signs.
    private enum Signer: Sendable {
        /// The key as DER.
        case software(Data)
        case secureEnclave(any HardwareKey)
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
    /// - Throws: `misconfigured` if this system makes no keys; `storageLocked` or `storage` if there is a Secure Enclave and it
    ///   makes none. A key outside it never takes the place of one in it.
    static func make(in hardware: KeyHardware = .system) throws(AuthError) -> Self {
        if let key = try hardware.make() { return Self(key.publicKey, .secureEnclave(key)) }
        do throws(SignatureError) {
            let key = try Signatures.makePrivateKey()
            return Self(try Signatures.publicKey(ofPrivateKey: key), .software(key))
        } catch { throw .noKeys }
    }

    /// Returns the signature of a message by ES256, in the form of a JWS (RFC 7518 section 3.4).
    ///
    /// - Throws: `storageLocked` if the Secure Enclave does not sign before the device was unlocked; `sessionExpired` that ends the
    ///   session with ``SignOutReason/keyLost`` if it has the key no more; `storage` if it fails otherwise.
    func sign(_ message: Data) throws(AuthError) -> Data {
        switch signer {
        case .software(let key):
            do throws(SignatureError) { return try Signatures.sign(message, algorithm: .es256, privateKey: key) } catch
            {
                throw .noKeys
            }
        case .secureEnclave(let key): return try key.sign(message)
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

    private struct NewerForm: Error {}
    /// The cause of the error for a record of a newer version of the library.
    static var newerForm: AuthError.Cause { AuthError.Cause(scrubbing: NewerForm()) }

    /// Reads a stored key.
    ///
    /// - Returns: `nil` for a key that is of no use any more: the record is damaged, or another device's Secure Enclave made it.
    /// - Throws: `storageLocked` before the device was unlocked; `storage` for a form of a newer version of the library, or if the
    ///   Secure Enclave fails; `misconfigured` if this system has no library for signatures.
    init?(stored: Data, in hardware: KeyHardware = .system) throws(AuthError) {
        let decoder = JSONDecoder()
        if let version = try? decoder.decode(Version.self, from: stored).version, version > Record.version {
            throw AuthError(
                .storage, "The key of the session was stored by a newer version (form \(version)). Update the app.",
                cause: NewerForm())
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
            guard let key = try hardware.read(record.key) else { return nil }
            self.init(key.publicKey, .secureEnclave(key))
        }
    }

    /// The key in its stored form.
    var stored: Data {
        get throws(AuthError) {
            let record =
                switch signer {
                case .software(let key): Record(kind: .software, key: key)
                case .secureEnclave(let key): Record(kind: .secureEnclave, key: key.stored)
                }
            do { return try JSONEncoder().encode(record) } catch {
                throw AuthError(.storage, "The key could not be encoded.", cause: error)
            }
        }
    }
}

extension DPoPKey: DescriptionOnly {
    /// The thumbprint, which is no secret, unlike the key.
    var description: String { "key \(thumbprint)" }
}

extension AuthError {
    /// The error of a session whose key is gone.
    static var keyLost: Self {
        AuthError(
            .sessionExpired,
            """
            The key that the session's tokens are bound to is gone, such as after the device was restored. Sign in again.
            """, endsSession: .keyLost)
    }

    /// The error of a system that makes no keys and no signatures.
    static var noKeys: Self {
        AuthError(.misconfigured, "This system makes no keys that tokens could be bound to. \(Signatures.keyAdvice)")
    }
}
