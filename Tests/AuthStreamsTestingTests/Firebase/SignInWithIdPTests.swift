import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct SignInWithIdPTests {
    @Test func googleTokenMakesAUserAndASession() async throws {
        try await EmulatedBackend.run { backend in
            let token = backend.googleToken(["name": "Kim Minji", "picture": "https://x.example/p"])
            let answer = try await backend.signIn("google.com", token)
            #expect(answer.status == 200)
            let user = try #require(backend.emulator.firebase.users.first)
            #expect(answer["localId"]?.string == user.id)
            #expect(answer["isNewUser"] == true)
            #expect(answer["expiresIn"] == "3600")
            #expect(answer["federatedId"] == "https://accounts.google.com/1001")
            #expect(answer["oauthIdToken"]?.string == token)
            #expect(answer["displayName"] == "Kim Minji")
            #expect(answer["needConfirmation"] == nil)
            let raw = try #require(answer["rawUserInfo"]?.string)
            try #expect(JSONDecoder().decode(AuthJSON.self, from: Data(raw.utf8))["sub"] == "1001")

            let jwt = try #require(JSONWebToken(Secret(answer["idToken"]?.string ?? "")))
            #expect(jwt.header["alg"] == "RS256")
            #expect(jwt.claims["iss"] == "https://securetoken.google.com/authstreams-demo")
            #expect(jwt.claims["aud"] == "authstreams-demo")
            #expect(jwt.claims["sub"]?.string == user.id)
            #expect(jwt.claims["user_id"]?.string == user.id)
            #expect(jwt.claims["auth_time"] == .integer(backend.now))
            #expect(jwt.claims["exp"] == .integer(backend.now + 3600))
            #expect(jwt.claims["firebase"]?["sign_in_provider"] == "google.com")
            #expect(jwt.claims["firebase"]?["identities"]?["google.com"] == ["1001"])
            let keys = try await backend.get(
                "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
            #expect(keys["keys"]?.array?.first?["kid"] == jwt.header["kid"])
        }
    }

    @Test func returningUserIsNotNewAndTheMemberIsAbsent() async throws {
        try await EmulatedBackend.run { backend in
            let first = try await backend.signIn("google.com", backend.googleToken())
            let second = try await backend.signIn("google.com", backend.googleToken())
            #expect(second["localId"] == first["localId"])
            #expect(second["isNewUser"] == nil)
        }
    }

    @Test func appleNeedsTheRawNonceOfTheHashInItsToken() async throws {
        // SHA-256 of "abc", FIPS 180-4.
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        try await EmulatedBackend.run { backend in
            let token = backend.appleToken(["nonce": .string(hash)])
            let name = (name: "user", value: #"{"name":{"firstName":"민지","lastName":"김"}}"#)
            let answer = try await backend.signIn("apple.com", token, [("nonce", "abc"), name])
            #expect(answer.status == 200)
            #expect(answer["displayName"] == "민지 김")
            #expect(answer["firstName"] == "민지")
            for wrong in [[(name: "nonce", value: hash)], [("nonce", "other")], []] {
                let refused = try await backend.signIn("apple.com", token, wrong)
                #expect(refused.status == 400)
                #expect(refused.code == "MISSING_OR_INVALID_NONCE")
            }
        }
    }

    /// GoogleSignIn puts a nonce into the token that the app cannot read.
    @Test func googlesNonceIsComparedIfOneIsSent() async throws {
        // SHA-256 of "abc", FIPS 180-4.
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        try await EmulatedBackend.run { backend in
            let hashed = { backend.googleToken(["nonce": .string(hash), "jti": .string(UUID().uuidString)]) }
            try await #expect(backend.signIn("google.com", hashed()).status == 200)
            try await #expect(backend.signIn("google.com", hashed(), [("nonce", "abc")]).status == 200)
            for wrong in [hash, "other"] {
                let refused = try await backend.signIn("google.com", hashed(), [("nonce", wrong)])
                #expect(refused.code == "MISSING_OR_INVALID_NONCE")
            }
            let without = try await backend.signIn("google.com", backend.googleToken(), [("nonce", "n")])
            #expect(without.code == "MISSING_OR_INVALID_NONCE")
        }
    }

    @Test(
        arguments: [
            ["iss": "https://accounts.google.com.evil"], ["aud": "another-app"], ["aud": .null], ["exp": 1],
            ["exp": .null],
            ["sub": ""], ["sub": .null], ["iat": 1_760_000_300],
            ["aud": ["1001-ios.apps.googleusercontent.com", "other"]],
        ] as [[String: AuthJSON]])
    func tokenThatBreaksARuleIsRefused(changes: [String: AuthJSON]) async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.signIn("google.com", backend.googleToken(changes))
            #expect(answer.status == 400)
            #expect(answer.code == "INVALID_IDP_RESPONSE")
            #expect(backend.emulator.firebase.users.isEmpty)
        }
    }

    @Test func tokenOfAnotherProviderOrOfNobodyIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            let foreignKey = backend.googleToken(host: "kauth.kakao.com")
            try await #expect(backend.signIn("google.com", foreignKey).code == "INVALID_IDP_RESPONSE")
            try await #expect(backend.signIn("apple.com", backend.googleToken()).code == "INVALID_IDP_RESPONSE")
            try await #expect(backend.signIn("google.com", "no.token").code == "INVALID_IDP_RESPONSE")
            try await #expect(backend.signIn("google.com", "").code == "INVALID_IDP_RESPONSE")
        }
    }

    @Test(.enabled(if: TokenSigner().isAvailable)) func forgedSignatureIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            var parts = backend.googleToken().split(separator: ".").map(String.init)
            parts[1] = backend.googleToken(["sub": "1002"]).split(separator: ".").map(String.init)[1]
            let answer = try await backend.signIn("google.com", parts.joined(separator: "."))
            #expect(answer.code == "INVALID_IDP_RESPONSE")
        }
    }

    @Test func providerThatIsNotEnabledIsNotAllowed() async throws {
        let appleAlone = { (configuration: inout EmulatorConfiguration) in
            configuration.firebase.enabledProviders = [.apple]
        }
        try await EmulatedBackend.run(appleAlone) { backend in
            let answer = try await backend.signIn("google.com", backend.googleToken())
            #expect(answer.code == "OPERATION_NOT_ALLOWED")
            try await #expect(backend.signIn("kakao", backend.kakaoToken()).code == "OPERATION_NOT_ALLOWED")
        }
    }

    @Test func requestWithoutItsPartsSaysWhichIsMissing() async throws {
        try await EmulatedBackend.run { backend in
            let token = backend.googleToken()
            for (body, code) in [
                (["requestUri": .null], "MISSING_REQUEST_URI"), (["requestUri": "not a url"], "INVALID_REQUEST_URI"),
                (["postBody": ""], "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
                (["postBody": "id_token=%zz"], "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
                (["postBody": "id_token=x"], "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
                (["postBody": "providerId=apple.com&access_token=x"], "INVALID_IDP_RESPONSE"),
                (["postBody": "providerId=google.com&access_token=x"], "NOT_IMPLEMENTED"),
            ] as [([String: AuthJSON], String)] {
                try await #expect(backend.signIn("google.com", token, body: body).code == code)
            }
        }
    }

    // MARK: One account per e-mail address

    @Test func verifiedAddressJoinsTheUserWhoHasIt() async throws {
        try await EmulatedBackend.run { backend in
            let google = try await backend.signIn("google.com", backend.googleToken())
            let apple = try await backend.signIn(
                "apple.com", backend.appleToken(["sub": "a1", "email": "MINJI@example.com", "email_verified": "true"]))
            #expect(apple["localId"] == google["localId"])
            #expect(apple["isNewUser"] == nil)
            #expect(backend.emulator.firebase.users.first?.identities.map(\.providerID) == ["google.com", "apple.com"])
        }
    }

    @Test func addressThatNobodyVouchesForNeedsConfirmation() async throws {
        try await EmulatedBackend.run { backend in
            _ = try await backend.signIn("google.com", backend.googleToken())
            let apple = try await backend.signIn(
                "apple.com", backend.appleToken(["sub": "a1", "email_verified": "false"]))
            #expect(apple.status == 200)
            #expect(apple["needConfirmation"] == true)
            #expect(apple["verifiedProvider"] == ["google.com"])
            #expect(apple["idToken"] == nil)
            #expect(apple["refreshToken"] == nil)
            #expect(backend.emulator.firebase.users.count == 1)
        }
    }

    @Test func verifiedAddressTakesAnUnverifiedUserOver() async throws {
        try await EmulatedBackend.run { backend in
            let first = try await backend.signIn("google.com", backend.googleToken(["email_verified": false]))
            _ = try await backend.signIn("apple.com", backend.appleToken(["sub": "a1"]))
            let user = try #require(backend.emulator.firebase.users.first)
            #expect(user.id == first["localId"]?.string)
            #expect(user.identities.map(\.providerID) == ["apple.com"])
            #expect(user.isEmailVerified)
        }
    }

    @Test func disabledUserCannotSignIn() async throws {
        try await EmulatedBackend.run { backend in
            let first = try await backend.signIn("google.com", backend.googleToken())
            #expect(backend.emulator.firebase.disable(first["localId"]?.string ?? ""))
            try await #expect(backend.signIn("google.com", backend.googleToken()).code == "USER_DISABLED")
        }
    }

    // MARK: Linking

    @Test func identityIsLinkedToTheUserOfTheIDToken() async throws {
        try await EmulatedBackend.run { backend in
            let google = try await backend.signIn("google.com", backend.googleToken())
            let linked = try await backend.signIn(
                "apple.com", backend.appleToken(["sub": "a1", "email": "relay@example.com"]),
                body: ["idToken": google["idToken"] ?? .null])
            #expect(linked["localId"] == google["localId"])
            #expect(linked["idToken"]?.string?.isEmpty == false)
        }
    }

    @Test func identityOfAnotherUserIsNotLinked() async throws {
        try await EmulatedBackend.run { backend in
            let apple = backend.appleToken(["sub": "a1", "email": "relay@example.com"])
            _ = try await backend.signIn("apple.com", apple)
            let google = try await backend.signIn("google.com", backend.googleToken())
            let idToken = google["idToken"] ?? .null
            let told = try await backend.signIn("apple.com", apple, body: ["idToken": idToken])
            #expect(told.status == 200)
            #expect(told["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
            #expect(told["idToken"] == nil)
            let failed = try await backend.signIn(
                "apple.com", apple, body: ["idToken": idToken, "returnIdpCredential": false])
            #expect(failed.status == 400)
            #expect(failed.code == "FEDERATED_USER_ID_ALREADY_LINKED")
            let address = try await backend.signIn(
                "apple.com", backend.appleToken(["sub": "a2", "email": "relay@example.com"]), body: ["idToken": idToken]
            )
            #expect(address["errorMessage"] == "EMAIL_EXISTS")
        }
    }
}
