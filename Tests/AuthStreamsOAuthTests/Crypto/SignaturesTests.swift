import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

@Suite(.enabled(if: Signatures.isAvailable)) struct SignaturesTests {
    private typealias Samples = SignatureSamples

    private func rsaKey() throws -> PublicKey {
        try #require(PublicKey(subjectPublicKeyInfo: Samples.rsaPublicKey))
    }

    private func ellipticKey() throws -> PublicKey {
        try #require(PublicKey(subjectPublicKeyInfo: Samples.ellipticPublicKey))
    }

    /// A key, and the signature of ``SignatureSamples/message`` with it, made elsewhere.
    private func sample(_ algorithm: JWSAlgorithm) throws -> (key: PublicKey, privateKey: Data, signature: Data) {
        switch algorithm {
        case .rs256: (try rsaKey(), Samples.rsaPrivateKey, Samples.rs256)
        case .ps256: (try rsaKey(), Samples.rsaPrivateKey, Samples.ps256)
        case .es256:
            (
                try ellipticKey(), Samples.ellipticPrivateKey,
                try #require(ECDSASignature(der: Samples.ellipticDER)).raw
            )
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
        // ECDSA draws a number for each signature; now and then one is short and its DER is too.
        for round in 0..<(algorithm == .es256 ? 300 : 3) {
            let message = Data("message \(round)".utf8)
            let signature = try Signatures.sign(message, algorithm: algorithm, privateKey: privateKey)
            #expect(signature.count == (algorithm == .es256 ? 64 : 256))
            #expect(try Signatures.verify(signature, of: message, algorithm: algorithm, key: key))
        }
        let empty = try Signatures.sign(Data(), algorithm: algorithm, privateKey: privateKey)
        #expect(try Signatures.verify(empty, of: Data(), algorithm: algorithm, key: key))
    }

    @Test func ps256FixesTheSaltAndTheMask() throws {
        let key = try rsaKey()
        for signature in [Samples.pssWithShortSalt, Samples.pssWithLongestSalt, Samples.pssWithOtherMask] {
            #expect(try !Signatures.verify(signature, of: Samples.message, algorithm: .ps256, key: key))
        }
        #expect(try !Signatures.verify(Samples.ps256, of: Samples.message, algorithm: .rs256, key: key))
        #expect(try !Signatures.verify(Samples.rs256, of: Samples.message, algorithm: .ps256, key: key))
    }

    @Test func ellipticSignatureInDERIsNotAJWSSignature() throws {
        #expect(
            try !Signatures.verify(
                Samples.ellipticDER, of: Samples.message, algorithm: .es256, key: ellipticKey()))
    }

    @Test func keyMustFitTheAlgorithm() throws {
        for (algorithm, key) in [
            (JWSAlgorithm.es256, try rsaKey()), (.rs256, try ellipticKey()), (.ps256, try ellipticKey()),
        ] {
            #expect(throws: SignatureError.keyDoesNotFit) {
                try Signatures.verify(Samples.rs256, of: Samples.message, algorithm: algorithm, key: key)
            }
        }
        #expect(throws: SignatureError.keyDoesNotFit) {
            try Signatures.sign(Data(), algorithm: .rs256, privateKey: Samples.ellipticPrivateKey)
        }
        #expect(throws: SignatureError.keyDoesNotFit) {
            try Signatures.sign(Data(), algorithm: .es256, privateKey: Samples.rsaPrivateKey)
        }
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
        guard case .rsa(let modulus, let exponent) = try rsaKey(), case .p256(let x, let y) = try ellipticKey() else {
            Issue.record("samples are not of the kinds they should be")
            return
        }
        let wrong: [PublicKey] = [
            .rsa(modulus: modulus, exponent: Data()), .rsa(modulus: modulus, exponent: Data([0, 0])),
            .rsa(modulus: modulus, exponent: Data([1])), .rsa(modulus: modulus, exponent: Data([4])),
            .rsa(modulus: modulus, exponent: Data(repeating: 0xFF, count: 9)),
            .rsa(modulus: Data(repeating: 0xFF, count: 1_025), exponent: exponent),
            .p256(x: Data(), y: Data()), .p256(x: x.dropLast(), y: y), .p256(x: x, y: [0] + y),
            // Not points of the curve.
            .p256(x: y, y: x), .p256(x: Data(count: 32), y: Data(count: 32)),
            .p256(x: Data(repeating: 0xFF, count: 32), y: y),
        ]
        for key in wrong {
            let algorithm = if case .rsa = key { JWSAlgorithm.rs256 } else { JWSAlgorithm.es256 }
            #expect(throws: SignatureError.invalidKey) {
                try Signatures.verify(Data(count: 64), of: Samples.message, algorithm: algorithm, key: key)
            }
        }
    }

    @Test func publicHalfOfAPrivateKeyIsFoundInEveryForm() throws {
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.rsaPrivateKey) == rsaKey())
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.rsaTraditionalPrivateKey) == rsaKey())
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.ellipticPrivateKey) == ellipticKey())
        #expect(try Signatures.publicKey(ofPrivateKey: Samples.ellipticTraditionalPrivateKey) == ellipticKey())
    }

    @Test(arguments: [
        Data(), Data([0x30]), Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]), Data("-----BEGIN PRIVATE KEY-----".utf8),
        SignatureSamples.rsaPublicKey, SignatureSamples.p384PrivateKey, SignatureSamples.otherCurvePrivateKey,
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
