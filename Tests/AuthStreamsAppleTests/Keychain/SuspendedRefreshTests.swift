import AppleFoundation
import AuthStreamsTesting
import Foundation
import Security
import TestSupport
import Testing

@testable import AuthStreams
@testable import AuthStreamsApple

/// An app that the system suspends for an hour in the middle of a refresh, with an extension beside it.
@Suite(.appleDevice) struct SuspendedRefreshTests {
    /// A server that takes each refresh token once, and answers when the test lets it.
    private final class Server: Sendable {
        private let state = Lock((count: 1, used: Set<String>(), sent: [String]()))
        private let holds = Lock([(reached: Promise<Void>, gate: Promise<Void>, isAnswered: Bool)]())

        var sent: [String] { state.withLock { $0.sent } }

        /// Holds the next request before it is answered, or its answer.
        func hold(isAnswered: Bool) -> (reached: Promise<Void>, gate: Promise<Void>) {
            let hold = (reached: Promise<Void>(), gate: Promise<Void>())
            holds.withLock { $0.append((hold.reached, hold.gate, isAnswered)) }
            return hold
        }

        func session(_ number: Int, refreshToken: String? = nil) -> AuthSession {
            AuthSession(
                accessToken: Secret("a\(number)"), refreshToken: Secret(refreshToken ?? "r\(number)"),
                expiresAt: nil, user: AuthUser(id: "ada"), provider: .kakao)
        }

        @Sendable func refresh(_ session: AuthSession, _ rule: RefreshTokenRule) async throws -> AuthSession {
            let token = session.refreshToken?.reveal() ?? ""
            state.withLock { $0.sent.append(token) }
            let hold = holds.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            let early = hold?.isAnswered == true ? try answer(token, rule) : nil
            if let hold {
                hold.reached.resolve(())
                _ = await hold.gate.value()
            }
            return try early ?? answer(token, rule)
        }

        private func answer(_ token: String, _ rule: RefreshTokenRule) throws -> AuthSession {
            let number = try state.withLock { state in
                guard rule == .reusable || state.used.insert(token).inserted else {
                    throw AuthError(.sessionExpired, "The refresh token was used.")
                }
                state.count += 1
                return state.count
            }
            return session(number, refreshToken: rule == .reusable ? token : nil)
        }
    }

    private struct Repository: AuthRepository {
        let server: Server
        let refreshTokenRule: RefreshTokenRule

