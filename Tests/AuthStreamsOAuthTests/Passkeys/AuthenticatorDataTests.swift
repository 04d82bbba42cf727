import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

@Suite struct AuthenticatorDataTests {
    private static let credential = Data(repeating: 0, count: 16) + [0, 2, 7, 8]
    private static let key = Data([0xA1, 0x03, 0x26])

    private static func data(flags: UInt8, counter: [UInt8] = [0, 0, 0, 0], _ rest: Data = Data()) -> Data {
        Data(repeating: 1, count: 32) + [flags] + counter + rest
    }

    @Test func assertionOfTheStandardIsRead() throws {
        let data = try AuthenticatorData(PasskeyVector.noneES256.authenticatorData)
        #expect(data.rpIDHash == Data(SHA256.hash("example.org".utf8)))
        #expect(data.flags == [.userPresent, .backupEligible, .backedUp])
        #expect(data.counter == 0)
        #expect(data.credential == nil)
        #expect(data.extensions.isEmpty)
    }

    @Test func registrationOfTheStandardIsRead() throws {
        let object = try AttestationObject(PasskeyVector.noneES256.attestationObject)
        #expect(object.format == "none")
        #expect(object.statement.isEmpty)
        #expect(
            object.authenticatorData.flags == [.userPresent, .backupEligible, .backedUp, .hasAttestedCredential])
        #expect(SHA256.hex(object.credential.aaguid) == "8446ccb9ab1db374750b2367ff6f3a1f")
        #expect(
            SHA256.hex(object.credential.id) == "f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4")
        #expect(object.credential.key.algorithm == .es256)
    }

    /// WebAuthn Level 3 section 6.1.
    @Test(
        arguments: [
            (0x01, .userPresent), (0x04, .userVerified), (0x08, .backupEligible), (0x10, .backedUp),
            (0x1D, [.userPresent, .userVerified, .backupEligible, .backedUp]),
        ] as [(UInt8, AuthenticatorData.Flags)])
    func flagsAreThoseOfTheStandard(byte: UInt8, flags: AuthenticatorData.Flags) throws {
        #expect(try AuthenticatorData(Self.data(flags: byte)).flags == flags)
        // Reserved bits are ignored.
        let reserved = try AuthenticatorData(Self.data(flags: byte | 0x22)).flags
        #expect(reserved.isSuperset(of: flags) && reserved.contains(.userVerified) == flags.contains(.userVerified))
    }

    @Test func longestCredentialIDIsRead() throws {
        let object = try AttestationObject(PasskeyVector.noneES256LongCredentialID.attestationObject)
        #expect(object.credential.id.count == AuthenticatorData.AttestedCredential.maximumIDLength)
    }

    @Test func counterIsBigEndian() throws {
        #expect(try AuthenticatorData(Self.data(flags: 1, counter: [0, 0, 1, 2])).counter == 258)
        #expect(try AuthenticatorData(Self.data(flags: 1, counter: [255, 255, 255, 255])).counter == .max)
    }

    @Test func extensionsAreRead() throws {
        let outputs = Data([0xA1, 0x61, 0x61, 0xF5])
        #expect(try AuthenticatorData(Self.data(flags: 0x80, outputs)).extensions == ["a": .true])
        let both = try AuthenticatorData(Self.data(flags: 0xC0, Self.credential + Self.key + outputs))
        #expect(both.extensions == ["a": .true] && both.credential?.id == Data([7, 8]))
        #expect(throws: AuthenticatorData.Malformation.extensions) {
            try AuthenticatorData(Self.data(flags: 0x80, Data([0x80])))
        }
    }

    @Test(
        arguments: [
            (data(flags: 0).dropLast(), .truncated), (data(flags: 0, Data([0])), .trailingBytes),
            (data(flags: 0x40), .truncated), (data(flags: 0x40, credential.dropLast()), .truncated),
            (data(flags: 0x40, credential), .cbor(.truncated)), (data(flags: 0x80), .cbor(.truncated)),
            (data(flags: 0x40, credential + key + [0]), .trailingBytes),
            (data(flags: 0x40, credential + [0xA0]), .publicKey), (data(flags: 0x40, credential + [0x01]), .publicKey),
            (data(flags: 0x40, Data(count: 16) + [4, 0] + Data(count: 1_024) + key), .longCredentialID),
        ] as [(Data, AuthenticatorData.Malformation)])
    func otherLengthsAreRefused(bytes: Data, malformation: AuthenticatorData.Malformation) {
        #expect(throws: malformation) { try AuthenticatorData(bytes) }
    }

    @Test func everyShorterAttestationObjectIsRefused() throws {
        let bytes = PasskeyVector.noneES256.attestationObject
        for count in 0..<bytes.count {
            #expect(throws: AttestationObject.Malformation.self) { try AttestationObject(bytes.prefix(count)) }
        }
        #expect(throws: AttestationObject.Malformation.cbor(.trailingBytes)) { try AttestationObject(bytes + [0]) }
    }

    @Test func missingMembersOfAnAttestationObjectAreNamed() throws {
        let members = try #require(try CBOR(PasskeyVector.noneES256.attestationObject).map)
        for name in ["fmt", "attStmt", "authData"] {
            var others = members
            others[.text(name)] = nil
            let bytes = CBOR.map(others).encoded
            #expect(throws: AttestationObject.Malformation.member(name)) { try AttestationObject(bytes) }
        }
        var unknown = members
        unknown["new"] = 1
        #expect(throws: Never.self) { try AttestationObject(CBOR.map(unknown).encoded) }
        var assertion = members
        assertion["authData"] = .bytes(PasskeyVector.noneES256.authenticatorData)
        #expect(throws: AttestationObject.Malformation.noCredential) {
            try AttestationObject(CBOR.map(assertion).encoded)
        }
    }
}

