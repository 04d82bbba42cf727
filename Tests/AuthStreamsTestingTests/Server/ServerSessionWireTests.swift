import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// The life of a session at the emulated server: rotation, families, expiry, and the ways it ends.
@Suite struct ServerSessionWireTests {
    @Test func aRefreshTokenIsReplacedAtEachUse() async throws {
        try await EmulatedBackend.run { backend in
            var tokens = try await backend.signInAtServer()
            var seen: Set<String> = [tokens.refresh, tokens.access]
            for _ in 0..<3 {
                let reply = try await backend.refreshAtServer(tokens.refresh)
                #expect(reply.status == 200)
                #expect(reply["isNewUser"] == nil)
                tokens = try ServerTokens(reply)
                #expect(seen.insert(tokens.refresh).inserted)
                #expect(seen.insert(tokens.access).inserted)
            }
        }
    }

    /// RFC 9700 section 4.14.2: the server cannot tell the thief from the app, so neither continues.
    @Test func aSecondUseEndsTheWholeFamily() async throws {
        try await EmulatedBackend.run { backend in
            let first = try await backend.signInAtServer()
            let elsewhere = try await backend.signInAtServer()
            let second = try ServerTokens(await backend.refreshAtServer(first.refresh))
            #expect(try await backend.refreshAtServer(first.refresh).problem == "401 refresh-token-reused")
            #expect(try await backend.refreshAtServer(second.refresh).problem == "401 session-expired")
            #expect(try await backend.refreshAtServer(first.refresh).problem == "401 session-expired")
            for token in [first.access, second.access] {
                #expect(try await backend.deleteAtServer(token).problem == "401 invalid-access-token")
            }
            // The same person's session on another device is another family.
            #expect(try await backend.refreshAtServer(elsewhere.refresh).status == 200)
        }
    }

