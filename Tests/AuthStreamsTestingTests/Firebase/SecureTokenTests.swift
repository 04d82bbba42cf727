import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct SecureTokenTests {
    private func refreshToken(_ backend: EmulatedBackend) async throws -> String {
        let session = try await backend.signInWithCustomToken(backend.customToken(["claims": ["provider": "kakao"]]))
        return try #require(session["refreshToken"]?.string)
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", "grant_type=refresh_token&refresh_token=%@"),
        ("application/json", #"{"grantType":"refresh_token","refreshToken":"%@"}"#),
        ("application/json; charset=utf-8", #"{"grant_type":"refresh_token","refresh_token":"%@"}"#),
    ])
    func refreshIsTakenInEverySpelling(type: String, template: String) async throws {
        try await EmulatedBackend.run { backend in
            let token = try await refreshToken(backend)
            backend.clock.advance(by: .seconds(3600))
            let answer = try await backend.secureToken(template.replacing("%@", with: token), type: type)
            #expect(answer.status == 200)
            #expect(answer["expires_in"] == "3600")
            #expect(answer["token_type"] == "Bearer")
            #expect(answer["refresh_token"]?.string == token)
            #expect(answer["user_id"] == "kakao:1001")
            #expect(answer["project_id"] == "100100100100")
            #expect(answer["access_token"] == answer["id_token"])
            let jwt = try #require(JSONWebToken(Secret(answer["id_token"]?.string ?? "")))
            #expect(jwt.claims["iat"] == .integer(backend.now))
            #expect(jwt.claims["auth_time"] == .integer(backend.now - 3600))
            #expect(jwt.claims["provider"] == "kakao")
        }
    }

    @Test func rotatedTokenIsAnotherOneAndTheOldStaysGood() async throws {
        let rotating = { (configuration: inout EmulatorConfiguration) in
            configuration.firebase.rotatesRefreshTokens = true
        }
        try await EmulatedBackend.run(rotating) { backend in
            let token = try await refreshToken(backend)
            for _ in 0..<2 {
                let answer = try await backend.secureToken("grant_type=refresh_token&refresh_token=\(token)")
                #expect(answer.status == 200)
                #expect(answer["refresh_token"]?.string != token)
            }
        }
    }

    @Test(arguments: [
        ("", "MISSING_GRANT_TYPE"), ("refresh_token=x", "MISSING_GRANT_TYPE"),
        ("grant_type=authorization_code&code=x", "INVALID_GRANT_TYPE"),
        ("grant_type=refresh_token", "MISSING_REFRESH_TOKEN"),
        ("grant_type=refresh_token&refresh_token=x", "INVALID_REFRESH_TOKEN"),
    ])
    func requestThatCannotBeSaysWhy(body: String, code: String) async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.secureToken(body)
            #expect(answer.status == 400)
            #expect(answer.code == code)
        }
    }

    @Test func sessionThatIsOverSaysWhy() async throws {
        try await EmulatedBackend.run { backend in
            let body = "grant_type=refresh_token&refresh_token=\(try await refreshToken(backend))"
            let firebase = backend.emulator.firebase
            firebase.disable("kakao:1001")
            try await #expect(backend.secureToken(body).code == "USER_DISABLED")
            firebase.enable("kakao:1001")
            try await #expect(backend.secureToken(body).status == 200)
            firebase.revokeRefreshTokens(of: "kakao:1001")
            try await #expect(backend.secureToken(body).code == "TOKEN_EXPIRED")
            firebase.delete("kakao:1001")
            try await #expect(backend.secureToken(body).code == "USER_NOT_FOUND")
            #expect(firebase.delete("kakao:1001") == false)
        }
    }
}
