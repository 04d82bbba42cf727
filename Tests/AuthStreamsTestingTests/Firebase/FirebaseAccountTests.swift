import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct FirebaseAccountTests {
    @Test func lookupTellsWhoTheIDTokenIsFor() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.signIn("google.com", backend.googleToken(["name": "Minji"]))
            let answer = try await backend.toolkit("lookup", ["idToken": session["idToken"] ?? .null])
            let user = try #require(answer["users"]?.array?.first)
            #expect(user["localId"] == session["localId"])
            #expect(user["email"] == "minji@example.com")
            #expect(user["emailVerified"] == true)
            #expect(user["validSince"] == "1760000000")
            #expect(user["createdAt"] == "1760000000000")
            #expect(user["lastLoginAt"] == "1760000000000")
            #expect(user["lastRefreshAt"] == "2025-10-09T08:53:20Z")
            #expect(user["customAuth"] == nil)
            let info = try #require(user["providerUserInfo"]?.array?.first)
            #expect(info["providerId"] == "google.com")
            #expect(info["rawId"] == "1001")
            #expect(info["displayName"] == "Minji")
        }
    }

    @Test func idTokenThatDoesNotHoldIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.signInWithCustomToken(backend.customToken())
            let idToken = session["idToken"] ?? .null
            try await #expect(backend.toolkit("lookup", ["idToken": "x.y.z"]).code == "INVALID_ID_TOKEN")
            try await #expect(backend.toolkit("lookup", [:]).code == "MISSING_ID_TOKEN")
            let customToken = try await backend.toolkit("lookup", ["idToken": .string(backend.customToken())])
            #expect(customToken.code == "INVALID_ID_TOKEN")
            backend.clock.advance(by: .seconds(3599))
            try await #expect(backend.toolkit("lookup", ["idToken": idToken]).status == 200)
            backend.clock.advance(by: .seconds(1))
            try await #expect(backend.toolkit("lookup", ["idToken": idToken]).code == "INVALID_ID_TOKEN")
        }
    }

    @Test func idTokenOfBeforeARevocationIsExpired() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.signInWithCustomToken(backend.customToken())
            backend.clock.advance(by: .seconds(1))
            #expect(backend.emulator.firebase.revokeRefreshTokens(of: "kakao:1001"))
            let answer = try await backend.toolkit("lookup", ["idToken": session["idToken"] ?? .null])
            #expect(answer.code == "TOKEN_EXPIRED")
        }
    }

    @Test func accountIsDeletedSoonAfterTheSignIn() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.signInWithCustomToken(backend.customToken())
            backend.clock.advance(by: .seconds(300))
            let answer = try await backend.toolkit("delete", ["idToken": session["idToken"] ?? .null])
            #expect(answer.status == 200)
            #expect(backend.emulator.firebase.users.isEmpty)
            let gone = try await backend.toolkit("lookup", ["idToken": session["idToken"] ?? .null])
            #expect(gone.code == "USER_NOT_FOUND")
        }
    }

    @Test func oldSignInCannotDeleteEvenWithAFreshToken() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.signInWithCustomToken(backend.customToken())
            backend.clock.advance(by: .seconds(301))
            let refreshed = try await backend.secureToken(
                "grant_type=refresh_token&refresh_token=\(session["refreshToken"]?.string ?? "")")
            for token in [session["idToken"], refreshed["id_token"]] {
                let answer = try await backend.toolkit("delete", ["idToken": token ?? .null])
                #expect(answer.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            }
            #expect(backend.emulator.firebase.users.count == 1)
        }
    }
}
