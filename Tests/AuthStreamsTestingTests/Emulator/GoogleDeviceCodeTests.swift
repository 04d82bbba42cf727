import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Google's codes for devices, whose form is older than RFC 8628.
@Suite(.limitedParallelization) struct GoogleDeviceCodeTests {
    private static let tv = EmulatorConfiguration.Google.Client(
        id: "1001-tv.apps.googleusercontent.com", secret: "GOCSPX-emulator-tv", kind: .limitedInput)
    private static let page = "https://www.google.com/device"

    private let clock = ManualClock()

    private var configuration: EmulatorConfiguration {
        var configuration = EmulatorConfiguration(at: clock)
        configuration.google.others = [Self.tv]
        return configuration
    }

    private static func code(_ wire: Wire, _ changes: [String: String?] = [:]) async throws -> AuthHTTPResponse {
        let form: [String: String?] = ["client_id": tv.id, "scope": "email"]
        return try await wire.post("https://oauth2.googleapis.com/device/code", form.with(changes))
    }

    private static func poll(
        _ wire: Wire, _ code: AuthHTTPResponse, as client: EmulatorConfiguration.Google.Client = tv
    ) async throws -> AuthHTTPResponse {
        try await wire.post(
            "https://oauth2.googleapis.com/token",
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": client.id,
                "client_secret": client.secret, "device_code": code["device_code"],
            ])
    }

    @Test func codeIsOfTheClientThatAskedForIt() async throws {
        let other = EmulatorConfiguration.Google.Client(
            id: "1001-other.apps.googleusercontent.com", secret: "GOCSPX-emulator-other", kind: .limitedInput)
        var configuration = configuration
        configuration.google.others.append(other)
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            _ = try await wire.answer(try await wire.get(Self.page, ["user_code": code["user_code"]]), "approve")
            clock.advance(by: .seconds(11))
            #expect(try await Self.poll(wire, code, as: other)["error"] == "invalid_grant")
            #expect(try await Self.poll(wire, code)["access_token"] != nil)
        }
    }

    @Test func deviceWaitsForThePersonAndGetsARefreshToken() async throws {
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            #expect(code.status == 200)
            #expect(
                Set(try #require(code.json?.object).keys) == [
                    "device_code", "user_code", "verification_url", "expires_in", "interval",
                ])
            #expect(code["verification_url"] == emulator.url(for: Self.page).absoluteString)
            #expect(code.json?["expires_in"] == 1800 && code.json?["interval"] == 5)

            let early = try await Self.poll(wire, code)
            #expect(early.status == 403 && early["error"] == "slow_down" && early["error_description"] == "Forbidden")
            clock.advance(by: .seconds(11))
            let pending = try await Self.poll(wire, code)
            #expect(pending.status == 428 && pending["error"] == "authorization_pending")
            #expect(pending["error_description"] == "Precondition Required")

            let user = EmulatorConfiguration().google.users[1]
            let question = try await wire.get(Self.page, ["user_code": code["user_code"]])
            #expect(try await wire.answer(question, "approve", user: user.id).status == 200)
            clock.advance(by: .seconds(11))
            let tokens = try await Self.poll(wire, code)
            #expect(tokens.status == 200 && tokens["refresh_token"] != nil)
            #expect(tokens["scope"] == "https://www.googleapis.com/auth/userinfo.email openid")
            #expect(try tokens.claims("id_token")["sub"]?.string == user.id)
            let told = try await wire.get(
                "https://oauth2.googleapis.com/tokeninfo", ["access_token": tokens["access_token"]])
            #expect(told["access_type"] == "offline")
            clock.advance(by: .seconds(11))
            let again = try await Self.poll(wire, code)
            #expect(again.status == 400 && again["error"] == "invalid_grant")
        }
    }

    @Test func secondApprovalOfACodeLinksNoOtherPerson() async throws {
        try await withEmulator(configuration) { emulator in
            let (wire, users) = (Wire(emulator), EmulatorConfiguration().google.users)
            let code = try await Self.code(wire)
            let first = try await wire.get(Self.page, ["user_code": code["user_code"]])
            let second = try await wire.get(Self.page, ["user_code": code["user_code"]])
            let approved = try await wire.answer(first, "approve", user: users[0].id)
            #expect(approved.status == 200)
            let refused = try await wire.answer(second, "approve", user: users[1].id)
            #expect(refused.status == 400)
            clock.advance(by: .seconds(6))
            let tokens = try await Self.poll(wire, code)
            #expect(try tokens.claims("id_token")["sub"]?.string == users[0].id)
            let other = try await Self.code(wire)
            let page = try await wire.get(Self.page, ["user_code": other["user_code"]])
            // The person of the second approval is asked for everything, and the other one for nothing.
            #expect(page.text.components(separatedBy: "It asks for:").count == 2)
        }
    }

    @Test func personLeavesOutAnAPIOfTheDevice() async throws {
        try await withEmulator(configuration) { emulator in
            let (wire, drive) = (Wire(emulator), "https://www.googleapis.com/auth/drive.file")
            let code = try await Self.code(wire, ["scope": "email \(drive)"])
            let page = try await wire.get(Self.page, ["user_code": code["user_code"]])
            _ = try await wire.answer(page, "approve", without: [drive])
            clock.advance(by: .seconds(6))
            let tokens = try await Self.poll(wire, code)
            #expect(tokens["scope"] == "https://www.googleapis.com/auth/userinfo.email openid")
        }
    }

    @Test func refusalOfThePersonIsForbidden() async throws {
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try await Self.code(wire)
            let question = try await wire.get(Self.page, ["user_code": code["user_code"]])
            #expect(try await wire.answer(question, "deny").status == 200)
            clock.advance(by: .seconds(6))
            let answer = try await Self.poll(wire, code)
            #expect(answer.status == 403 && answer["error"] == "access_denied")
        }
    }

    @Test func codeIsTheSameOnlyInTheSameCase() async throws {
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let code = try #require(try await Self.code(wire)["user_code"])
            for other in [code.lowercased(), code.replacing("-", with: "")] {
                let page = try await wire.get(Self.page, ["user_code": other])
                #expect(page.isDeadEnd)
            }
            let page = try await wire.get(Self.page, ["user_code": code])
            #expect(page.status == 200)
        }
    }

    @Test func otherClientsAndScopesAreRefused() async throws {
        try await withEmulator(configuration) { emulator in
            let (wire, google) = (Wire(emulator), EmulatorConfiguration().google)
            let code = try await Self.code(wire)
            for client in [google.desktop, google.web] {
                let answers = [
                    try await Self.code(wire, ["client_id": client.id]), try await Self.poll(wire, code, as: client),
                ]
                for answer in answers { #expect(answer.status == 401 && answer["error"] == "invalid_client") }
            }
            for scope in ["foo", nil] {
                let answer = try await Self.code(wire, ["scope": scope])
                #expect(answer.status == 400 && answer["error"] == "invalid_scope")
            }
        }
    }
}
