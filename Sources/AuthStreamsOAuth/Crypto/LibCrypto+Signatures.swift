#if !AUTH_DARWIN
    import Foundation

    extension LibCrypto: SignatureBackend {
        func key(_ key: PublicKey) throws(SignatureError) -> any BackendKey {
            LibCryptoKey(try readKey(key.subjectPublicKeyInfo, decodePublicKey), of: self)
        }

        fileprivate func verify(
            _ signature: Data, of message: Data, algorithm: JWSAlgorithm, key: Object
        ) throws(SignatureError) -> Bool {
            guard !signature.isEmpty else { return false }
            defer { clearErrors() }
            return try withContext(key, algorithm, beginVerifying) { context in
                signature.withBytes { signature, signatureCount in
                    message.withBytes { verify(context, signature, signatureCount, $0, $1) == 1 }
                }
            }
        }

        func privateKey(_ der: Data) throws(SignatureError) -> any BackendPrivateKey {
            LibCryptoKey(try readKey(der, decodePrivateKey), of: self)
        }

        fileprivate func sign(
            _ message: Data, algorithm: JWSAlgorithm, key: Object
        ) throws(SignatureError) -> Data {
            defer { clearErrors() }
            return try withContext(key, algorithm, beginSigning) { context throws(SignatureError) in
                // The first call returns the maximum size of a signature with this key.
                var count = 0
                guard message.withBytes({ sign(context, nil, &count, $0, $1) }) == 1 else { throw .failed }
                var signature = [UInt8](repeating: 0, count: count)
                guard message.withBytes({ sign(context, &signature, &count, $0, $1) }) == 1 else { throw .failed }
                return Data(signature.prefix(count))
            }
        }

        fileprivate func publicKey(of key: Object) throws(SignatureError) -> PublicKey {
            defer { clearErrors() }
            let info = try encoded(key, encodePublicKey)
            guard let key = PublicKey(subjectPublicKeyInfo: info) else { throw .invalidKey }
            return key
        }

        func makePrivateKey() throws(SignatureError) -> Data {
            defer { clearErrors() }
            // 408 is `EVP_PKEY_EC`.
            guard let context = newKeyContext(408, nil) else { throw .failed }
            defer { freeKeyContext(context) }
            var made: Object?
            guard beginKey(context) == 1, control(context, "ec_paramgen_curve", "P-256") == 1,
                control(context, "ec_param_enc", "named_curve") == 1, makeKey(context, &made) == 1, let made
            else { throw .failed }
            defer { freeKey(made) }
            return try encoded(made, encodePrivateKey)
        }

        /// Returns the DER of a key.
        private func encoded(_ key: Object, _ encode: EncodeKey) throws(SignatureError) -> Data {
            let count = encode(key, nil)
            guard count > 0 else { throw .invalidKey }
            var bytes = [UInt8](repeating: 0, count: Int(count))
            let written = bytes.withUnsafeMutableBufferPointer { buffer in
                // The function advances the pointer past the bytes that it wrote.
                var end = buffer.baseAddress
                return encode(key, &end)
            }
            guard written == count else { throw .invalidKey }
            return Data(bytes)
        }

        func hash(_ bytes: [UInt8], by algorithm: HashAlgorithm) -> [UInt8]? {
            defer { clearErrors() }
            // The longest hash, that of SHA-512, has 64 bytes.
            var hash = [UInt8](repeating: 0, count: 64)
            var count: UInt32 = 0
            guard digest(bytes, bytes.count, &hash, &count, hashFunction(algorithm), nil) == 1 else { return nil }
            return Array(hash.prefix(Int(count)))
        }

        /// Returns the `EVP_MD` of a hash function.
        private func hashFunction(_ hash: HashAlgorithm) -> Object? {
            switch hash {
            case .sha256: sha256()
            case .sha384: sha384()
            case .sha512: sha512()
            }
        }

        /// Decodes a key, which the caller frees. Bytes after the key's DER make it invalid.
        private func readKey(_ der: Data, _ decode: DecodeKey) throws(SignatureError) -> Object {
            // Errors stay in a queue of the thread, where the next TLS connection on it would read them as its own.
            defer { clearErrors() }
            guard !der.isEmpty else { throw .invalidKey }
            let (key, isWhole) = der.withBytes { bytes, count in
                var end = bytes
                let key = decode(nil, &end, count)
                return (key, end == bytes.map { $0 + count })
            }
            guard let key else { throw .invalidKey }
            guard isWhole else {
                freeKey(key)
                throw .invalidKey
            }
            return key
        }

        /// Makes a context that signs or verifies with the key, for the duration of the call.
        private func withContext<Result>(
            _ key: Object, _ algorithm: JWSAlgorithm, _ begin: Begin,
            _ body: (Object) throws(SignatureError) -> Result
        ) throws(SignatureError) -> Result {
            guard let context = newContext() else { throw .failed }
            defer { freeContext(context) }
            // Owned by the context.
            var keyContext: Object?
            // Ed25519 hashes the message itself, and libcrypto accepts no hash function beside it.
            let function = algorithm == .edDSA ? nil : hashFunction(algorithm.hash)
            guard begin(context, &keyContext, function, nil, key) == 1, let keyContext else { throw .keyDoesNotFit }
            if algorithm.isPSS {
                // RFC 7518 section 3.5 fixes the parameters: the salt is as long as the hash, whose function MGF1 uses.
                let name =
                    switch algorithm.hash {
                    case .sha256: "SHA256"
                    case .sha384: "SHA384"
                    case .sha512: "SHA512"
                    }
                let options = [("rsa_padding_mode", "pss"), ("rsa_pss_saltlen", "digest"), ("rsa_mgf1_md", name)]
                for (name, value) in options where control(keyContext, name, value) != 1 { throw .keyDoesNotFit }
            }
            return try body(context)
        }
    }

    /// An `EVP_PKEY`, freed with the last reference.
    ///
    /// It is never changed after it was read, and libcrypto uses one key on several threads at once.
    private final class LibCryptoKey: BackendKey, BackendPrivateKey, @unchecked Sendable {
        private let key: LibCrypto.Object
        private let library: LibCrypto

        init(_ key: LibCrypto.Object, of library: LibCrypto) {
            self.key = key
            self.library = library
        }

        deinit { library.freeKey(key) }

        func verify(_ signature: Data, of message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Bool {
            try library.verify(signature, of: message, algorithm: algorithm, key: key)
        }

        func publicKey() throws(SignatureError) -> PublicKey { try library.publicKey(of: key) }

        func sign(_ message: Data, algorithm: JWSAlgorithm) throws(SignatureError) -> Data {
            try library.sign(message, algorithm: algorithm, key: key)
        }
    }

    extension Data {
        fileprivate func withBytes<Result>(_ body: (LibCrypto.Bytes?, Int) -> Result) -> Result {
            withUnsafeBytes { body($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        }
    }
#endif