    @Test func ofManyAtOnceOneGetsTheNextToken() async throws {
        try await EmulatedBackend.run { backend in
            let token = try await backend.signInAtServer().refresh
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await backend.refreshAtServer(token).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 200 } == 1)
            #expect(statuses.count { $0 == 401 } == 7)
        }
    }

    @Test func bothTokensExpireByTheClock() async throws {
        try await EmulatedBackend.run { backend in
            var tokens = try await backend.signInAtServer()
            backend.clock.advance(by: .seconds(900))
            #expect(try await backend.deleteAtServer(tokens.access).problem == "401 invalid-access-token")
            tokens = try ServerTokens(await backend.refreshAtServer(tokens.refresh))
            backend.clock.advance(by: .seconds(30 * 86_400 - 1))
            tokens = try ServerTokens(await backend.refreshAtServer(tokens.refresh))
            backend.clock.advance(by: .seconds(30 * 86_400))
            #expect(try await backend.refreshAtServer(tokens.refresh).problem == "401 session-expired")
        }
    }

    @Test func aServerMayGiveNoRefreshToken() async throws {
        let withoutRefresh: (inout EmulatorConfiguration) -> Void = { $0.server.givesRefreshTokens = false }
        try await EmulatedBackend.run(withoutRefresh) { backend in
            let token = AuthJSON.string(backend.googleToken())
            let reply = try await backend.api("sign-in", ["provider": "google.com", "idToken": token])
            #expect(reply.status == 200)
            #expect(reply["refreshToken"] == nil)
        }
    }

    @Test func signingOutEndsTheFamilyOfEitherToken() async throws {
        try await EmulatedBackend.run { backend in
            let byRefresh = try await backend.signInAtServer()
            let byAccess = try await backend.signInAtServer()
            let other = try await backend.signInAtServer()
            #expect(backend.emulator.server.sessionCount(of: other.userID) == 3)
            let body: AuthJSON = ["refreshToken": .string(byRefresh.refresh)]
            #expect(try await backend.api("sign-out", body, accessToken: byRefresh.access).status == 204)
            #expect(try await backend.api("sign-out", [:], accessToken: byAccess.access).status == 204)
            for tokens in [byRefresh, byAccess] {
                #expect(try await backend.refreshAtServer(tokens.refresh).problem == "401 session-expired")
                #expect(try await backend.deleteAtServer(tokens.access).problem == "401 invalid-access-token")
            }
            #expect(try await backend.refreshAtServer(other.refresh).status == 200)
            #expect(backend.emulator.server.sessionCount(of: other.userID) == 1)
        }
    }

    @Test(arguments: [false, true]) func signingOutGoesByTheRefreshTokenWhenTheAccessTokenIsOver(
        isChecked: Bool
    ) async throws {
        let checked: (inout EmulatorConfiguration) -> Void = { $0.server.checksAccessTokenAtSignOut = isChecked }
        try await EmulatedBackend.run(checked) { backend in
            let tokens = try await backend.signInAtServer()
            backend.clock.advance(by: .seconds(900))
            let body: AuthJSON = ["refreshToken": .string(tokens.refresh)]
            let reply = try await backend.api("sign-out", body, accessToken: tokens.access)
            #expect(reply.problem == (isChecked ? "401 invalid-access-token" : nil))
            #expect(backend.emulator.server.sessionCount(of: tokens.userID) == (isChecked ? 1 : 0))
            guard isChecked else { return }
            #expect(try await backend.api("sign-out", body).status == 204)
            #expect(backend.emulator.server.sessionCount(of: tokens.userID) == 0)
        }
    }

    @Test func nobodySignsSomebodyElseOut() async throws {
        try await EmulatedBackend.run { backend in
            let minji = try await backend.signInAtServer()
            let alex = try await backend.signInAtServer("1002", email: "alex@example.com")
            let body: AuthJSON = ["refreshToken": .string(minji.refresh)]
            #expect(try await backend.api("sign-out", body, accessToken: alex.access).problem == "403 access-denied")
            #expect(try await backend.api("sign-out", [:]).problem == "401 invalid-access-token")
            #expect(try await backend.refreshAtServer(minji.refresh).status == 200)
        }
    }

    @Test func deletingTakesARecentSignIn() async throws {
        try await EmulatedBackend.run { backend in
            let tokens = try await backend.signInAtServer()
            backend.clock.advance(by: .seconds(301))
            #expect(try await backend.deleteAtServer(tokens.access).problem == "403 requires-recent-sign-in")
            // A refresh is no sign-in.
            let refreshed = try ServerTokens(await backend.refreshAtServer(tokens.refresh))
            #expect(try await backend.deleteAtServer(refreshed.access).problem == "403 requires-recent-sign-in")
            let again = try await backend.signInAtServer()
            #expect(try await backend.deleteAtServer(again.access).status == 204)
            #expect(backend.emulator.server.users.isEmpty)
            #expect(backend.emulator.server.sessionCount(of: again.userID) == 0)
            #expect(try await backend.refreshAtServer(again.refresh).problem == "410 user-not-found")
            #expect(try await backend.deleteAtServer(again.access).problem == "410 user-not-found")
            #expect(try await backend.signInAtServer().userID == "user-2")
        }
    }

    @Test(arguments: [nil, "", "never-issued"]) func deletingTakesAToken(token: String?) async throws {
        try await EmulatedBackend.run { backend in
            let reply = try await backend.deleteAtServer(token)
            #expect(reply.problem == "401 invalid-access-token")
        }
    }

    @Test func theBackOfficeEndsSessionsAndChangesClaims() async throws {
        try await EmulatedBackend.run { backend in
            let server = backend.emulator.server
            var tokens = try await backend.signInAtServer()
            let userID = tokens.userID
            #expect(server.setClaims(["role": "admin"], of: userID))
            let reply = try await backend.refreshAtServer(tokens.refresh)
            #expect(reply["user"]?["claims"] == ["role": "admin"])
            tokens = try ServerTokens(reply)
            server.disable(userID)
            #expect(try await backend.refreshAtServer(tokens.refresh).problem == "403 user-disabled")
            // A refusal for another reason uses no token up.
            server.enable(userID)
            tokens = try ServerTokens(await backend.refreshAtServer(tokens.refresh))
            #expect(server.revokeSessions(of: userID))
            #expect(try await backend.refreshAtServer(tokens.refresh).problem == "401 session-revoked")
            tokens = try await backend.signInAtServer()
            #expect(server.delete(userID))
            #expect(try await backend.refreshAtServer(tokens.refresh).problem == "410 user-not-found")
            #expect(!server.disable("user-9") && !server.delete("user-9") && !server.revokeSessions(of: "user-9"))
        }
    }

    @Test(arguments: [[:], ["refreshToken": 7], ["refreshToken": ""], nil] as [AuthJSON])
    func aRefreshWithoutTokenIsABadRequest(body: AuthJSON) async throws {
        try await EmulatedBackend.run { backend in
            let reply = try await backend.api("refresh", body)
            #expect(reply.problem == "400 invalid-request")
            let unknown = try await backend.refreshAtServer("never issued")
            #expect(unknown.problem == "401 session-expired")
        }
    }
}
