import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct CustomTokenTests {
    @Test func customTokenSignsInItsUIDAndBringsItsClaims() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.signInWithCustomToken(
                backend.customToken(["claims": ["provider": "kakao"]]))
            #expect(answer.status == 200)
            #expect(answer["isNewUser"] == true)
            #expect(answer["expiresIn"] == "3600")
            #expect(answer["localId"] == nil)
            let jwt = try #require(JSONWebToken(Secret(answer["idToken"]?.string ?? "")))
            #expect(jwt.claims["sub"] == "kakao:1001")
            #expect(jwt.claims["provider"] == "kakao")
            #expect(jwt.claims["firebase"]?["sign_in_provider"] == "custom")
            #expect(backend.emulator.firebase["kakao:1001"]?.isCustom == true)
            let again = try await backend.signInWithCustomToken(backend.customToken())
            #expect(again["isNewUser"] == nil)
        }
    }

    @Test(
        arguments: [
            ["aud": "other"], ["exp": 1_759_999_999], ["exp": 1_760_003_601], ["exp": .null], ["iat": 1_760_000_300],
            ["uid": ""], ["uid": .null], ["uid": 7], ["uid": .string(String(repeating: "x", count: 129))],
            ["claims": ["sub": "somebody"]], ["claims": ["long": .string(String(repeating: "x", count: 1000))]],
        ] as [[String: AuthJSON]])
    func customTokenThatBreaksARuleIsRefused(changes: [String: AuthJSON]) async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.signInWithCustomToken(backend.customToken(changes))
            #expect(answer.status == 400)
            #expect(answer.code == "INVALID_CUSTOM_TOKEN")
            #expect(answer.message?.contains(" : ") == true)
            #expect(backend.emulator.firebase.users.isEmpty)
        }
    }

    @Test func longestUIDIsTaken() async throws {
        try await EmulatedBackend.run { backend in
            let uid = String(repeating: "x", count: 128)
            try await #expect(backend.signInWithCustomToken(backend.customToken(["uid": .string(uid)])).status == 200)
        }
    }

    @Test func tokenOfSomebodyElseIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            let other: AuthJSON = "firebase-adminsdk@other.iam.gserviceaccount.com"
            let foreign = backend.customToken(["iss": other, "sub": other])
            try await #expect(backend.signInWithCustomToken(foreign).code == "CREDENTIAL_MISMATCH")
            let foreignKey = backend.customToken(host: "accounts.google.com")
            try await #expect(backend.signInWithCustomToken(foreignKey).code == "INVALID_CUSTOM_TOKEN")
            try await #expect(backend.signInWithCustomToken(#"{"uid":"1"}"#).code == "INVALID_CUSTOM_TOKEN")
            try await #expect(backend.signInWithCustomToken("").code == "MISSING_CUSTOM_TOKEN")
        }
    }

    @Test(.enabled(if: TokenSigner().isAvailable)) func forgedCustomTokenIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            var parts = backend.customToken().split(separator: ".").map(String.init)
            parts[1] = backend.customToken(["uid": "admin"]).split(separator: ".").map(String.init)[1]
            let answer = try await backend.signInWithCustomToken(parts.joined(separator: "."))
            #expect(answer.code == "INVALID_CUSTOM_TOKEN")
        }
    }

    @Test func disabledUserIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            _ = try await backend.signInWithCustomToken(backend.customToken())
            backend.emulator.firebase.disable("kakao:1001")
            try await #expect(backend.signInWithCustomToken(backend.customToken()).code == "USER_DISABLED")
            backend.emulator.firebase.enable("kakao:1001")
            try await #expect(backend.signInWithCustomToken(backend.customToken()).status == 200)
        }
    }

    @Test func withoutSecureTokenThereIsNothingToRefreshWith() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.toolkit(
                "signInWithCustomToken", ["token": .string(backend.customToken())])
            #expect(answer["idToken"] != nil)
            #expect(answer["refreshToken"] == nil)
        }
    }
}
