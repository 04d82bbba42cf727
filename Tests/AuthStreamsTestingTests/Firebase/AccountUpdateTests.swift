import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// `accounts:update`, `accounts:revokeToken` and the pending tokens, on the wire.
@Suite struct AccountUpdateTests {
    private func revokeToken(
        _ changes: [String: AuthJSON], _ backend: EmulatedBackend
    ) async throws -> EmulatedBackend.Answer {
        let session = try await backend.signIn("apple.com", backend.appleToken(["sub": "a1"]))
        let body: [String: AuthJSON] = [
            "providerId": "apple.com", "tokenType": "CODE", "token": "unknown", "idToken": session["idToken"] ?? .null,
        ]
        return try await backend.post(
            "https://identitytoolkit.googleapis.com/v2/accounts:revokeToken?key=emulator-api-key",
            JSONEncoder().encode(AuthJSON.object(body.merging(changes) { $1 })))
    }

    @Test func whatIsLeftIsTold() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.signIn("google.com", backend.googleToken())
            _ = try await backend.signIn("apple.com", backend.appleToken(["sub": "a1"]))
            let idToken = session["idToken"] ?? .null
            let answer = try await backend.toolkit("update", ["idToken": idToken, "deleteProvider": ["google.com"]])
            #expect(answer.status == 200)
            #expect(answer["localId"] == session["localId"])
            #expect(answer["providerUserInfo"]?.array?.compactMap { $0["providerId"]?.string } == ["apple.com"])
            #expect(answer["idToken"] == nil)
            let none = try await backend.toolkit("update", ["idToken": idToken, "deleteProvider": ["apple.com", "x"]])
            #expect(none["providerUserInfo"] == nil)
            #expect(none["email"] == "minji@example.com")
        }
    }

    /// No recent sign-in is needed for it.
    @Test func nameAndPictureAreSetAndRemoved() async throws {
        let strict: (inout EmulatorConfiguration) -> Void = { $0.firebase.recentSignInToUnlink = .seconds(300) }
        try await EmulatedBackend.run(strict) { backend in
            let session = try await backend.signIn("google.com", backend.googleToken())
            backend.clock.advance(by: .seconds(600))
            let rows: [([String: AuthJSON], name: AuthJSON?, photo: AuthJSON?)] = [
                (["displayName": "민지", "photoUrl": "https://p.example/1"], "민지", "https://p.example/1"),
                (["deleteAttribute": ["PHOTO_URL"]], "민지", nil), (["displayName": "지민"], "지민", nil),
                (["deleteAttribute": ["DISPLAY_NAME"]], nil, nil),
            ]
            for (changes, name, photo) in rows {
                let token: [String: AuthJSON] = ["idToken": session["idToken"] ?? .null]
                let answer = try await backend.toolkit("update", .object(token.merging(changes) { $1 }))
                #expect(answer.status == 200)
                let user = try await backend.toolkit("lookup", .object(token))["users"]?.array?.first
                for told in [answer.json, user] {
                    #expect(told?["displayName"] == name && told?["photoUrl"] == photo)
                }
            }
        }
    }

    @Test(
        arguments: [
            (["deleteProvider": "google.com"], 400), (["deleteProvider": [1]], 400), (["unheardOf": 1], 400),
            (["displayName": 1], 400), (["deleteAttribute": "DISPLAY_NAME"], 400),
            (["deleteAttribute": ["EMAIL"]], 501), (["email": "a@b.example"], 400), (["disableUser": true], 400),
            (["password": "weak"], 400),
            (["password": ""], 400),
            (["idToken": "x.y.z"], 400),
            (["idToken": .null], 400),
        ] as [([String: AuthJSON], Int)])
    func aChangeThatCannotBeIsRefused(changes: [String: AuthJSON], status: Int) async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.signIn("google.com", backend.googleToken())
            let body: [String: AuthJSON] = ["idToken": session["idToken"] ?? .null, "deleteProvider": ["google.com"]]
            let answer = try await backend.toolkit("update", .object(body.merging(changes) { $1 }))
            #expect(answer.status == status)
            #expect(backend.emulator.firebase.users.first?.identities.count == 1)
        }
    }

    @Test(
        arguments: [
            ([:], "INVALID_IDP_RESPONSE"), (["tokenType": "3"], "INVALID_IDP_RESPONSE"),
            (["tokenType": "ACCESS_TOKEN"], "INVALID_IDP_RESPONSE"), (["tokenType": "4"], "INVALID_TOKEN_TYPE"),
            (["token": ""], "MISSING_CODE"),
            (["providerId": "google.com"], "INVALID_PROVIDER_ID"), (["idToken": "x.y.z"], "INVALID_ID_TOKEN"),
            (["idToken": .null], "MISSING_ID_TOKEN"),
        ] as [([String: AuthJSON], String)])
    func aRevocationThatCannotBeIsRefused(changes: [String: AuthJSON], code: String) async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await revokeToken(changes, backend)
            #expect(answer.code == code)
        }
    }

    @Test func aTokenWithANonceIsTakenOnce() async throws {
        try await EmulatedBackend.run { backend in
            let token = backend.googleToken(["nonce": "n"])
            try await #expect(backend.signIn("google.com", token).status == 200)
            let again = try await backend.signIn("google.com", token)
            #expect(again.code == "MISSING_OR_INVALID_NONCE")
            #expect(again.message?.contains("Duplicate") == true)
            // Without a nonce there is nothing to check.
            let plain = backend.googleToken()
            for _ in 0..<2 { try await #expect(backend.signIn("google.com", plain).status == 200) }
        }
    }

    @Test func onlyAConflictHasAPendingToken() async throws {
        try await EmulatedBackend.run { backend in
            let owner = try await backend.signIn("google.com", backend.googleToken())
            #expect(owner["pendingToken"] == nil)
            let unproven = try await backend.signIn(
                "apple.com", backend.appleToken(["sub": "a1", "email_verified": "false"]))
            let pending = try #require(unproven["pendingToken"])
            let body: [String: AuthJSON] = [
                "requestUri": "http://localhost", "returnSecureToken": true, "pendingToken": pending,
                "idToken": owner["idToken"] ?? .null,
            ]
            try await #expect(backend.toolkit("signInWithIdp", .object(body))["localId"] == owner["localId"])
            try await #expect(backend.toolkit("signInWithIdp", .object(body)).code == "INVALID_PENDING_TOKEN")
        }
    }

    @Test func theAnswersDateIsTheEmulatorsTime() async throws {
        try await EmulatedBackend.run { backend in
            backend.clock.advance(by: .seconds(60))
            let request = AuthHTTPRequest(.get, backend.emulator.url(for: "https://appleid.apple.com/auth/keys"))
            let response = try await backend.transport.send(request)
            #expect(response.headers[.date] == "Thu, 09 Oct 2025 08:54:20 GMT")
        }
    }
}