@Suite struct COSEKeyTests {
    @Test(
        arguments: [
            (.noneES256, -7, .elliptic(.p256)), (.packedES384, -35, .elliptic(.p384)),
            (.packedES512, -36, .elliptic(.p521)), (.packedRS256, -257, .rsa), (.packedEdDSA, -8, .ed25519),
            (.packedEd448, -53, nil),
        ] as [(PasskeyVector, Int32, PublicKey.Kind?)])
    func keysOfTheStandardAreRead(vector: PasskeyVector, algorithm: Int32, kind: PublicKey.Kind?) throws {
        let key = try AttestationObject(vector.attestationObject).credential.key
        #expect(key.algorithm.rawValue == algorithm)
        #expect(key.algorithm.jws?.keyKind == kind)
        #expect((key.publicKey == nil) == (kind == nil))
        guard let cbor = key.cbor else { return }
        #expect(COSEKey(cbor) == key)
    }

    /// WebAuthn Level 3 section 5.8.5.
    @Test(
        arguments: [
            // A compressed point, other curves than the algorithm's, and another kind of key.
            [1: 2, 3: -7, -1: 1, -2: .bytes(Data(count: 32)), -3: .true],
            [1: 2, 3: -7, -1: 2, -2: .bytes(Data(count: 48)), -3: .bytes(Data(count: 48))],
            [1: 2, 3: -35, -1: 1, -2: .bytes(Data(count: 32)), -3: .bytes(Data(count: 32))],
            [1: 2, 3: -7, -1: 8, -2: .bytes(Data(count: 32)), -3: .bytes(Data(count: 32))],
            [1: 1, 3: -7, -1: 6, -2: .bytes(Data(count: 32))], [1: 1, 3: -8, -1: 7, -2: .bytes(Data(count: 57))],
            // Coordinates of another length, and members that are missing.
            [1: 2, 3: -7, -1: 1, -2: .bytes(Data(count: 31)), -3: .bytes(Data(count: 32))],
            [1: 2, 3: -7, -1: 1, -2: .bytes(Data(count: 32)), -3: .bytes(Data(count: 33))],
            [1: 1, 3: -8, -1: 6, -2: .bytes(Data(count: 33))], [1: 3, 3: -257, -1: .bytes(Data(count: 256))], [3: -7],
        ] as [[CBOR: CBOR]])
    func otherFormsHaveNoPublicKey(members: [CBOR: CBOR]) throws {
        let key = try #require(COSEKey(.map(members)))
        #expect(key.publicKey == nil)
        #expect(key.algorithm.rawValue == Int32(exactly: members[3]?.integer ?? 0))
    }

    @Test(arguments: [.map([1: 2]), .map([3: "ES256"]), .map([3: 0x8000_0000]), .array([]), 3] as [CBOR])
    func keyWithoutAlgorithmIsNone(value: CBOR) {
        #expect(COSEKey(value) == nil)
    }

    /// RFC 8812, RFC 8230 and RFC 9864. ES256K and Ed448 are not verified.
    @Test(
        arguments: [
            (-9, .es256), (-51, .es384), (-52, .es512), (-19, .edDSA), (-258, .rs384), (-259, .rs512), (-37, .ps256),
            (-38, .ps384), (-39, .ps512), (-47, nil), (-53, nil), (7, nil),
        ] as [(Int32, JWSAlgorithm?)])
    func algorithmsHaveTheNumbersOfTheRegistry(number: Int32, algorithm: JWSAlgorithm?) {
        #expect(COSEAlgorithm(rawValue: number).jws == algorithm)
    }
}
