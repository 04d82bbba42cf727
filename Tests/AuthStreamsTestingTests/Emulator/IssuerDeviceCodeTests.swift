import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// The emulated issuer's codes for devices, over the wire (RFC 8628).
@Suite(.limitedParallelization) struct IssuerDeviceCodeTests {
    private static let realm = "https://id.pulseboard.example/realms/main"
    private static let endpoint = realm + "/protocol/openid-connect/auth/device"
    private static let token = realm + "/protocol/openid-connect/token"
    private static let page = realm + "/device"

    private let clock = ManualClock()

    private var configuration: EmulatorConfiguration {
        var configuration = EmulatorConfiguration(at: clock)
        configuration.issuer.acceptsDeviceCodes = true
        configuration.issuer.deviceCodeLifetime = .seconds(120)
        configuration.issuer.devicePollingInterval = .seconds(3)
        return configuration
    }

    private static func code(_ wire: Wire) async throws -> AuthHTTPResponse {
        try await wire.post(endpoint, ["client_id": "pulseboard-app", "scope": "openid email"])
    }

    private static func poll(_ wire: Wire, _ code: AuthHTTPResponse) async throws -> AuthHTTPResponse {
        try await wire.post(
            token,
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "pulseboard-app",
                "device_code": code["device_code"],
            ])
    }

    @Test func codeIsGivenWithItsPageAndItsTimes() async throws {
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            let userCode = try #require(code["user_code"])
            #expect(code.status == 200 && code.json?["expires_in"] == 120 && code.json?["interval"] == 3)
            #expect(code["verification_uri"] == emulator.url(for: Self.page).absoluteString)
            #expect(code["verification_uri_complete"] == "\(code["verification_uri"] ?? "")?user_code=\(userCode)")
            #expect(userCode.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
            let names = Set(emulator.issuedSecrets.map(\.name))
            #expect(names.isSuperset(of: ["device_code", "user_code"]))
        }
    }

    @Test func issuerWithoutCodesHasNoEndpoint() async throws {
        try await withEmulator(EmulatorConfiguration(at: clock)) { emulator in
            let wire = Wire(emulator)
            let metadata = try await wire.get(Self.realm + "/.well-known/openid-configuration")
            #expect(metadata.json?["device_authorization_endpoint"] == nil)
            #expect(try await Self.code(wire).status == 404)
            #expect(try await wire.get(Self.page).status == 404)
        }
    }

    @Test func metadataNameTheEndpoint() async throws {
        try await withEmulator(configuration) { emulator in
            let metadata = try await Wire(emulator).get(Self.realm + "/.well-known/openid-configuration")
            #expect(metadata["device_authorization_endpoint"] == emulator.url(for: Self.endpoint).absoluteString)
        }
    }

    /// Section 6.1: people type a code in any case, with or without its hyphen.
    @Test(arguments: ["as it is", "in small letters", "without the hyphen"])
    func personWhoEntersTheCodeAndAgreesSignsInTheDevice(spelling: String) async throws {
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            clock.advance(by: .seconds(3))
            #expect(try await Self.poll(wire, code)["error"] == "authorization_pending")
            var entered = try #require(code["user_code"])
            if spelling == "in small letters" { entered = entered.lowercased() }
            if spelling == "without the hyphen" { entered = entered.replacing("-", with: "") }
            let form = try await wire.get(Self.page)
            #expect(HTMLPage(form.text).forms.first?.controls.contains { $0.name == "user_code" } == true)
            let page = try await wire.get(Self.page, ["user_code": entered])
            // Section 3.3.1: the person compares it with the code on the device.
            #expect(page.text.contains(code["user_code"] ?? "-"))
            let end = try await wire.answer(page, "approve", user: "f3b7c1de-0002")
            #expect(end.status == 200 && !end.text.contains("<form"))
            clock.advance(by: .seconds(3))
            let tokens = try await Self.poll(wire, code)
            #expect(try tokens.claims("id_token")["sub"] == "f3b7c1de-0002")
            #expect(try tokens.claims("id_token")["nonce"] == nil)
            // A code works once.
            clock.advance(by: .seconds(3))
            #expect(try await Self.poll(wire, code)["error"] == "invalid_grant")
        }
    }

    @Test func personWhoDeclinesEndsTheWait() async throws {
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            let page = try await wire.get(Self.page, ["user_code": code["user_code"]])
            _ = try await wire.answer(page, "deny")
            clock.advance(by: .seconds(3))
            #expect(try await Self.poll(wire, code)["error"] == "access_denied")
        }
    }

    /// Section 3.5: the first request waits, too, and each `slow_down` makes the interval five seconds longer.
    @Test func deviceThatAsksTooOftenIsSlowedDown() async throws {
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            var errors: [String?] = []
            for pause in [2, 8, 7, 13, 18] {
                clock.advance(by: .seconds(pause))
                errors.append(try await Self.poll(wire, code)["error"])
            }
            let pending = "authorization_pending"
            #expect(errors == ["slow_down", pending, "slow_down", pending, pending] as [String?])
            clock.advance(by: .seconds(12))
            #expect(try await Self.poll(wire, code)["error"] == "slow_down")
        }
    }

    @Test func codeExpiresForBothDevices() async throws {
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            let page = try await wire.get(Self.page, ["user_code": code["user_code"]])
            clock.advance(by: .seconds(120))
            #expect(try await Self.poll(wire, code)["error"] == "expired_token")
            #expect(try await wire.get(Self.page, ["user_code": code["user_code"]]).isDeadEnd)
            #expect(try await wire.answer(page, "approve").isDeadEnd)
            // A server forgets an expired code some time.
            clock.advance(by: .seconds(60))
            #expect(try await Self.poll(wire, code)["error"] == "invalid_grant")
        }
    }

    /// Without the scope `openid` the request is none of OpenID Connect.
    @Test func idTokenNeedsTheScope() async throws {
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await wire.post(Self.endpoint, ["client_id": "pulseboard-app", "scope": "email"])
            let page = try await wire.get(Self.page, ["user_code": code["user_code"]])
            _ = try await wire.answer(page, "approve")
            clock.advance(by: .seconds(3))
            let tokens = try await Self.poll(wire, code)
            #expect(tokens["access_token"] != nil && tokens["id_token"] == nil && tokens["scope"] == "email")
        }
    }

    @Test func unknownCodesAndClientsAreRefused() async throws {
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            #expect(try await wire.get(Self.page, ["user_code": "BBBB-BBBB"]).isDeadEnd)
            let other = try await wire.post(Self.endpoint, ["client_id": "other"])
            #expect(other.status == 401 && other["error"] == "invalid_client")
            let code = try await wire.post(
                Self.token,
                [
                    "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "pulseboard-app",
                    "device_code": "unknown",
                ])
            #expect(code["error"] == "invalid_grant")
        }
    }
}
