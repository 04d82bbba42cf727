import AuthStreams
import AuthStreamsTesting
import Testing

/// Linking and the like at the emulated server, to the word.
@Suite struct ServerLinkWireTests {
    private func kakao(_ backend: EmulatedBackend, _ id: String = "1001") -> AuthJSON {
        ["provider": "kakao", "idToken": .string(backend.kakaoToken(["sub": .string(id)]))]
    }

    @Test func aLinkedIdentityBelongsToOneUser() async throws {
        try await EmulatedBackend.run { backend in
            let tokens = try await backend.signInAtServer()
            let linked = try await backend.api("links", kakao(backend), accessToken: tokens.access)
            #expect(linked.json.object?.keys.sorted() == ["user"])
            #expect(linked["user"]?["providers"]?.array?.count == 2)
            // Once more is nothing new.
            #expect(try await backend.api("links", kakao(backend), accessToken: tokens.access).json == linked.json)
            let other = try await backend.signInAtServer("1002", email: "alex@example.com")
            let refused = try await backend.api("links", kakao(backend), accessToken: other.access)
            #expect(refused.problem == "409 credential-in-use")
            #expect(refused["email"] == "minji@example.com")
            #expect(refused["providers"] == ["google.com", "kakao"])
        }
    }

    @Test func anAddressOfAnotherUserIsAConflictThatSaysNoMoreThanIsProved() async throws {
        let sameAddress: (inout EmulatorConfiguration) -> Void = {
            for index in $0.kakao.users.indices { $0.kakao.users[index].email = "minji@example.com" }
            $0.kakao.users[1].isEmailVerified = false
        }
        try await EmulatedBackend.run(sameAddress) { backend in
            _ = try await backend.signInAtServer()
            let other = try await backend.signInAtServer("1002", email: "alex@example.com")
            let proved = try await backend.api("links", kakao(backend), accessToken: other.access)
            #expect(proved.problem == "409 account-exists")
            #expect(proved["providers"] == ["google.com"])
            let claimed = try await backend.api("sign-in", kakao(backend, "1002"))
            #expect(claimed.problem == "409 account-exists")
            #expect(claimed["email"] == "minji@example.com")
            #expect(claimed["providers"] == nil)
        }
    }

    @Test func theLastIdentityStaysAndUnlinkingTakesARecentSignIn() async throws {
        try await EmulatedBackend.run { backend in
            let tokens = try await backend.signInAtServer()
            let unlink = { (provider: String) in
                try await backend.api("links/\(provider)", accessToken: tokens.access, method: .delete)
            }
            #expect(try await unlink("google.com").problem == "409 last-provider")
            #expect(try await unlink("naver").status == 200)
            _ = try await backend.api("links", kakao(backend), accessToken: tokens.access)
            backend.clock.advance(by: .seconds(301))
            #expect(try await unlink("google.com").problem == "403 requires-recent-sign-in")
            let proof = try await backend.api("reauthenticate", kakao(backend), accessToken: tokens.access)
            #expect(proof["accessToken"]?.string != nil && proof["refreshToken"] == nil)
            #expect(try await unlink("google.com")["user"]?["providers"]?.array?.count == 1)
        }
    }

    @Test func anAnonymousUserKeepsTheIdentifier() async throws {
        try await EmulatedBackend.run { backend in
            let guest = try await backend.api("anonymous")
            #expect(guest["user"]?["isAnonymous"] == true && guest["provider"] == "anonymous")
            let tokens = try ServerTokens(guest)
            let lasting = try await backend.api("links", kakao(backend), accessToken: tokens.access)
            #expect(lasting["user"]?["id"] == .string(tokens.userID))
            #expect(lasting["user"]?["isAnonymous"] == false)
            #expect(try await backend.refreshAtServer(tokens.refresh)["provider"] == "kakao")
        }
        try await EmulatedBackend.run(
            { $0.server.takesAnonymousUsers = false },
            { backend in
                let problem = try await backend.api("anonymous").problem
                #expect(problem == "403 access-denied")
            })
    }

    @Test func nothingIsDoneForWhoIsNotSignedIn() async throws {
        try await EmulatedBackend.run { backend in
            for name in ["links", "reauthenticate", "revoke-access", "sign-out-everywhere"] {
                for token in [nil, "never-issued"] {
                    let reply = try await backend.api(name, kakao(backend), accessToken: token)
                    #expect(reply.problem == "401 invalid-access-token", "\(name)")
                }
            }
            // No code was redeemed on the way.
            #expect(backend.emulator.journal.entries.allSatisfy { $0.caller == .app })
        }
    }
}