        func accepts(_ provider: ProviderID) -> Bool { true }
        func signIn(with credential: Credential) async throws(AuthError) -> AuthSession { server.session(1) }
        func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
            try await AuthError.wrapping { try await server.refresh(session, refreshTokenRule) }
        }
        func signOut(_ session: AuthSession) async throws(AuthError) {}
        func deleteAccount(_ session: AuthSession) async throws(AuthError) {}
    }

    /// A process of the app or of its extension.
    private struct Process {
        let clock = ManualClock()
        let manager: SessionManager
        let repository: Repository
        let refreshing: RefreshSession

        init(_ keychain: KeychainFixture, _ server: Server, _ rule: RefreshTokenRule, isExtension: Bool) async throws {
            let time = clock.authClock(startingAt: Date(timeIntervalSince1970: 1_800_000_000))
            manager = SessionManager(store: keychain.store(isExtension: isExtension, clock: time), clock: time)
            repository = Repository(server: server, refreshTokenRule: rule)
            refreshing = RefreshSession(repository: repository, manager: manager)
            try await manager.restore()
        }

        func refresh() -> Task<Result<Secret, AuthError>, Never> {
            Task { [refreshing] in
                do throws(AuthError) { return .success(try await refreshing.accessToken(forceRefresh: true)) } catch {
                    return .failure(error)
                }
            }
        }
    }

    private struct Scene {
        let keychain: KeychainFixture
        let server = Server()
        let app: Process
        let widget: Process

        init(_ keychain: KeychainFixture, _ rule: RefreshTokenRule) async throws {
            self.keychain = keychain
            app = try await Process(keychain, server, rule, isExtension: false)
            let signIn = AuthSignIn(repository: app.repository, manager: app.manager)
            _ = try await signIn(Credential(provider: .kakao, userID: "ada")).value
            widget = try await Process(keychain, server, rule, isExtension: true)
        }

        /// The tokens in the store.
        func stored() async throws -> [String?] {
            guard let session = try await keychain.store().session()?.session else { return [] }
            return [session.accessToken.reveal(), session.refreshToken?.reveal()]
        }
    }

    @Test(arguments: [RefreshTokenRule.singleUse, .reusable])
    func answerAfterAnHourIsStoredIfNoOtherProcessRefreshed(_ rule: RefreshTokenRule) async throws {
        try await withKeychain { keychain in
            let scene = try await Scene(keychain, rule)
            let hold = scene.server.hold(isAnswered: true)
            let refresh = scene.app.refresh()
            _ = await hold.reached.value()
            AppleDevice.expireActivities()
            scene.app.clock.advance(by: .seconds(3600))
            hold.gate.resolve(())
            #expect(try await refresh.value.get() == Secret("a2"))
            #expect(try await scene.stored() == ["a2", rule == .reusable ? "r1" : "r2"])
            #expect(scene.server.sent == ["r1"])
        }
    }

    /// With notice of the suspension the lock is given back; without one it is stale.
    @Test(arguments: [true, false])
    func answerAfterAnHourReplacesNothingThatAnotherProcessStored(withNotice: Bool) async throws {
        try await withKeychain { keychain in
            let scene = try await Scene(keychain, .reusable)
            let hold = scene.server.hold(isAnswered: true)
            let refresh = scene.app.refresh()
            _ = await hold.reached.value()
            if withNotice { AppleDevice.expireActivities() }
            let lease = keychain.store().place.lock(.refreshLock)
            let attempts = lease.attempts
            let other = scene.widget.refresh()
            if !withNotice {
                // From then on the widget sleeps for the holder alone.
                try await wait(for: "the widget to ask for the lock") { lease.attempts > attempts }
                for _ in 0..<20 {
                    await scene.widget.clock.waitForSleepers(count: 1)
                    scene.widget.clock.advance(by: .seconds(1))
                }
            }
            #expect(try await other.value.get() == Secret("a3"))
            scene.app.clock.advance(by: .seconds(3600))
            hold.gate.resolve(())
            // What the widget stored is newer, and the app takes it over.
            #expect(try await refresh.value.get() == Secret("a3"))
            #expect(try await scene.stored() == ["a3", "r1"])
            #expect(scene.app.manager.session?.accessToken == Secret("a3"))
        }
    }

    @Test func refusalAfterAnHourEndsNothingThatAnotherProcessStored() async throws {
        try await withKeychain { keychain in
            let scene = try await Scene(keychain, .singleUse)
            let hold = scene.server.hold(isAnswered: false)
            let refresh = scene.app.refresh()
            _ = await hold.reached.value()
            AppleDevice.expireActivities()
            #expect(try await scene.widget.refresh().value.get() == Secret("a2"))
            scene.app.clock.advance(by: .seconds(3600))
            // The server refuses the app's token, which the widget has used.
            hold.gate.resolve(())
            _ = await refresh.value
            #expect(scene.app.manager.session?.accessToken == Secret("a2"))
            #expect(try await scene.stored() == ["a2", "r2"])
        }
    }

    @Test func processThatIsAboutToBeSuspendedSendsNothing() async throws {
        try await withKeychain { keychain in
            let scene = try await Scene(keychain, .singleUse)
            AppleDevice.refusesExpiringActivities = true
            guard case .failure(let error) = await scene.app.refresh().value else {
                Issue.record("It got a token.")
                return
            }
            #expect(error.code == .storage)
            #expect(scene.server.sent.isEmpty)
            #expect(scene.app.manager.state.user?.id == "ada")
            AppleDevice.refusesExpiringActivities = false
            #expect(try await scene.app.refresh().value.get() == Secret("a2"))
        }
    }

    @Test func lockThatIsLostBeforeTheRequestSendsNothing() async throws {
        try await withKeychain { keychain in
            let scene = try await Scene(keychain, .singleUse)
            // The record is marked right before the request.
            AppleDevice.Keychain.before(.update, where: { $0.account == "session" }) { _ in
                AppleDevice.expireActivities()
            }
            guard case .failure(let error) = await scene.app.refresh().value else {
                Issue.record("It got a token.")
                return
            }
            #expect(error.code == .storage)
            #expect(scene.server.sent.isEmpty)
            #expect(try await scene.widget.refresh().value.get() == Secret("a2"))
            #expect(scene.server.sent == ["r1"])
        }
    }

    @Test func lostLockIsTakenAnewOnceTheStoreWorks() async throws {
        try await withKeychain { keychain in
            let scene = try await Scene(keychain, .singleUse)
            let hold = scene.server.hold(isAnswered: true)
            let refresh = scene.app.refresh()
            _ = await hold.reached.value()
            // The answer cannot be stored, so the lock is retained; then it is lost.
            AppleDevice.Keychain.answer(-36, to: [.update]) { $0.account == "session" }
            hold.gate.resolve(())
            _ = await refresh.value
            AppleDevice.expireActivities()
            AppleDevice.Keychain.answerAsUsual()
            #expect(try await scene.app.refresh().value.get() == Secret("a3"))
            #expect(try await scene.stored() == ["a3", "r3"])
            #expect(scene.server.sent == ["r1", "r2"])
        }
    }
}
