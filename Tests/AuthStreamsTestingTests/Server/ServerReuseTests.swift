import AuthStreams
import AuthStreamsTesting
import Testing

/// What becomes of a refresh token that comes again, and how a test sees it.
@Suite struct ServerReuseTests {
    private let window: (inout EmulatorConfiguration) -> Void = { $0.server.refreshReuseWindow = .seconds(10) }

    @Test func withoutAWindowASecondUseEndsTheFamily() async throws {
        try await EmulatedBackend.run { backend in
            let first = try await backend.signInAtServer()
            let next = try ServerTokens(await backend.refreshAtServer(first.refresh))
            #expect(try await backend.refreshAtServer(first.refresh).problem == "401 refresh-token-reused")
            #expect(try await backend.refreshAtServer(next.refresh).problem == "401 session-expired")
            let server = backend.emulator.server
            #expect(
                server.refreshes.map(\.description) == [
                    "user-1 1 replaced", #"user-1 2 refused("refresh-token-reused")"#,
                    #"user-1 1 refused("session-expired")"#,
                ])
            #expect(server.repeatedRefreshes.count == 1)
            #expect(server.refreshCount(of: Secret(first.refresh)) == 2)
            #expect(server.refreshCount(of: Secret("never came")) == 0)
        }
    }

    @Test func withinTheWindowTheSameSuccessorIsAnsweredOnce() async throws {
        try await EmulatedBackend.run(window) { backend in
            let first = try await backend.signInAtServer()
            let next = try ServerTokens(await backend.refreshAtServer(first.refresh))
            backend.clock.advance(by: .seconds(9))
            let again = try ServerTokens(await backend.refreshAtServer(first.refresh))
            #expect(again.refresh == next.refresh)
            #expect(again.access != next.access)
            #expect(backend.emulator.server.refreshes.map(\.answer) == [.replaced, .repeated])
            // Both access tokens are valid, and the family continues from the one successor.
            #expect(try await backend.refreshAtServer(next.refresh).status == 200)
        }
    }

    @Test func theWindowForgivesOnceAndNotForLong() async throws {
        try await EmulatedBackend.run(window) { backend in
            let twice = try await backend.signInAtServer()
            for status in [200, 200, 401] { #expect(try await backend.refreshAtServer(twice.refresh).status == status) }
            let late = try await backend.signInAtServer()
            _ = try await backend.refreshAtServer(late.refresh)
            backend.clock.advance(by: .seconds(10))
            #expect(try await backend.refreshAtServer(late.refresh).problem == "401 refresh-token-reused")
            // Once the successor is used, the old one is a thief's.
            let overtaken = try await backend.signInAtServer()
            let next = try ServerTokens(await backend.refreshAtServer(overtaken.refresh))
            _ = try await backend.refreshAtServer(next.refresh)
            #expect(try await backend.refreshAtServer(overtaken.refresh).problem == "401 refresh-token-reused")
        }
    }

    /// A token that the client sends again after a lost answer is accepted, so that the session continues.
    @Test func aLostAnswerIsForgivenWithinTheWindow() async throws {
        try await EmulatedBackend.run(window) { backend in
            let first = try await backend.signInAtServer()
            backend.emulator.inject(.dropConnection, at: .serverRefresh)
            await #expect(throws: (any Error).self) { try await backend.refreshAtServer(first.refresh) }
            #expect(try await backend.refreshAtServer(first.refresh).status == 200)
            #expect(backend.emulator.server.refreshes.map(\.answer) == [.replaced, .repeated])
            // What a fault answers in the server's place never came.
            backend.emulator.inject(.status(503), at: .serverRefresh)
            _ = try await backend.refreshAtServer(first.refresh)
            #expect(backend.emulator.server.refreshes.count == 2)
        }
    }

    @Test func whyASessionEndedIsSaid() async throws {
        try await EmulatedBackend.run { backend in
            let server = backend.emulator.server
            let withdrawn = try await backend.signInAtServer()
            #expect(server.noteRevocation(at: .kakao, by: withdrawn.userID))
            #expect(server.sessionCount(of: withdrawn.userID) == 1)
            server.noteRevocation(at: .google, by: withdrawn.userID)
            #expect(try await backend.refreshAtServer(withdrawn.refresh).problem == "401 revoked-at-provider")
            let (here, there) = (try await backend.signInAtServer(), try await backend.signInAtServer())
            #expect(try await backend.api("sign-out-everywhere", accessToken: here.access).status == 204)
            #expect(try await backend.refreshAtServer(here.refresh).problem == "401 session-expired")
            #expect(try await backend.refreshAtServer(there.refresh).problem == "401 session-revoked")
            #expect(!server.noteRevocation(at: .google, by: "user-9"))
        }
    }
}
