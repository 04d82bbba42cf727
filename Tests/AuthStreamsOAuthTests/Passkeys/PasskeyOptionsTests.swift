import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// The options that servers send.
@Suite struct PasskeyOptionsTests {
    private static let challenge = "AAECAwQFBgcICQoLDA0ODw"

    private static func creation(_ changes: [String: AuthJSON?] = [:]) -> AuthJSON {
        var members: [String: AuthJSON] = [
            "rp": ["id": "example.org", "name": "Example"],
            "user": ["id": "AQID", "name": "mina@example.org", "displayName": ""],
            "challenge": .string(challenge), "pubKeyCredParams": [["type": "public-key", "alg": -7]],
        ]
        for (name, value) in changes { members[name] = value }
        return .object(members)
    }

    private static func request(_ changes: [String: AuthJSON?] = [:]) -> AuthJSON {
        var members: [String: AuthJSON] = ["challenge": .string(challenge)]
        for (name, value) in changes { members[name] = value }
        return .object(members)
    }

    // MARK: Values

    @Test func requestHasTheDefaultsOfTheStandard() throws {
        let options = try PublicKeyCredentialRequestOptionsJSON(json: Self.request())
        #expect(options == PublicKeyCredentialRequestOptionsJSON(challenge: Data(0..<16)))
        #expect(options.userVerification == .preferred && options.rpID == nil && options.timeout == nil)
        #expect(options.allowCredentials.isEmpty && options.hints.isEmpty && options.extensions.isEmpty)
    }

    @Test func creationHasTheDefaultsOfTheStandard() throws {
        let options = try PublicKeyCredentialCreationOptionsJSON(json: Self.creation())
        #expect(options.rp == .init(id: "example.org", name: "Example"))
        #expect(options.user == .init(id: Data([1, 2, 3]), name: "mina@example.org", displayName: ""))
        #expect(options.challenge == Data(0..<16) && options.algorithms == [.es256])
        #expect(options.timeout == nil && options.excludeCredentials.isEmpty && options.hints.isEmpty)
        #expect(options.authenticatorSelection.attachment == nil)
        #expect(options.authenticatorSelection.residentKey == .discouraged)
        #expect(options.authenticatorSelection.userVerification == .preferred)
        #expect(options.attestation == .none && options.attestationFormats.isEmpty && options.extensions.isEmpty)
    }

