import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// A network that is down until it is up: before that nothing is sent.
private final class Network: AuthHTTPTransport {
    let isUp = Lock(false)
    private let base = URLSessionTransport.untimed()

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        guard isUp.withLock({ $0 }) else { throw AuthError(.network, "The network is down.") }
        return try await base.send(request)
    }
}

/// An app that was built on another SDK is updated to this one, against both kinds of servers.
@MainActor
@Suite struct AdoptionTests {
    nonisolated static let backends = EmulatedDevice.Backend.allCases

    @Test(arguments: backends, [ProviderID.apple, .google, .kakao, .naver])
    func theUpdateSignsNobodyOut(backend: EmulatedDevice.Backend, provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let old = try await AppUpdate(at: emulator, backend).oldSession(of: provider)
            let store = MemorySessionStore()
            do {
                let device = EmulatedDevice(
                    at: emulator.baseURL, backend: backend, store: store,
                    adoption: SessionAdoption(find: { old.session }))
                let seen = await device.auth.states.prefix { $0 == .signedIn(old.user, .verified) }
                #expect(!seen.contains { $0.isSignedOut })
            }
            // And from now on it is an ordinary session.
            let device = EmulatedDevice(at: emulator.baseURL, backend: backend, store: store)
            let seen = await device.auth.states.prefix { $0.user != nil }
            #expect(seen.last == .signedIn(old.user, .cached))
        }
    }

    @Test(arguments: backends, [true, false])
    func withoutANetworkAtFirstLaunchNobodyIsSignedOutEither(
        backend: EmulatedDevice.Backend, knowsUser: Bool
    ) async throws {
        try await withEmulator { emulator in
            let old = try await AppUpdate(at: emulator, backend).oldSession()
            var session = old.session
            if knowsUser { session.user = AuthUser(id: old.user.id) }
            let clock = ManualClock()
            let network = Network()
            let device = EmulatedDevice(
                at: emulator.baseURL, backend: backend, transport: network, clock: clock.authClock(startingAt: Date()),
                adoption: SessionAdoption(find: { [session] in session }))
            for attempt in 1...3 {
                await clock.waitForSleepers(count: 1)
                if knowsUser { #expect(device.auth.user?.id == old.user.id) }
                #expect(knowsUser || device.auth.state == .restoring(.adopting))
                network.isUp.withLock { $0 = attempt == 3 }
                clock.advanceToNextSleeper()
            }
            let seen = await device.auth.states.prefix { $0 == .signedIn(old.user, .verified) }
            #expect(!seen.contains { $0.isSignedOut })
        }
    }

    /// The server has answered, but the answer is lost: Firebase's tokens stay valid, single-use tokens are consumed.
    @Test(arguments: backends) func aLostAnswerIsAskedForAgain(backend: EmulatedDevice.Backend) async throws {
        try await withEmulator { emulator in
            let old = try await AppUpdate(at: emulator, backend).oldSession()
            let clock = ManualClock()
            emulator.inject(.dropConnection, at: backend == .firebase ? .secureToken : .serverRefresh)
            let device = EmulatedDevice(
                at: emulator.baseURL, backend: backend, clock: clock.authClock(startingAt: Date()),
                adoption: SessionAdoption(find: { old.session }))
            await clock.waitForSleepers(count: 1)
            clock.advanceToNextSleeper()
            let story = await device.auth.states.prefix { $0.isSignedOut || $0.user != nil }
            switch backend {
            case .firebase: #expect(story.last == .signedIn(old.user, .verified))
            case .server: #expect(story.last == .signedOut(.refreshInterrupted))
            }
        }
    }

    nonisolated static let ends: [(SignOutReason, @Sendable (Emulator, String) -> Void)] = [
        (
            .revoked,
            {
                $0.firebase.revokeRefreshTokens(of: $1)
                $0.server.revokeSessions(of: $1)
            }
        ),
        (
            .deleted,
            {
                $0.firebase.delete($1)
                $0.server.delete($1)
            }
        ),
        (
            .disabled,
            {
                $0.firebase.disable($1)
                $0.server.disable($1)
            }
        ),
    ]

    @Test(arguments: backends, ends.indices) func aDeadSessionIsOver(
        backend: EmulatedDevice.Backend, end: Int
    ) async throws {
        let (reason, end) = Self.ends[end]
        try await withEmulator { emulator in
            let old = try await AppUpdate(at: emulator, backend).oldSession()
            end(emulator, old.user.id)
            let device = EmulatedDevice(
                at: emulator.baseURL, backend: backend, adoption: SessionAdoption(find: { old.session }))
            #expect(await device.auth.states.prefix(through: \.isSignedOut).last == .signedOut(reason))
        }
    }

    @Test(arguments: backends) func anotherServersTokenIsNone(backend: EmulatedDevice.Backend) async throws {
        try await withEmulator { emulator in
            let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
            let result = await device.auth.adopt(refreshToken: Secret("of-another-project")).result
            let error = #expect(throws: AuthError.self) { try result.get() }
            #expect(error?.code == .sessionExpired)
            #expect(device.auth.state == .signedOut(.expired))
        }
    }

    @Test(arguments: backends) func aMalformedTokenIsNeverSent(backend: EmulatedDevice.Backend) async throws {
        try await withEmulator { emulator in
            let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
            for token in ["", "  ", "line\nbreak"] {
                let result = await device.auth.adopt(refreshToken: Secret(token)).result
                let error = #expect(throws: AuthError.self) { try result.get() }
                #expect(error?.code == .invalidCredential)
            }
            #expect(emulator.journal.entries.isEmpty)
        }
    }

    @Test(arguments: backends) func anotherUsersTokenIsAdoptedForNobody(backend: EmulatedDevice.Backend) async throws {
        try await withEmulator { emulator in
            let old = try await AppUpdate(at: emulator, backend).oldSession()
            let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
            let result = await device.auth.adopt(
                refreshToken: old.session.refreshToken, of: AuthUser(id: "somebody else")
            ).result
            let error = #expect(throws: AuthError.self) { try result.get() }
            #expect(error?.code == .sessionExpired)
            #expect(device.auth.user == nil)
        }
    }
}
