import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Changes of an account that race with everything else. For the thread sanitizer, too.
@Suite(.serialized) struct AccountStressTests: AccountSuite {
    /// A server of one user, whose refresh token is replaced by each use and must never be used twice.
    private final class RotatingServer: Sendable {
        private struct State {
            var refreshToken = 0
            var reuses = 0
            var isDeleted = false
            var deletions = 0
        }
        private let state = Lock(State())

        var reuses: Int { state.withLock { $0.reuses } }
        var deletions: Int { state.withLock { $0.deletions } }

        var account: ScriptedAccount {
            var account = ScriptedAccount()
            account.refresh = { [self] session in
                await Task.yield()
                return try rotated(session)
            }
            account.link = { [self] credential, session in
                await Task.yield()
                var next = try rotated(session)
                next.user.providers.append(AuthUser.LinkedProvider(id: credential.provider))
                return next
            }
            account.deleteAccount = { [self] _ in
                await Task.yield()
                try state.withLock { state in
                    guard !state.isDeleted else { throw AuthError(.userNotFound, "Gone.") }
                    state.isDeleted = true
                    state.deletions += 1
                }
            }
            return account
        }

        func session() -> AuthSession {
            state.withLock { state in
                state.refreshToken += 1
                return AuthSession(
                    accessToken: Secret("access \(state.refreshToken)"),
                    refreshToken: Secret("\(state.refreshToken)"), expiresAt: nil, user: AuthUser(id: "ada"),
                    provider: .kakao)
            }
        }

        private func rotated(_ session: AuthSession) throws -> AuthSession {
            try state.withLock { state in
                guard !state.isDeleted else { throw AuthError(.userNotFound, "Gone.") }
                if session.refreshToken?.reveal() != "\(state.refreshToken)" { state.reuses += 1 }
                state.refreshToken += 1
                var next = session
                next.accessToken = Secret("access \(state.refreshToken)")
                next.refreshToken = Secret("\(state.refreshToken)")
                return next
            }
        }
    }

    private func signedIn(
        to server: RotatingServer, _ store: any SessionStore
    ) async throws -> AuthService {
        let repository = ScriptedRepository(establish: { _ in server.session() }, account: server.account)
        let auth = AuthService(
            repository: repository, providers: Self.standardProviders, store: store, callbacks: CallbackRouter())
        _ = try await auth.signIn(with: .kakao).value
        return auth
    }

    @Test func linksThatRaceWithRefreshesNeverUseATokenTwice() async throws {
        for round in 0..<100 {
            let (server, store) = (RotatingServer(), MemorySessionStore())
            let auth = try await signedIn(to: server, store)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let error = await auth.link(with: .naver).result.error
                        #expect(error == nil || error?.code == .superseded, "round \(round)")
                    }
                    group.addTask { _ = try? await auth.accessToken(forceRefresh: true) }
                }
            }
            #expect(server.reuses == 0, "round \(round)")
            let stored = try await store.read(.session).data.flatMap(SessionRecord.session(in:))
            #expect(stored == auth.manager.session, "round \(round)")
        }
    }

    @Test func linksThatRaceWithRefreshesAndASignOutEndWithStoreReadersAndStateInAgreement() async throws {
        for round in 0..<100 {
            let (server, store) = (RotatingServer(), MemorySessionStore())
            let auth = try await signedIn(to: server, store)
            let reading = Task { [states = auth.states] in
                await states.reduce(into: AuthState.restoring(.reading)) { $0 = $1 }
            }
            let line = StartingLine()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await line.wait(for: 3)
                    let error = await auth.link(with: .naver).result.error
                    #expect([nil, .superseded, .userNotFound, .notSignedIn].contains(error?.code), "round \(round)")
                }
                group.addTask {
                    try await line.wait(for: 3)
                    _ = try? await auth.accessToken(forceRefresh: true)
                }
                group.addTask {
                    try await line.wait(for: 3)
                    pass(round * 200)
                    try? await auth.signOut()
                }
                try await group.waitForAll()
            }
            #expect(auth.state == .signedOut(.user), "round \(round)")
            #expect(try await store.session() == nil, "round \(round)")
            #expect(server.reuses == 0, "round \(round)")
            let state = auth.state
            auth.manager.finish()
            #expect(await reading.value == state, "round \(round)")
        }
    }

    @Test func deletionsThatRaceDeleteOnceAndEndOnce() async throws {
        for round in 0..<100 {
            let (server, store) = (RotatingServer(), MemorySessionStore())
            let auth = try await signedIn(to: server, store)
            let states = auth.states
            let story = Task { await states.reduce(into: [AuthState]()) { $0.append($1) } }
            try await wait(for: "the reader of the states") { states.waitingReaders > 0 }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let error = await auth.deleteAccount().result.error
                        #expect([nil, .userNotFound, .notSignedIn].contains(error?.code), "round \(round)")
                    }
                }
                group.addTask { _ = try? await auth.accessToken(forceRefresh: true) }
            }
            auth.manager.finish()
            #expect(server.deletions == 1, "round \(round)")
            #expect(await story.value.count(where: \.isSignedOut) == 1, "round \(round)")
            #expect(try await store.session() == nil, "round \(round)")
            #expect(try await store.note(.deletion) == nil, "round \(round)")
        }
    }
}