    @Test func everyMemberOfARequestIsRead() throws {
        let options = try PublicKeyCredentialRequestOptionsJSON(
            json: Self.request([
                "timeout": 60_000, "rpId": "example.org", "userVerification": "required",
                "allowCredentials": [
                    ["type": "public-key", "id": "AQ", "transports": ["internal", "hybrid"]],
                    ["type": "public-key", "id": "Ag"],
                ],
                "hints": ["client-device", "security-key", "client-device"], "extensions": ["appid": "https://a"],
            ]))
        #expect(options.timeout == .seconds(60) && options.rpID == "example.org")
        #expect(options.userVerification == .required)
        #expect(
            options.allowCredentials == [
                PublicKeyCredentialDescriptorJSON(id: Data([1]), transports: [.internal, .hybrid]),
                PublicKeyCredentialDescriptorJSON(id: Data([2])),
            ])
        #expect(options.hints == [.clientDevice, .securityKey])
        #expect(options.extensions == ["appid": "https://a"])
    }

    @Test func everyMemberOfACreationIsRead() throws {
        let options = try PublicKeyCredentialCreationOptionsJSON(
            json: Self.creation([
                "timeout": 300_000,
                "pubKeyCredParams": [
                    ["type": "public-key", "alg": -8], ["type": "public-key", "alg": -7],
                    ["type": "public-key", "alg": -8], ["type": "public-key", "alg": -47],
                ],
                "excludeCredentials": [["type": "public-key", "id": "AQ", "transports": ["usb"]]],
                "authenticatorSelection": [
                    "authenticatorAttachment": "cross-platform", "residentKey": "preferred", "requireResidentKey": true,
                    "userVerification": "discouraged",
                ],
                "hints": ["hybrid"], "attestation": "direct", "attestationFormats": ["packed", "new"],
                "extensions": ["credProps": true],
            ]))
        #expect(options.timeout == .seconds(300))
        #expect(options.algorithms.map(\.rawValue) == [-8, -7, -47])
        #expect(options.excludeCredentials == [.init(id: Data([1]), transports: [.usb])])
        #expect(
            options.authenticatorSelection
                == .init(attachment: .crossPlatform, residentKey: .preferred, userVerification: .discouraged))
        #expect(options.hints == [.hybrid] && options.attestation == .direct)
        #expect(options.attestationFormats == ["packed", "new"] && options.extensions == ["credProps": true])
    }

    @Test func serverWithoutAlgorithmsHasThoseOfTheStandard() throws {
        let options = try PublicKeyCredentialCreationOptionsJSON(json: Self.creation(["pubKeyCredParams": []]))
        #expect(options.algorithms == [.es256, .rs256])
    }

    /// Level 1 had no other member.
    @Test(arguments: [(true, .required), (false, .discouraged)] as [(Bool, ResidentKeyRequirement)])
    func requireResidentKeyCountsWithoutResidentKey(value: Bool, requirement: ResidentKeyRequirement) throws {
        let options = try PublicKeyCredentialCreationOptionsJSON(
            json: Self.creation(["authenticatorSelection": ["requireResidentKey": .bool(value)]]))
        #expect(options.authenticatorSelection.residentKey == requirement)
    }

    // MARK: Unknown values

    @Test func unknownMembersAndValuesOfARequestAreIgnored() throws {
        let options = try PublicKeyCredentialRequestOptionsJSON(
            json: Self.request([
                "new": [1], "userVerification": "sometimes", "hints": ["telepathy"], "timeout": nil, "rpId": .null,
                "allowCredentials": [
                    ["type": "private-key", "id": "AQ"],
                    ["type": "public-key", "id": "Ag", "transports": ["telepathy", "ble"], "new": true],
                ],
            ]))
        var expected = PublicKeyCredentialRequestOptionsJSON(challenge: Data(0..<16))
        expected.allowCredentials = [.init(id: Data([2]), transports: [.ble])]
        #expect(options == expected)
    }

    @Test func unknownMembersAndValuesOfACreationAreIgnored() throws {
        let options = try PublicKeyCredentialCreationOptionsJSON(
            json: Self.creation([
                "rp": ["id": "example.org", "name": "Example", "icon": "https://a"],
                "user": ["id": "AQID", "name": "mina@example.org", "displayName": "", "icon": .null],
                "pubKeyCredParams": [["type": "secret-key", "alg": 5], ["type": "public-key", "alg": -7, "new": 1]],
                "excludeCredentials": [["type": "private-key", "id": "AQ"]], "attestation": "sometimes",
                "authenticatorSelection": [
                    "authenticatorAttachment": "implanted", "residentKey": "maybe", "userVerification": "sometimes",
                    "new": 1,
                ],
                "hints": .null, "timeout": .null, "extensions": .null,
            ]))
        #expect(try options == PublicKeyCredentialCreationOptionsJSON(json: Self.creation()))
    }

    /// An empty list would allow every passkey.
    @Test func requestForUnknownTypesOnlyIsRefused() {
        expectError("`allowCredentials`") {
            try PublicKeyCredentialRequestOptionsJSON(
                json: Self.request(["allowCredentials": [["type": "private-key", "id": "AQ"]]]))
        }
    }

    // MARK: Refusals

    @Test(
        arguments: [
            ("`rp`", ["rp": nil]), ("`rp`", ["rp": "example.org"]), ("`rp.name`", ["rp": ["id": "example.org"]]),
            ("`rp.id`", ["rp": ["id": "https://example.org", "name": ""]]), ("`user`", ["user": nil]),
            ("`user.id`", ["user": ["name": "", "displayName": ""]]),
            ("`user.name`", ["user": ["id": "AQ", "displayName": ""]]),
            ("`user.displayName`", ["user": ["id": "AQ", "name": ""]]),
            ("`user.displayName`", ["user": ["id": "AQ", "name": "", "displayName": .null]]),
            ("`user.id`", ["user": ["id": "", "name": "", "displayName": ""]]),
            ("`user.id`", ["user": ["id": .string(String(repeating: "A", count: 87)), "name": "", "displayName": ""]]),
            ("`challenge`", ["challenge": nil]), ("`challenge`", ["challenge": "AAECAwQFBgcICQoLDA0ODw=="]),
            ("`challenge`", ["challenge": "AAECAwQFBgcICQoLDA0O+/"]),
            ("`challenge`", ["challenge": ""]),
            ("`challenge`", ["challenge": 1]), ("`pubKeyCredParams`", ["pubKeyCredParams": nil]),
            ("`pubKeyCredParams`", ["pubKeyCredParams": [["type": "secret-key", "alg": -7]]]),
            ("`pubKeyCredParams[1].alg`", ["pubKeyCredParams": [["type": "public-key", "alg": -7], ["type": "a"]]]),
            ("`pubKeyCredParams[0].alg`", ["pubKeyCredParams": [["type": "public-key", "alg": 4_294_967_296]]]),
            ("`pubKeyCredParams[0].type`", ["pubKeyCredParams": [["alg": -7]]]),
            ("`pubKeyCredParams[0]`", ["pubKeyCredParams": [-7]]), ("`timeout`", ["timeout": "soon"]),
            ("`timeout`", ["timeout": -1]), ("`excludeCredentials`", ["excludeCredentials": ["id": "AQ"]]),
            ("`excludeCredentials[0].id`", ["excludeCredentials": [["type": "public-key"]]]),
            ("`excludeCredentials[0].id`", ["excludeCredentials": [["type": "public-key", "id": "A"]]]),
            ("`excludeCredentials[0].type`", ["excludeCredentials": [["id": "AQ"]]]),
            (
                "`excludeCredentials[0].transports`",
                ["excludeCredentials": [["type": "public-key", "id": "AQ", "transports": [1]]]]
            ),
            ("`authenticatorSelection`", ["authenticatorSelection": []]),
            ("`authenticatorSelection.residentKey`", ["authenticatorSelection": ["residentKey": true]]),
            ("`authenticatorSelection.requireResidentKey`", ["authenticatorSelection": ["requireResidentKey": "yes"]]),
            ("`hints`", ["hints": "hybrid"]), ("`attestation`", ["attestation": 1]),
            ("`attestationFormats`", ["attestationFormats": [1]]), ("`extensions`", ["extensions": []]),
        ] as [(String, [String: AuthJSON?])])
    func malformedMemberOfACreationIsNamed(member: String, changes: [String: AuthJSON?]) {
        expectError(member) { try PublicKeyCredentialCreationOptionsJSON(json: Self.creation(changes)) }
    }

    @Test(
        arguments: [
            ("`challenge`", ["challenge": nil]), ("`challenge`", ["challenge": ""]),
            ("`challenge`", ["challenge": "AAECAwQFBgcICQoLDA0ODw="]), ("`rpId`", ["rpId": "192.0.2.1"]),
            ("`rpId`", ["rpId": 1]), ("`allowCredentials[0].id`", ["allowCredentials": [["type": "public-key"]]]),
            ("`userVerification`", ["userVerification": true]), ("`timeout`", ["timeout": 4_294_967_296]),
            ("`hints`", ["hints": [1]]), ("`extensions`", ["extensions": "none"]),
        ] as [(String, [String: AuthJSON?])])
    func malformedMemberOfARequestIsNamed(member: String, changes: [String: AuthJSON?]) {
        expectError(member) { try PublicKeyCredentialRequestOptionsJSON(json: Self.request(changes)) }
    }

    @Test(arguments: [.null, [], "AQ", 1] as [AuthJSON]) func otherJSONIsRefused(json: AuthJSON) {
        expectError("not an object") { try PublicKeyCredentialRequestOptionsJSON(json: json) }
        expectError("not an object") { try PublicKeyCredentialCreationOptionsJSON(json: json) }
    }

    private func expectError(
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> any Sendable
    ) {
        let error = #expect(throws: AuthError.self, sourceLocation: sourceLocation) { _ = try body() }
        #expect(error?.code == .invalidResponse, sourceLocation: sourceLocation)
        #expect(error?.explanation.contains(text) == true, sourceLocation: sourceLocation)
    }

    // MARK: Domains

    @Test(
        arguments: [
            "example.org", "localhost", "login.example.co.kr", "xn--9n2bp8q.com", "a", "1.example", "Example.org",
            String(repeating: "a", count: 63) + ".org",
        ])
    func domainIsOne(text: String) {
        #expect(RelyingPartyID.isDomain(text))
    }

    @Test(
        arguments: [
            "", ".", "example.org.", ".example.org", "a..b", "https://example.org", "example.org/", "example.org:443",
            "192.0.2.1", "1", "[::1]", "::1", "-a.org", "a-.org", "a_b.org", "a b.org", "한국.kr", "user@example.org",
            "*.org",
            "\u{212A}.org", String(repeating: "a", count: 64) + ".org",
            Array(repeating: String(repeating: "a", count: 62), count: 5).joined(separator: "."),
        ])
    func anythingElseIsNoDomain(text: String) {
        #expect(!RelyingPartyID.isDomain(text))
    }
}
