public import Foundation
public import Security

// Not confirmed: everything but hash(data:), P256.Signing.PublicKey and isValidSignature(_:for:).

/// developer.apple.com/documentation/cryptokit/digest
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public protocol Digest: Hashable, ContiguousBytes, Sendable, Sequence where Element == UInt8 {
    static var byteCount: Int { get }
}

/// developer.apple.com/documentation/cryptokit/hashfunction
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    init()
    func finalize() -> Self.Digest
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension HashFunction {
    /// developer.apple.com/documentation/cryptokit/hashfunction/hash(data:)
    public static func hash<D: DataProtocol>(data: D) -> Self.Digest { fatalError() }
}

/// developer.apple.com/documentation/cryptokit/sha256digest
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct SHA256Digest: Digest {
    public static var byteCount: Int { 32 }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}

/// developer.apple.com/documentation/cryptokit/sha256
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct SHA256: HashFunction {
    public typealias Digest = SHA256Digest
    public init() {}
    public func finalize() -> SHA256Digest { fatalError() }
}

/// developer.apple.com/documentation/cryptokit/sha384digest
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct SHA384Digest: Digest {
    public static var byteCount: Int { 48 }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}

/// developer.apple.com/documentation/cryptokit/sha384
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct SHA384: HashFunction {
    public typealias Digest = SHA384Digest
    public init() {}
    public func finalize() -> SHA384Digest { fatalError() }
}

/// developer.apple.com/documentation/cryptokit/sha512digest
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct SHA512Digest: Digest {
    public static var byteCount: Int { 64 }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}

/// developer.apple.com/documentation/cryptokit/sha512
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct SHA512: HashFunction {
    public typealias Digest = SHA512Digest
    public init() {}
    public func finalize() -> SHA512Digest { fatalError() }
}

