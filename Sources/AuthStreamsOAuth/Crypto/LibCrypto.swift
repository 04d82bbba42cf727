#if !AUTH_DARWIN
    import AuthStreams

    /// The functions of libcrypto that signatures need.
    struct LibCrypto: Sendable {
        /// `EVP_PKEY *`, `EVP_MD_CTX *`, `EVP_PKEY_CTX *`, `const EVP_MD *`.
        typealias Object = OpaquePointer
        typealias Bytes = UnsafePointer<UInt8>
        typealias New = @Sendable @convention(c) () -> Object?
        typealias Free = @Sendable @convention(c) (Object?) -> Void
        typealias DecodeKey = @Sendable @convention(c) (OpaquePointer?, UnsafeMutablePointer<Bytes?>, Int) -> Object?
        typealias EncodeKey =
            @Sendable @convention(c) (Object, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
        typealias Begin =
            @Sendable @convention(c) (
                _ context: Object, _ keyContext: UnsafeMutablePointer<Object?>, _ digest: Object?, _ engine: Object?,
                _ key: Object
            ) -> Int32
        typealias Verify = @Sendable @convention(c) (Object, Bytes?, Int, Bytes?, Int) -> Int32
        typealias Sign =
            @Sendable @convention(c) (
                Object, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>, Bytes?, Int
            ) -> Int32
        typealias Digest =
            @Sendable @convention(c) (
                _ bytes: Bytes?, _ count: Int, _ hash: UnsafeMutablePointer<UInt8>?,
                _ hashCount: UnsafeMutablePointer<UInt32>?, _ function: Object?, _ engine: Object?
            ) -> Int32
        typealias NewKeyContext = @Sendable @convention(c) (_ id: Int32, _ engine: Object?) -> Object?
        typealias BeginKey = @Sendable @convention(c) (Object) -> Int32
        typealias MakeKey = @Sendable @convention(c) (Object, UnsafeMutablePointer<Object?>) -> Int32
        typealias Control =
            @Sendable @convention(c) (Object, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32

        let decodePublicKey: DecodeKey
        let decodePrivateKey: DecodeKey
        let encodePublicKey: EncodeKey
        let encodePrivateKey: EncodeKey
        let newKeyContext: NewKeyContext
        let freeKeyContext: Free
        let beginKey: BeginKey
        let makeKey: MakeKey
        let freeKey: Free
        let newContext: New
        let freeContext: Free
        let sha256: New
        let sha384: New
        let sha512: New
        let digest: Digest
        let beginVerifying: Begin
        let verify: Verify
        let beginSigning: Begin
        let sign: Sign
        let control: Control
        let clearErrors: @Sendable @convention(c) () -> Void

        /// Those of the system's library; `nil` if there is none.
        static let shared = LibCryptoLibrary.shared.flatMap { Self($0) }

        /// - Returns: `nil` if a function is missing.
        private init?(_ library: LibCryptoLibrary) {
            guard let decodePublicKey: DecodeKey = library.function("d2i_PUBKEY"),
                let decodePrivateKey: DecodeKey = library.function("d2i_AutoPrivateKey"),
                let encodePublicKey: EncodeKey = library.function("i2d_PUBKEY"),
                let encodePrivateKey: EncodeKey = library.function("i2d_PrivateKey"),
                let newKeyContext: NewKeyContext = library.function("EVP_PKEY_CTX_new_id"),
                let freeKeyContext: Free = library.function("EVP_PKEY_CTX_free"),
                let beginKey: BeginKey = library.function("EVP_PKEY_keygen_init"),
                let makeKey: MakeKey = library.function("EVP_PKEY_keygen"),
                let freeKey: Free = library.function("EVP_PKEY_free"),
                let newContext: New = library.function("EVP_MD_CTX_new"),
                let freeContext: Free = library.function("EVP_MD_CTX_free"),
                let sha256: New = library.function("EVP_sha256"),
                let sha384: New = library.function("EVP_sha384"),
                let sha512: New = library.function("EVP_sha512"),
                let digest: Digest = library.function("EVP_Digest"),
                let beginVerifying: Begin = library.function("EVP_DigestVerifyInit"),
                let verify: Verify = library.function("EVP_DigestVerify"),
                let beginSigning: Begin = library.function("EVP_DigestSignInit"),
                let sign: Sign = library.function("EVP_DigestSign"),
                let control: Control = library.function("EVP_PKEY_CTX_ctrl_str"),
                let clearErrors = library.function("ERR_clear_error", as: (@Sendable @convention(c) () -> Void).self)
            else { return nil }
            self.decodePublicKey = decodePublicKey
            self.decodePrivateKey = decodePrivateKey
            self.encodePublicKey = encodePublicKey
            self.encodePrivateKey = encodePrivateKey
            self.newKeyContext = newKeyContext
            self.freeKeyContext = freeKeyContext
            self.beginKey = beginKey
            self.makeKey = makeKey
            self.freeKey = freeKey
            self.newContext = newContext
            self.freeContext = freeContext
            self.sha256 = sha256
            self.sha384 = sha384
            self.sha512 = sha512
            self.digest = digest
            self.beginVerifying = beginVerifying
            self.verify = verify
            self.beginSigning = beginSigning
            self.sign = sign
            self.control = control
            self.clearErrors = clearErrors
        }
    }
#endif
