import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// A service for processes that may end at any moment: no refresh token is sent without a caller, and ``AuthService/finish``
/// waits for what is under way.
@Suite struct RefreshOnDemandTests {
    private let clock = ManualClock()
    private let store = FaultySessionStore()
    private let server: RotatingServer

    init() {
        server = RotatingServer(clock: clock.authClock(startingAt: RefreshScene.noon))
    }

    private func service(
        _ repository: (any AuthRepository)? = nil, _ policy: RefreshPolicy = .onDemand,
        adopting adoptable: AdoptableSession? = nil, _ sink: @escaping @Sendable (AuthEvent) -> Void = { _ in }
    ) -> AuthService {
        AuthService(
            repository: repository ?? server, providers: [ScriptedProvider(.kakao)], store: store,
            callbacks: CallbackRouter(), clock: server.clock, refreshPolicy: policy,
            adoption: adoptable.map { adoptable in SessionAdoption(find: { adoptable }) }, sinks: [AuthEventSink(sink)])
    }

    /// A service in which a refresh waits at the server, and its caller was cancelled.
    private func abandonedRefresh(by gate: Promise<Void>) async throws -> AuthService {
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        let reached = Promise<Void>()
        server.next(.held(by: gate, reached: reached))
        let caller = Task { try await auth.accessToken(forceRefresh: true) }
        _ = await reached.value()
        caller.cancel()
        _ = await caller.result
        return auth
    }

    @Test func validTokenIsReturnedAndNothingIsScheduled() async throws {
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        clock.advance(by: .seconds(3400))
        #expect(try await auth.accessToken() == Secret("a1"))
        server.next(.unsent(RefreshScene.offline))
        clock.advance(by: .seconds(200))
        await #expect(throws: AuthError.self) { try await auth.accessToken() }
        #expect(auth.manager.schedule.due == nil)
        #expect(try await auth.accessToken() == Secret("a2"))
        #expect(auth.manager.schedule.due == nil && server.sent == ["r1", "r1"])
    }

    @Test func failedWritesAreStillScheduled() async throws {
        let auth = service()
        store.fail(.write, of: .session, times: 1)
        _ = try await auth.signIn(with: .kakao).value
        #expect(auth.manager.schedule.due != nil)
        #expect(await auth.finish())
        #expect(try await store.read(.session).data != nil)
    }

    @Test func finishWaitsForTheRefreshOfACallerThatWasCancelled() async throws {
        let gate = Promise<Void>()
        let auth = try await abandonedRefresh(by: gate)
        // A cancelled caller waits, too.
        let finish = Task { await auth.finish() }
        finish.cancel()
        await clock.waitForSleepers(count: 1)
        gate.resolve(())
        #expect(await finish.value)
        let record = try await store.read(.session).data.map { try SessionRecord(reading: $0) }
        #expect(record?.session?.refreshToken == Secret("r2"))
    }