/// developer.apple.com/documentation/cryptokit/symmetrickey
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct SymmetricKey: ContiguousBytes, Sendable {
    public init<D: ContiguousBytes>(data: D) { fatalError() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}

/// developer.apple.com/documentation/cryptokit/hashedauthenticationcode
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct HashedAuthenticationCode<H: HashFunction>: ContiguousBytes, Sendable {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}

/// developer.apple.com/documentation/cryptokit/hmac
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct HMAC<H: HashFunction> {
    public static func authenticationCode<D: DataProtocol>(
        for data: D, using key: SymmetricKey
    ) -> HashedAuthenticationCode<H> { fatalError() }

    public static func isValidAuthenticationCode<C: ContiguousBytes, D: DataProtocol>(
        _ authenticationCode: C, authenticating authenticatedData: D, using key: SymmetricKey
    ) -> Bool { fatalError() }
}

/// developer.apple.com/documentation/cryptokit/p256
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum P256: Sendable {
    public enum Signing: Sendable {
        /// developer.apple.com/documentation/cryptokit/p256/signing/ecdsasignature
        public struct ECDSASignature: ContiguousBytes, Sendable {
            public init<D: DataProtocol>(rawRepresentation: D) throws { fatalError() }
            public init<D: DataProtocol>(derRepresentation: D) throws { fatalError() }
            public var rawRepresentation: Data { fatalError() }
            public var derRepresentation: Data { fatalError() }
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
        }

        /// developer.apple.com/documentation/cryptokit/p256/signing/publickey
        public struct PublicKey: Sendable {
            public init<D: ContiguousBytes>(rawRepresentation: D) throws { fatalError() }
            public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws { fatalError() }
            public var rawRepresentation: Data { fatalError() }

            /// developer.apple.com/documentation/cryptokit/p256/signing/publickey/isvalidsignature(_:for:)-3da2m
            public func isValidSignature<D: DataProtocol>(
                _ signature: P256.Signing.ECDSASignature, for data: D
            ) -> Bool { fatalError() }
        }

        /// developer.apple.com/documentation/cryptokit/p256/signing/privatekey
        public struct PrivateKey: Sendable {
            /// developer.apple.com/documentation/cryptokit/p256/signing/privatekey/init(derrepresentation:)
            @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
            public init<Bytes: RandomAccessCollection>(derRepresentation: Bytes) throws where Bytes.Element == UInt8 {
                fatalError()
            }

            /// developer.apple.com/documentation/cryptokit/p256/signing/privatekey/init(compactrepresentable:)
            public init(compactRepresentable: Bool = true) { fatalError() }

            @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
            public var derRepresentation: Data { fatalError() }
            public var publicKey: P256.Signing.PublicKey { fatalError() }

            /// developer.apple.com/documentation/cryptokit/p256/signing/privatekey/signature(for:)-6uqvq
            public func signature<D: DataProtocol>(for data: D) throws -> P256.Signing.ECDSASignature { fatalError() }
        }
    }
}

/// developer.apple.com/documentation/cryptokit/p384
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum P384: Sendable {
    public enum Signing: Sendable {
        /// developer.apple.com/documentation/cryptokit/p384/signing/ecdsasignature
        public struct ECDSASignature: ContiguousBytes, Sendable {
            public init<D: DataProtocol>(rawRepresentation: D) throws { fatalError() }
            public init<D: DataProtocol>(derRepresentation: D) throws { fatalError() }
            public var derRepresentation: Data { fatalError() }
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
        }

        /// developer.apple.com/documentation/cryptokit/p384/signing/publickey
        public struct PublicKey: Sendable {
            public init<D: ContiguousBytes>(rawRepresentation: D) throws { fatalError() }
            public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws { fatalError() }
            public var rawRepresentation: Data { fatalError() }

            /// developer.apple.com/documentation/cryptokit/p384/signing/publickey/isvalidsignature(_:for:)
            public func isValidSignature<D: DataProtocol>(
                _ signature: P384.Signing.ECDSASignature, for data: D
            ) -> Bool { fatalError() }
        }

        /// developer.apple.com/documentation/cryptokit/p384/signing/privatekey
        public struct PrivateKey: Sendable {
            /// developer.apple.com/documentation/cryptokit/p384/signing/privatekey/init(derrepresentation:)
            @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
            public init<Bytes: RandomAccessCollection>(derRepresentation: Bytes) throws where Bytes.Element == UInt8 {
                fatalError()
            }

            public var publicKey: P384.Signing.PublicKey { fatalError() }

            /// developer.apple.com/documentation/cryptokit/p384/signing/privatekey/signature(for:)
            public func signature<D: DataProtocol>(for data: D) throws -> P384.Signing.ECDSASignature { fatalError() }
        }
    }
}

/// developer.apple.com/documentation/cryptokit/p521
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum P521: Sendable {
    public enum Signing: Sendable {
        /// developer.apple.com/documentation/cryptokit/p521/signing/ecdsasignature
        public struct ECDSASignature: ContiguousBytes, Sendable {
            public init<D: DataProtocol>(rawRepresentation: D) throws { fatalError() }
            public init<D: DataProtocol>(derRepresentation: D) throws { fatalError() }
            public var derRepresentation: Data { fatalError() }
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
        }

        /// developer.apple.com/documentation/cryptokit/p521/signing/publickey
        public struct PublicKey: Sendable {
            public init<D: ContiguousBytes>(rawRepresentation: D) throws { fatalError() }
            public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws { fatalError() }
            public var rawRepresentation: Data { fatalError() }

            /// developer.apple.com/documentation/cryptokit/p521/signing/publickey/isvalidsignature(_:for:)
            public func isValidSignature<D: DataProtocol>(
                _ signature: P521.Signing.ECDSASignature, for data: D
            ) -> Bool { fatalError() }
        }

        /// developer.apple.com/documentation/cryptokit/p521/signing/privatekey
        public struct PrivateKey: Sendable {
            /// developer.apple.com/documentation/cryptokit/p521/signing/privatekey/init(derrepresentation:)
            @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
            public init<Bytes: RandomAccessCollection>(derRepresentation: Bytes) throws where Bytes.Element == UInt8 {
                fatalError()
            }

            public var publicKey: P521.Signing.PublicKey { fatalError() }

            /// developer.apple.com/documentation/cryptokit/p521/signing/privatekey/signature(for:)
            public func signature<D: DataProtocol>(for data: D) throws -> P521.Signing.ECDSASignature { fatalError() }
        }
    }
}

/// developer.apple.com/documentation/cryptokit/curve25519
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum Curve25519: Sendable {
    public enum Signing: Sendable {
        /// developer.apple.com/documentation/cryptokit/curve25519/signing/publickey
        public struct PublicKey: Sendable {
            public init<D: ContiguousBytes>(rawRepresentation: D) throws { fatalError() }
            public var rawRepresentation: Data { fatalError() }

            /// developer.apple.com/documentation/cryptokit/curve25519/signing/publickey/isvalidsignature(_:for:)
            public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
                fatalError()
            }
        }

        /// developer.apple.com/documentation/cryptokit/curve25519/signing/privatekey
        public struct PrivateKey: Sendable {
            public init<D: ContiguousBytes>(rawRepresentation: D) throws { fatalError() }
            public var publicKey: Curve25519.Signing.PublicKey { fatalError() }

            /// developer.apple.com/documentation/cryptokit/curve25519/signing/privatekey/signature(for:)
            public func signature<D: DataProtocol>(for data: D) throws -> Data { fatalError() }
        }
    }
}

/// developer.apple.com/documentation/cryptokit/cryptokiterror
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum CryptoKitError: Error {
    case incorrectKeySize
    case incorrectParameterSize
    case authenticationFailure
    case underlyingCoreCryptoError(error: Int32)
    case wrapFailure
    case unwrapFailure
    case invalidParameter
}

/// developer.apple.com/documentation/cryptokit/secureenclave
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum SecureEnclave: Sendable {
    /// developer.apple.com/documentation/cryptokit/secureenclave/isavailable
    public static var isAvailable: Bool { fatalError() }

    public enum P256: Sendable {
        public enum Signing: Sendable {
            /// developer.apple.com/documentation/cryptokit/secureenclave/p256/signing/privatekey
            public struct PrivateKey: Sendable {
                /// Not confirmed: the last argument, which has a default value, is an `LAContext?` there.
                public init(compactRepresentable: Bool = true, accessControl: SecAccessControl) throws { fatalError() }
                public init(dataRepresentation: Data) throws { fatalError() }
                public var publicKey: CryptoKit.P256.Signing.PublicKey { fatalError() }
                public var dataRepresentation: Data { fatalError() }
                public func signature<D: DataProtocol>(for data: D) throws -> CryptoKit.P256.Signing.ECDSASignature {
                    fatalError()
                }
            }
        }
    }
}
