import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// The answers that servers read.
@Suite struct PasskeyResponseTests {
    /// SubjectPublicKeyInfo by another library, out of the vectors' private keys.
    private static let publicKeys: [String: String] = [
        "none-es256": """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEr++hb5fKmy0j64bMtkCY0g25CFYGLrJJwzqbZy8m32GTCla4ei/KZjNLA0WKv4eXF8Esxo7X\
        MpCvLiZkeWuSIA==
        """,
        "packed-es384": """
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAESGa9iwHaeJ6euAbl6rBa5aY4VCKWqwV6Lxu86bWPigi5FxOQtYo3rH//wsX0WFfaKgsCTH9Lcgcq\
        H5a9MKcmGq6Vcd05hw6ynlXAlBxrCOiWKaHqEhaqZM5XwoB785Aa
        """,
        "packed-es512": """
        MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQAgyQKLDrSGj3Aptqj2LwFpG182YJboBCuKiJobC1tZj19X2eJh/sednVC5j3Bl66RXiX47ihG\
        Ua8pBmkQoswIP1ABczffR6tczl1xbvjK/6l6MBJomx8ybqbEOhupWWxy9x8BIjkBQ1UrQr53K0w1/7lhIgx0O0hqYB6ky21UEvWweNM=
        """,
        "packed-eddsa": "MCowBQYDK2VwAyEAROBt3TMcNqjcZnurUryuY0hskWql4znmrOuqhJNL+DI=",
    ]

    private static func registration(_ vector: PasskeyVector) throws -> RegistrationResponseJSON {
        try RegistrationResponseJSON(
            credentialID: try AttestationObject(vector.attestationObject).credential.id,
            rawClientDataJSON: vector.creationClientData, rawAttestationObject: vector.attestationObject,
            attachment: .platform, transports: [.internal, .hybrid, .internal])
    }

    @Test(arguments: PasskeyVector.all)
    func registrationOfTheStandardIsTheJSONOfTheStandard(_ vector: PasskeyVector) throws {
        let json = try Self.registration(vector).json
        let object = try #require(try CBOR(vector.attestationObject).map)
        let data = try #require(object["authData"]?.bytes)
        // The identifier follows the AAGUID and its own length.
        let length = data.dropFirst(53).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        let id = Base64URL.encode(data.dropFirst(55).prefix(length))
        #expect(
            Set(json.object?.keys ?? [:].keys) == [
                "id", "rawId", "response", "type", "authenticatorAttachment", "clientExtensionResults",
            ])
        #expect(json["id"]?.string == id && json["rawId"]?.string == id)
        #expect(json["type"] == "public-key" && json["authenticatorAttachment"] == "platform")
        #expect(json["clientExtensionResults"] == [:])
        let response = try #require(json["response"])
        #expect(response["clientDataJSON"]?.string == Base64URL.encode(vector.creationClientData))
        #expect(response["attestationObject"]?.string == Base64URL.encode(vector.attestationObject))
        #expect(response["authenticatorData"]?.string == Base64URL.encode(data))
        #expect(response["transports"] == ["hybrid", "internal"])
        let hasKey = vector.description != PasskeyVector.packedEd448.description
        #expect(response.object?.count == (hasKey ? 6 : 5))
        #expect((response["publicKey"] != nil) == hasKey)
        if let expected = Self.publicKeys[vector.description] {
            #expect(response["publicKey"]?.string.flatMap(Base64URL.decode) == Data(base64Encoded: expected))
        }
    }

    @Test(
        arguments: [
            (.noneES256, -7), (.packedES384, -35), (.packedES512, -36), (.packedRS256, -257), (.packedEdDSA, -8),
            (.packedEd448, -53),
        ] as [(PasskeyVector, Int64)])
    func algorithmIsTheNumberOfCOSE(vector: PasskeyVector, number: Int64) throws {
        #expect(try Self.registration(vector).json["response"]?["publicKeyAlgorithm"] == .integer(number))
    }

    @Test(arguments: PasskeyVector.all) func signInOfTheStandardIsTheJSONOfTheStandard(_ vector: PasskeyVector) throws {
        let id = try AttestationObject(vector.attestationObject).credential.id
        let response = AuthenticationResponseJSON(
            credentialID: id, rawClientDataJSON: vector.requestClientData,
            rawAuthenticatorData: vector.authenticatorData, signature: vector.signature, userID: Data([1, 2]),
            attachment: .crossPlatform)
        #expect(
            response.json == [
                "id": .string(Base64URL.encode(id)), "rawId": .string(Base64URL.encode(id)), "type": "public-key",
                "authenticatorAttachment": "cross-platform", "clientExtensionResults": [:],
                "response": [
                    "clientDataJSON": .string(Base64URL.encode(vector.requestClientData)),
                    "authenticatorData": .string(Base64URL.encode(vector.authenticatorData)),
                    "signature": .string(Base64URL.encode(vector.signature)), "userHandle": "AQI",
                ],
            ])
    }

    @Test(arguments: [nil, Data()]) func unknownMembersAreLeftOut(userID: Data?) {
        let json = AuthenticationResponseJSON(
            credentialID: Data([1]), rawClientDataJSON: Data(), rawAuthenticatorData: Data(), signature: Data(),
            userID: userID
        ).json
        #expect(json["response"]?["userHandle"] == nil)
        #expect(json["authenticatorAttachment"] == nil)
        #expect(json["clientExtensionResults"] == [:])
    }

    @Test func transportsAreRequiredEvenIfTheyAreNotKnown() throws {
        let vector = PasskeyVector.noneES256
        let json = try RegistrationResponseJSON(
            credentialID: Data([1]), rawClientDataJSON: vector.creationClientData,
            rawAttestationObject: vector.attestationObject
        ).json
        #expect(json["response"]?["transports"] == [])
    }

    @Test func extensionResultsAreKept() throws {
        var response = try Self.registration(.noneES256)
        response.clientExtensionResults = ["credProps": ["rk": true]]
        #expect(response.json["clientExtensionResults"] == ["credProps": ["rk": true]])
    }

    @Test func unreadableAttestationObjectIsAnInvalidResponse() {
        do throws(AuthError) {
            _ = try RegistrationResponseJSON(
                credentialID: Data([1]), rawClientDataJSON: Data(), rawAttestationObject: Data([0xA0]))
            Issue.record("It is accepted.")
        } catch {
            #expect(error.code == .invalidResponse)
            #expect(error.explanation.contains("fmt"))
        }
    }

    @Test func answersPrintNothing() throws {
        let registration = try Self.registration(.noneES256)
        #expect("\(registration)" == "new passkey")
        #expect(Mirror(reflecting: registration).children.isEmpty)
        let response = AuthenticationResponseJSON(
            credentialID: Data([1]), rawClientDataJSON: Data(), rawAuthenticatorData: Data(), signature: Data(),
            userID: nil)
        #expect("\(response)" == "answer of a passkey")
        #expect(Mirror(reflecting: response).children.isEmpty)
    }
}
