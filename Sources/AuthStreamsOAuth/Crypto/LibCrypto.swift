#if !AUTH_DARWIN
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The required functions of OpenSSL's libcrypto, found at run time.
    ///
    /// FoundationNetworking has already loaded the library for TLS, so no package dependency is needed. The functions
    /// are the same in versions 1.1.1 and 3; none of them is variadic.
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
        typealias Control =
            @Sendable @convention(c) (Object, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32

        let decodePublicKey: DecodeKey
        let decodePrivateKey: DecodeKey
        let encodePublicKey: EncodeKey
        let freeKey: Free
        let newContext: New
        let freeContext: Free
        let sha256: New
        let beginVerifying: Begin
        let verify: Verify
        let beginSigning: Begin
        let sign: Sign
        let control: Control
        let clearErrors: @Sendable @convention(c) () -> Void

        /// The system's library; `nil` if there is none.
        static let shared: LibCrypto? = ["libcrypto.so.3", "libcrypto.so.1.1"].lazy.compactMap(LibCrypto.init).first

        /// Loads a library permanently; `nil` if it or a function is missing.
        init?(_ name: String) {
            guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
            func function<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
                dlsym(library, name).map { unsafeBitCast($0, to: type) }
            }
            guard let decodePublicKey: DecodeKey = function("d2i_PUBKEY"),
                let decodePrivateKey: DecodeKey = function("d2i_AutoPrivateKey"),
                let encodePublicKey: EncodeKey = function("i2d_PUBKEY"),
                let freeKey: Free = function("EVP_PKEY_free"),
                let newContext: New = function("EVP_MD_CTX_new"),
                let freeContext: Free = function("EVP_MD_CTX_free"),
                let sha256: New = function("EVP_sha256"),
                let beginVerifying: Begin = function("EVP_DigestVerifyInit"),
                let verify: Verify = function("EVP_DigestVerify"),
                let beginSigning: Begin = function("EVP_DigestSignInit"),
                let sign: Sign = function("EVP_DigestSign"),
                let control: Control = function("EVP_PKEY_CTX_ctrl_str"),
                let clearErrors = function("ERR_clear_error", as: (@Sendable @convention(c) () -> Void).self)
            else {
                dlclose(library)
                return nil
            }
            self.decodePublicKey = decodePublicKey
            self.decodePrivateKey = decodePrivateKey
            self.encodePublicKey = encodePublicKey
            self.freeKey = freeKey
            self.newContext = newContext
            self.freeContext = freeContext
            self.sha256 = sha256
            self.beginVerifying = beginVerifying
            self.verify = verify
            self.beginSigning = beginSigning
            self.sign = sign
            self.control = control
            self.clearErrors = clearErrors
        }
    }
#endif