    @Test func finishEndsAtItsLimitAndTheRefreshContinues() async throws {
        let gate = Promise<Void>()
        let auth = try await abandonedRefresh(by: gate)
        let finish = Task { await auth.finish(within: .seconds(5)) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        #expect(await finish.value == false)
        gate.resolve(())
        #expect(await auth.finish())
        #expect(try await auth.accessToken() == Secret("a2") && server.sent == ["r1"])
    }

    @Test func afterFinishNothingIsStartedInTheBackground() async throws {
        let auth = service(nil, .aheadOfExpiry)
        _ = try await auth.signIn(with: .kakao).value
        #expect(auth.manager.schedule.due != nil)
        #expect(await auth.finish())
        #expect(auth.manager.schedule.due == nil && clock.sleeperCount == 0)
    }

    // MARK: The session of another SDK

    @Test(arguments: [nil, AuthSession.sample(user: "ada").user])
    func sessionOfAnotherSDKIsAdoptedForACaller(user: AuthUser?) async throws {
        let answers = Lock([
            Result<AuthSession, AuthError>.failure(RefreshScene.offline), .success(.sample(user: "ada")),
        ])
        let repository = ScriptedRepository(adopt: { _ in try answers.withLock { $0.removeFirst() }.get() })
        let auth = service(repository, adopting: AdoptableSession(refreshToken: Secret("old"), user: user))
        _ = await auth.states.prefix { $0 != .restoring(.reading) }
        #expect(auth.state == (user.map { .signedIn($0, .cached) } ?? .restoring(.adopting)))
        #expect(repository.calls == [])
        // It ends as the request does, and nothing is retried.
        await #expect { try await auth.accessToken() } throws: { ($0 as? AuthError)?.code == .network }
        #expect(repository.calls == [.adopt] && clock.sleeperCount == 0)
        let token = try await auth.accessToken()
        #expect(token == AuthSession.sample(user: "ada").accessToken)
        #expect(repository.calls.filter { $0 == .adopt }.count == 2)
    }

    /// Such a session is neither lost nor 'not signed in': the caller gets what an engineer has to mend. No other session takes its
    /// place unless the person asks for that.
    @Test(
        arguments: [
            (.onDemand, nil), (.onDemand, AuthSession.sample(user: "ada").user), (.aheadOfExpiry, nil),
            (.aheadOfExpiry, AuthSession.sample(user: "ada").user),
        ] as [(RefreshPolicy, AuthUser?)])
    func adoptionThatFailsTellsItsCallersWhy(policy: RefreshPolicy, user: AuthUser?) async throws {
        let repository = ScriptedRepository(adopt: { _ in
            throw AuthError(.server, "Scripted.", retryAfter: .seconds(7))
        })
        let adoptable = AdoptableSession(refreshToken: Secret("old"), user: user, provider: .kakao)
        let isFailed = Promise<Void>()
        let auth = service(repository, policy, adopting: adoptable) {
            if $0.kind == .adoptionDelayed { isFailed.resolve(()) }
        }
        if policy == .aheadOfExpiry {
            _ = await isFailed.value()
        } else {
            let error = await #expect(throws: AuthError.self) { try await auth.accessToken() }
            #expect(error?.code == .server && error?.explanation == "Scripted.")
            #expect(error?.provider == .kakao && error?.retryAfter == .seconds(7))
        }
        // The server's `Retry-After` has not passed.
        #expect(await auth.deleteAccount().result.error?.code == .rateLimited)
        #expect(await auth.signInAnonymously().result.error?.code == .rateLimited)
        clock.advance(by: .seconds(5))
        let later = await #expect(throws: AuthError.self) { try await auth.accessToken() }
        #expect(later?.code == .rateLimited && later?.retryAfter == .seconds(2))
        #expect(repository.calls == [.adopt] && auth.session == nil)
        let record = try await store.read(.session).data.map { try SessionRecord(reading: $0) }
        #expect(record?.session?.refreshToken == Secret("old"))
    }

    /// A cancellation without a cancelled caller would be taken for the person's.
    @Test func adoptionThatThrowsACancellationIsAFailure() async throws {
        let repository = ScriptedRepository(adopt: { _ in throw CancellationError() })
        let auth = service(repository, adopting: AdoptableSession(refreshToken: Secret("old")))
        await #expect { try await auth.accessToken() } throws: { ($0 as? AuthError)?.code == .network }
    }

    @Test func finishEndsTheRetriesOfAnAdoption() async throws {
        let repository = ScriptedRepository(adopt: { _ in throw RefreshScene.offline })
        let auth = service(repository, .aheadOfExpiry, adopting: AdoptableSession(refreshToken: Secret("old")))
        await clock.waitForSleepers(count: 1)
        #expect(await auth.finish())
        _ = await auth.states.prefix { $0 == .signedOut(nil) }
        #expect(clock.sleeperCount == 0 && repository.calls == [.adopt])
    }
}
