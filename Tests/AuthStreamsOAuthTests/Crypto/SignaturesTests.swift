import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

@Suite(.enabled(if: Signatures.isAvailable)) struct SignaturesTests {
    private typealias Samples = SignatureSamples

    private func rsaKey() throws -> PublicKey {
        try #require(PublicKey(subjectPublicKeyInfo: Samples.rsaPublicKey))
    }

    private func ed25519Key() throws -> PublicKey {
        try #require(PublicKey(subjectPublicKeyInfo: Samples.ed25519PublicKey))
    }

    private func ellipticKey(_ curve: EllipticCurve = .p256) throws -> PublicKey {
        let info =
            switch curve {
            case .p256: Samples.ellipticPublicKey
            case .p384: Samples.p384PublicKey
            case .p521: Samples.p521PublicKey
            }
        return try #require(PublicKey(subjectPublicKeyInfo: info))
    }

    private func rawSignature(_ der: Data, _ curve: EllipticCurve) throws -> Data {
        try #require(ECDSASignature(der: der, on: curve)).raw
    }

    /// The length of a signature in a JWS.
    private func signatureCount(_ algorithm: JWSAlgorithm) -> Int {
        switch algorithm.keyKind {
        case .rsa: 256
        case .elliptic(.p256): 64
        case .elliptic(.p384): 96
        case .elliptic(.p521): 132
        case .ed25519: 64
        }
    }

    /// A key, and the signature of ``SignatureSamples/message`` with it, made elsewhere.
    private func sample(_ algorithm: JWSAlgorithm) throws -> (key: PublicKey, privateKey: Data, signature: Data) {
        switch algorithm {
        case .rs256: (try rsaKey(), Samples.rsaPrivateKey, Samples.rs256)
        case .rs384: (try rsaKey(), Samples.rsaPrivateKey, Samples.rs384)
        case .rs512: (try rsaKey(), Samples.rsaPrivateKey, Samples.rs512)
        case .ps256: (try rsaKey(), Samples.rsaPrivateKey, Samples.ps256)
        case .ps384: (try rsaKey(), Samples.rsaPrivateKey, Samples.ps384)
        case .ps512: (try rsaKey(), Samples.rsaPrivateKey, Samples.ps512)
        case .es256:
            (try ellipticKey(), Samples.ellipticPrivateKey, try rawSignature(Samples.ellipticDER, .p256))
        case .es384:
            (try ellipticKey(.p384), Samples.p384PrivateKey, try rawSignature(Samples.es384DER, .p384))
        case .es512:
            (try ellipticKey(.p521), Samples.p521PrivateKey, try rawSignature(Samples.es512DER, .p521))
        case .edDSA: (try ed25519Key(), Samples.ed25519PrivateKey, Samples.edDSA)
        }
    }

    @Test(arguments: JWSAlgorithm.allCases) func signatureMadeElsewhereIsRight(algorithm: JWSAlgorithm) throws {
        let (key, _, signature) = try sample(algorithm)
        #expect(try Signatures.verify(signature, of: Samples.message, algorithm: algorithm, key: key))
        #expect(try !Signatures.verify(signature, of: Data("other".utf8), algorithm: algorithm, key: key))
    }

    @Test(arguments: JWSAlgorithm.allCases) func oneWrongBitMakesASignatureWrong(algorithm: JWSAlgorithm) throws {
        let (key, _, signature) = try sample(algorithm)
        for bit in stride(from: 0, to: signature.count * 8, by: 13) {
            var wrong = signature
            wrong[bit / 8] ^= 1 << (bit % 8)
            #expect(
                try !Signatures.verify(wrong, of: Samples.message, algorithm: algorithm, key: key), "bit \(bit)")
        }
        for bit in 0..<Samples.message.count * 8 {
            var wrong = Samples.message
            wrong[bit / 8] ^= 1 << (bit % 8)
            #expect(try !Signatures.verify(signature, of: wrong, algorithm: algorithm, key: key), "bit \(bit)")
        }
    }

    @Test(arguments: JWSAlgorithm.allCases) func signatureOfAnotherLengthIsWrong(algorithm: JWSAlgorithm) throws {
        let (key, _, signature) = try sample(algorithm)
        let wrong = [Data(), signature.dropLast(), signature.dropFirst(), signature + [0], [0] + signature]
        for wrong in wrong {
            #expect(try !Signatures.verify(wrong, of: Samples.message, algorithm: algorithm, key: key))
        }
    }

    @Test(arguments: JWSAlgorithm.allCases) func whatIsSignedHereVerifies(algorithm: JWSAlgorithm) throws {
        let (key, privateKey, _) = try sample(algorithm)
        // ECDSA draws a number for each signature; now and then one is short and its DER is too. On P-521 half are.
        for round in 0..<(algorithm == .es256 || algorithm == .es384 ? 300 : 10) {
            let message = Data("message \(round)".utf8)
            let signature = try Signatures.sign(message, algorithm: algorithm, privateKey: privateKey)
            #expect(signature.count == signatureCount(algorithm))
            #expect(try Signatures.verify(signature, of: message, algorithm: algorithm, key: key))
        }
        let empty = try Signatures.sign(Data(), algorithm: algorithm, privateKey: privateKey)
        #expect(try Signatures.verify(empty, of: Data(), algorithm: algorithm, key: key))
    }

    /// RFC 7518 section 3.5.
    @Test(
        arguments: [
            (
                .ps256,
                [
                    SignatureSamples.pssWithShortSalt, SignatureSamples.pssWithLongestSalt,
                    SignatureSamples.pssWithOtherMask,
                ]
            ),
            (.ps384, [SignatureSamples.ps384WithShortSalt, SignatureSamples.ps384WithOtherMask]),
            (.ps512, [SignatureSamples.ps512WithShortSalt, SignatureSamples.ps512WithOtherMask]),
        ] as [(JWSAlgorithm, [Data])])
    func saltAndMaskAreThoseOfTheAlgorithm(algorithm: JWSAlgorithm, wrong: [Data]) throws {
        for signature in wrong {
            #expect(try !Signatures.verify(signature, of: Samples.message, algorithm: algorithm, key: rsaKey()))
        }
    }

    /// An RSA key serves six algorithms, and a signature by one of them is none by another.
    @Test(arguments: [JWSAlgorithm.rs256, .rs384, .rs512, .ps256, .ps384, .ps512])
    func signatureByAnotherAlgorithmIsWrong(algorithm: JWSAlgorithm) throws {
        let (key, _, signature) = try sample(algorithm)
        for other in [JWSAlgorithm.rs256, .rs384, .rs512, .ps256, .ps384, .ps512] where other != algorithm {
            #expect(try !Signatures.verify(signature, of: Samples.message, algorithm: other, key: key))
        }
    }

    @Test func hashOfAnEllipticSignatureIsThatOfTheAlgorithm() throws {
        let signature = try rawSignature(Samples.p384WithOtherHashDER, .p384)
        #expect(
            try !Signatures.verify(signature, of: Samples.message, algorithm: .es384, key: ellipticKey(.p384)))
    }

    @Test func ellipticSignatureInDERIsNotAJWSSignature() throws {
        for (der, algorithm, curve) in [
            (Samples.ellipticDER, .es256, .p256), (Samples.es384DER, .es384, .p384), (Samples.es512DER, .es512, .p521),
        ] as [(Data, JWSAlgorithm, EllipticCurve)] {
            #expect(try !Signatures.verify(der, of: Samples.message, algorithm: algorithm, key: ellipticKey(curve)))
        }
    }

    /// RFC 7518 section 3.4 gives each algorithm of ECDSA one curve.
    @Test(
        arguments: [
            (SignatureSamples.rsaPrivateKey, [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]),
            (SignatureSamples.ellipticPrivateKey, [.es256]), (SignatureSamples.p384PrivateKey, [.es384]),
            (SignatureSamples.p521PrivateKey, [.es512]), (SignatureSamples.ed25519PrivateKey, [.edDSA]),
        ] as [(Data, [JWSAlgorithm])])
    func keyMustFitTheAlgorithm(privateKey: Data, algorithms: [JWSAlgorithm]) throws {
        let key = try Signatures.publicKey(ofPrivateKey: privateKey)
        for algorithm in JWSAlgorithm.allCases where !algorithms.contains(algorithm) {
            #expect(throws: SignatureError.keyDoesNotFit) {
                try Signatures.verify(sample(algorithm).signature, of: Samples.message, algorithm: algorithm, key: key)
            }
            #expect(throws: SignatureError.keyDoesNotFit) {
                try Signatures.sign(Data(), algorithm: algorithm, privateKey: privateKey)
            }
        }
    }

    /// The examples of FIPS 180-4.
    @Test func hashesAreThoseOfTheStandard() {
        let expected: [(HashAlgorithm, String)] = [
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha384,
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
            ),
            (
                .sha512,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ]
        for (algorithm, hash) in expected { #expect(algorithm.hash("abc".utf8).map { SHA256.hex($0) } == hash) }
    }

    @Test func weakKeysAreRefused() throws {
        let key = try #require(PublicKey(subjectPublicKeyInfo: Samples.weakPublicKey))
        #expect(throws: SignatureError.weakKey) {
            try Signatures.verify(Samples.rs256, of: Samples.message, algorithm: .rs256, key: key)
        }
        #expect(throws: SignatureError.weakKey) {
            try Signatures.sign(Data(), algorithm: .rs256, privateKey: Samples.weakPrivateKey)
        }
        // Zeros in front make no key stronger.
        guard case .rsa(let modulus, let exponent) = key else { return }
        #expect(throws: SignatureError.weakKey) {
            try PublicKey.rsa(modulus: Data(count: 200) + modulus, exponent: exponent).validate()
        }
    }

    @Test func numbersThatAreNoKeyAreRefused() throws {
        guard case .rsa(let modulus, let exponent) = try rsaKey(), case .ed25519(let point) = try ed25519Key() else {
            Issue.record("samples are not of the kinds they should be")
            return
        }
        let wrong: [PublicKey] = [
            .rsa(modulus: modulus, exponent: Data()), .rsa(modulus: modulus, exponent: Data([0, 0])),
            .rsa(modulus: modulus, exponent: Data([1])), .rsa(modulus: modulus, exponent: Data([4])),
            .rsa(modulus: modulus, exponent: Data(repeating: 0xFF, count: 9)),
            .rsa(modulus: Data(repeating: 0xFF, count: 1_025), exponent: exponent),
            .ed25519(Data()), .ed25519(point.dropLast()), .ed25519(point + [0]),
        ]
        for key in wrong {
            let algorithm = if case .rsa = key { JWSAlgorithm.rs256 } else { JWSAlgorithm.edDSA }
            #expect(throws: SignatureError.invalidKey) {
                try Signatures.verify(Data(count: 64), of: Samples.message, algorithm: algorithm, key: key)
            }
        }
    }

    @Test(arguments: [(EllipticCurve.p256, JWSAlgorithm.es256), (.p384, .es384), (.p521, .es512)])
    func numbersThatAreNoPointOfTheCurveAreRefused(curve: EllipticCurve, algorithm: JWSAlgorithm) throws {
        guard case .elliptic(_, let x, let y) = try ellipticKey(curve) else {
            Issue.record("samples are not of the kinds they should be")
            return
        }
        let zero = Data(count: curve.byteCount)
        for (x, y) in [
            (Data(), Data()), (x.dropLast(), y), (x, [0] + y),
            // Not points of the curve.
            (y, x), (zero, zero), (Data(repeating: 0xFF, count: curve.byteCount), y),
        ] as [(Data, Data)] {
            #expect(throws: SignatureError.invalidKey) {
                try Signatures.verify(
                    Data(count: 2 * curve.byteCount), of: Samples.message, algorithm: algorithm,
                    key: .elliptic(curve, x: x, y: y))
            }
        }
    }

    @Test func publicHalfOfAPrivateKeyIsFoundInEveryForm() throws {
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.rsaPrivateKey) == rsaKey())
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.rsaTraditionalPrivateKey) == rsaKey())
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.ellipticPrivateKey) == ellipticKey())
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.ellipticTraditionalPrivateKey) == ellipticKey())
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.p384PrivateKey) == ellipticKey(.p384))
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.p521PrivateKey) == ellipticKey(.p521))
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.ed25519PrivateKey) == ed25519Key())
    }

    @Test(arguments: [
        Data(), Data([0x30]), Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]), Data("-----BEGIN PRIVATE KEY-----".utf8),
        SignatureSamples.rsaPublicKey, SignatureSamples.otherCurvePrivateKey,
        SignatureSamples.rsaPrivateKey.dropLast(), SignatureSamples.rsaPrivateKey + [0],
    ])
    func bytesThatAreNoPrivateKeyAreRefused(bytes: Data) {
        #expect(throws: SignatureError.invalidKey) {
            try Signatures.sign(Samples.message, algorithm: .es256, privateKey: bytes)
        }
    }

    /// Random changes to keys and signatures: an error or false, and no trap.
    @Test(arguments: 0..<4) func changedKeysNeverVerifyOrTrap(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            for (algorithm, info, signature) in [
                (JWSAlgorithm.rs256, Samples.rsaPublicKey, Samples.rs256),
                (.es256, Samples.ellipticPublicKey, try sample(.es256).signature),
                (.es384, Samples.p384PublicKey, try sample(.es384).signature),
                (.es512, Samples.p521PublicKey, try sample(.es512).signature),
                (.edDSA, Samples.ed25519PublicKey, Samples.edDSA),
            ] {
                var info = info
                // The null of the RSA algorithm may be missing, so only the key itself is changed.
                info[Int.random(in: 30..<info.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
                guard let key = PublicKey(subjectPublicKeyInfo: info) else { continue }
                let verified = try? Signatures.verify(signature, of: Samples.message, algorithm: algorithm, key: key)
                #expect(verified != true)
            }
            var privateKey = Samples.ellipticPrivateKey
            privateKey[Int.random(in: 0..<privateKey.count, using: &random)] ^= UInt8.random(
                in: 1...255, using: &random)
            let signature = try? Signatures.sign(Samples.message, algorithm: .es256, privateKey: privateKey)
            #expect(signature == nil || signature?.count == 64)
        }
    }
}
