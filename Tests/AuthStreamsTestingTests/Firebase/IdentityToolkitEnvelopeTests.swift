import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct IdentityToolkitEnvelopeTests {
    private static let lookup = "https://identitytoolkit.googleapis.com/v1/accounts:lookup?key=emulator-api-key"

    @Test func apiKeyIsAskedForFirst() async throws {
        try await EmulatedBackend.run { backend in
            let missing = try await backend.toolkit("lookup", ["no": "sense"], key: nil)
            #expect(missing.status == 403)
            #expect(missing.json["error"]?["status"] == "PERMISSION_DENIED")
            let unknown = try await backend.toolkit("lookup", [:], key: "guess")
            #expect(unknown.status == 400)
            #expect(unknown.json["error"]?["errors"]?.array?.first?["reason"] == "keyInvalid")
            let header = try await backend.post(
                "https://identitytoolkit.googleapis.com/v1/accounts:lookup", Data("{}".utf8),
                headers: ["X-Goog-Api-Key": "emulator-api-key"])
            #expect(header.code == "MISSING_ID_TOKEN")
        }
    }

    @Test func errorComesInGooglesEnvelope() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.toolkit("lookup", ["idToken": "x"])
            #expect(
                answer.json == [
                    "error": [
                        "code": 400, "message": "INVALID_ID_TOKEN",
                        "errors": [["message": "INVALID_ID_TOKEN", "reason": "invalid", "domain": "global"]],
                    ]
                ])
        }
    }

    @Test(arguments: ["", "[]", "null", "{", "{\"idTokn\":\"x\"}", "{\"idToken\":7}"])
    func bodyThatIsNotTheMethodsMessageIsRefused(body: String) async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.post(Self.lookup, Data(body.utf8))
            #expect(answer.status == 400)
            #expect(answer.message?.hasPrefix("Invalid JSON payload received.") == true)
            #expect(answer.json["error"]?["status"] == "INVALID_ARGUMENT")
        }
    }

    @Test func onlyJSONIsTaken() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.post(Self.lookup, Data("{}".utf8), type: "text/plain")
            #expect(answer.message?.hasPrefix("Invalid JSON payload received.") == true)
        }
    }

    @Test func whatIsNotPlayedSaysSo() async throws {
        try await EmulatedBackend.run { backend in
            for method in ["issueSamlResponse", "signInWithPhoneNumber"] {
                let known = try await backend.toolkit(method, [:])
                #expect(known.status == 501)
            }
            let get = try await backend.get(Self.lookup)
            #expect(get.status == 404)
        }
    }

    @Test func errorThatATestAsksForComesInTheSameEnvelope() async throws {
        try await EmulatedBackend.run { backend in
            backend.emulator.inject(.error("QUOTA_EXCEEDED"), at: "identitytoolkit.googleapis.com")
            try await #expect(backend.toolkit("lookup", [:]).code == "QUOTA_EXCEEDED")
            try await #expect(backend.toolkit("lookup", [:]).code == "MISSING_ID_TOKEN")
        }
    }
}
