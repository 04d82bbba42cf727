#if !AUTH_DARWIN
    import Foundation
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// libcrypto called directly, with a key that is decoded once: the least that a verification costs.
    struct DirectCrypto: @unchecked Sendable {
        // The key is never changed, and libcrypto reads one from several threads.
        private let key: OpaquePointer
        private let newContext: @convention(c) () -> OpaquePointer?
        private let freeContext: @convention(c) (OpaquePointer?) -> Void
        private let digest: OpaquePointer?
        private let begin:
            @convention(c) (OpaquePointer, UnsafeMutableRawPointer?, OpaquePointer?, OpaquePointer?, OpaquePointer)
                -> Int32
        private let verify:
            @convention(c) (OpaquePointer, UnsafePointer<UInt8>, Int, UnsafePointer<UInt8>, Int) -> Int32

        /// - Parameter publicKey: DER of a SubjectPublicKeyInfo.
        /// - Throws: ``Unavailable`` without the library.
        init(publicKey: Data) throws {
            guard let library = dlopen("libcrypto.so.3", RTLD_NOW) ?? dlopen("libcrypto.so.1.1", RTLD_NOW) else {
                throw Unavailable(description: "This system has no libcrypto.")
            }
            func function<Function>(_ name: String) throws -> Function {
                guard let symbol = dlsym(library, name) else { throw Unavailable(description: "No \(name).") }
                return unsafeBitCast(symbol, to: Function.self)
            }
            newContext = try function("EVP_MD_CTX_new")
            freeContext = try function("EVP_MD_CTX_free")
            begin = try function("EVP_DigestVerifyInit")
            verify = try function("EVP_DigestVerify")
            let sha256: @convention(c) () -> OpaquePointer? = try function("EVP_sha256")
            digest = sha256()
            let decode:
                @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int)
                    -> OpaquePointer? = try function("d2i_PUBKEY")
            let key = [UInt8](publicKey).withUnsafeBufferPointer { bytes in
                var start = bytes.baseAddress
                return decode(nil, &start, bytes.count)
            }
            guard let key else { throw Mistake(description: "The key cannot be decoded.") }
            self.key = key
        }

        /// Returns whether the signature, RSA or ECDSA in DER, is valid.
        func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
            guard let context = newContext() else { return false }
            defer { freeContext(context) }
            return begin(context, nil, digest, nil, key) == 1
                && verify(context, signature, signature.count, message, message.count) == 1
        }
    }
#endif
