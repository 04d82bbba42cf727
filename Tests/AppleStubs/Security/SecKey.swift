public import Foundation

/// developer.apple.com/documentation/security/seckey
@available(macOS 10.6, iOS 2.0, tvOS 9.0, watchOS 2.0, *)
public final class SecKey {
    /// The external representation of the key.
    let data: Data
    let isPublic: Bool

    init(_ data: Data, isPublic: Bool) {
        self.data = data
        self.isPublic = isPublic
    }
}

/// developer.apple.com/documentation/security/seckeyalgorithm. Not confirmed: the strings.
@available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, *)
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    public var rawValue: CFString
    public init(rawValue: CFString) { self.rawValue = rawValue }

    public static let rsaSignatureMessagePKCS1v15SHA256 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA256")
    public static let rsaSignatureMessagePKCS1v15SHA384 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA384")
    public static let rsaSignatureMessagePKCS1v15SHA512 = Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA512")
    public static let rsaSignatureMessagePSSSHA256 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA256:SHA256:32")
    public static let rsaSignatureMessagePSSSHA384 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA384:SHA384:48")
    public static let rsaSignatureMessagePSSSHA512 = Self(rawValue: "algid:sign:RSA:message-PSS:SHA512:SHA512:64")
    public static let ecdsaSignatureMessageX962SHA256 = Self(rawValue: "algid:sign:ECDSA:message-X962:SHA256")
}

/// developer.apple.com/documentation/security/seckeycreatewithdata(_:_:_:)
@available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, *)
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    let type = attributes[kSecAttrKeyType] as? String
    let keyClass = attributes[kSecAttrKeyClass] as? String
    let isReadable = type == kSecAttrKeyTypeRSA ? isPKCS1(keyData) : keyData.first == 4
    guard keyClass == kSecAttrKeyClassPublic || keyClass == kSecAttrKeyClassPrivate, isReadable else {
        error?.pointee = .passRetained(NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam)))
        return nil
    }
    return SecKey(keyData, isPublic: keyClass == kSecAttrKeyClassPublic)
}

/// developer.apple.com/documentation/security/seckeycopypublickey(_:)
///
/// The stub knows the public half of an RSA key alone.
@available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, *)
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    if key.isPublic { return key }
    return publicHalf(ofPKCS1: [UInt8](key.data)).map { SecKey($0, isPublic: true) }
}

/// developer.apple.com/documentation/security/seckeycopyexternalrepresentation(_:_:)
@available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, *)
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { key.data }

/// developer.apple.com/documentation/security/seckeycreatesignature(_:_:_:_:)
@available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, *)
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    if !key.isPublic, let signature = AppleDevice.makesSignatures(key.data, algorithm, dataToSign) { return signature }
    error?.pointee = .passRetained(NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam)))
    return nil
}

/// developer.apple.com/documentation/security/seckeyverifysignature(_:_:_:_:_:)
@available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, *)
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    if AppleDevice.verifiesSignatures(key.data, algorithm, signedData, signature) { return true }
    error?.pointee = .passRetained(NSError(domain: NSOSStatusErrorDomain, code: Int(errSecVerifyFailed)))
    return false
}

/// Whether the data is a DER sequence that begins with an integer, as `RSAPublicKey` of PKCS #1 is. A
/// `SubjectPublicKeyInfo` begins with a sequence.
private func isPKCS1(_ data: Data) -> Bool {
    let bytes = [UInt8](data)
    guard bytes.count > 2, bytes[0] == 0x30 else { return false }
    let content = bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7F)
    return bytes.count > content && bytes[content] == 0x02
}

/// Returns the `RSAPublicKey` of an `RSAPrivateKey`: its second and third number, after the version.
private func publicHalf(ofPKCS1 bytes: [UInt8]) -> Data? {
    /// Where the content of the element at an index begins and ends.
    func content(at index: Int) -> Range<Int>? {
        guard index + 1 < bytes.count else { return nil }
        let count = bytes[index + 1] < 0x80 ? 0 : Int(bytes[index + 1] & 0x7F)
        let start = index + 2 + count
        guard start <= bytes.count else { return nil }
        let length = count == 0 ? Int(bytes[index + 1]) : bytes[index + 2..<start].reduce(0) { $0 << 8 | Int($1) }
        return start + length <= bytes.count ? start..<start + length : nil
    }
    guard let sequence = content(at: 0), let version = content(at: sequence.lowerBound),
        let modulus = content(at: version.upperBound), let exponent = content(at: modulus.upperBound)
    else { return nil }
    let numbers = bytes[version.upperBound..<exponent.upperBound]
    return Data([0x30, 0x82, UInt8(numbers.count >> 8), UInt8(numbers.count & 0xFF)] + numbers)
}

extension AppleDevice {
    public typealias SignatureVerifier =
        @Sendable (
            _ key: Data, _ algorithm: SecKeyAlgorithm, _ signedData: Data, _ signature: Data
        ) -> Bool

    private static let verifier: Locked<SignatureVerifier> = {
        let verifier = Locked<SignatureVerifier> { _, _, _, _ in false }
        onReset { verifier.withLock { $0 = { _, _, _, _ in false } } }
        return verifier
    }()

    public typealias Signer = @Sendable (_ key: Data, _ algorithm: SecKeyAlgorithm, _ dataToSign: Data) -> Data?

    private static let signer: Locked<Signer> = {
        let signer = Locked<Signer> { _, _, _ in nil }
        onReset { signer.withLock { $0 = { _, _, _ in nil } } }
        return signer
    }()

    /// What signs. Without one, signing fails: the stub computes nothing.
    public static var makesSignatures: Signer {
        get { signer.withLock { $0 } }
        set { signer.withLock { $0 = newValue } }
    }

    /// What decides whether a signature is good. Without one, none is: the stub computes nothing.
    public static var verifiesSignatures: SignatureVerifier {
        get { verifier.withLock { $0 } }
        set { verifier.withLock { $0 = newValue } }
    }
}
