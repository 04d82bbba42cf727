import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// What a log or a metric hears, whole.
@Suite struct SessionEventTests {
    private let clock = ManualClock()
    private let store = FaultySessionStore()

    private func manager() -> SessionManager {
        SessionManager(store: store, clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 0)))
    }

    /// What was said while the work ran.
    private func events(
        of manager: SessionManager, during work: () async throws -> Void
    ) async rethrows -> [AuthEvent] {
        var iterator = manager.events.makeAsyncIterator()
        try await work()
        manager.finish()
        var heard: [AuthEvent] = []
        while let event = await iterator.next() { heard.append(event) }
        return heard
    }

    @Test func aSignInAndASignOutAreToldStepByStep() async throws {
        let manager = manager()
        let provider = ScriptedProvider(.naver) { [clock] request in
            clock.advance(by: .seconds(2))
            request.onStep(.exchanging)
            return Credential(provider: .naver, userID: "7")
        }
        let repository = ScriptedRepository { [clock] credential in
            clock.advance(by: .seconds(3))
            return ScriptedRepository.session(of: credential)
        }
        let heard = try await events(of: manager) {
            _ = try await manager.restore()
            _ = try await AuthSignIn(repository: repository, manager: manager)(with: provider).value
            try await AuthSignOut(repository: repository, manager: manager)().value
        }
        func naver(_ kind: AuthEvent.Kind, _ step: AuthState.SignInStep?, _ seconds: Int) -> AuthEvent {
            AuthEvent(
                kind, provider: .naver, elapsed: .seconds(seconds),
                details: .attempt(AuthEvent.Attempt(1, .signIn, step: step)))
        }
        let succeeded = AuthEvent(
            .signInSucceeded, provider: .naver, elapsed: .seconds(5),
            details: .signedIn(AuthEvent.Attempt(1, .signIn), isNewUser: false))
        #expect(
            heard == [
                AuthEvent(.restored, elapsed: .zero), naver(.signInStarted, nil, 0), naver(.signInStep, .presenting, 0),
                naver(.signInStep, .exchanging, 2), naver(.signInStep, .establishingSession, 2),
                succeeded, AuthEvent(.signedOut, provider: .naver, details: .signedOut(.user)),
            ])
    }

    /// The store says that it failed, and has written. What is read then lacks what a record does not hold.
    @Test func aWriteThatLandedIsNoNewsOfAnotherProcess() async throws {
        let manager = manager()
        let repository = ScriptedRepository { credential in
            var session = ScriptedRepository.session(of: credential)
            session.isNewUser = true
            return session
        }
        let heard = try await events(of: manager) {
            _ = try await manager.restore()
            store.fail(.write, .after, of: .session)
            _ = try await AuthSignIn(repository: repository, manager: manager)(
                Credential(provider: .kakao, userID: "7")
            ).value
            store.heal()
            try await manager.synchronize()
        }
        #expect(manager.read { $0.storage.pending == nil })
        #expect(heard.suffix(2).map(\.kind) == [.signInSucceeded, .storageFailed])
    }

    @Test func aFailureIsToldWithItsCodeAndStep() async throws {
        let manager = manager()
        let heard = await events(of: manager) {
            let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
            let refused = AuthError(.accessDenied, "Refused.", provider: .kakao, serverCode: "KOE009")
            _ = await outcome(of: signIn(with: ScriptedProvider(.kakao) { _ in throw refused }))
        }
        #expect(
            heard.last
                == AuthEvent(
                    .signInFailed, provider: .kakao,
                    failure: .init(.accessDenied, serverCode: "KOE009", explanation: "Refused."),
                    elapsed: .zero, details: .attempt(AuthEvent.Attempt(1, .signIn, step: .presenting))))
    }

    @Test func aSessionThatIsDroppedIsTold() async throws {
        let manager = manager()
        let repository = ScriptedRepository { credential in
            // The answer is on its way when the person signs out.
            _ = manager.transition { machine, _ in machine.signOut() }
            return ScriptedRepository.session(of: credential)
        }
        let heard = await events(of: manager) {
            let signIn = AuthSignIn(repository: repository, manager: manager)
            _ = await outcome(of: signIn(with: ScriptedProvider(.kakao)))
        }
        let attempt = AuthEvent.Details.attempt(AuthEvent.Attempt(1, .signIn))
        #expect(
            heard.suffix(2).map(\.withoutExplanation) == [
                AuthEvent(.answerIgnored, provider: .kakao, elapsed: .zero, details: attempt),
                AuthEvent(
                    .signInFailed, provider: .kakao, failure: .init(.superseded), elapsed: .zero, details: attempt),
            ])
    }

    @Test func aLockedStoreAndAFailingOneAreTold() async throws {
        store.lock()
        let manager = manager()
        let heard = await events(of: manager) { [store] in
            var states = manager.states.makeAsyncIterator()
            let restoring = Task { await outcome(of: AuthStream { try await manager.restore() }) }
            while await states.next() != .restoring(.waitingForUnlock) {}
            store.unlock()
            _ = await restoring.value
            store.fail(.write, times: 1)
            let profile = Credential.Profile(name: PersonName(givenName: "Ada"))
            _ = await PendingProfiles(manager: manager).attach(
                to: Credential(provider: .apple, userID: "001", profile: profile))
        }
        #expect(
            heard.map(\.withoutExplanation) == [
                AuthEvent(.storageLocked, elapsed: .zero), AuthEvent(.restored, elapsed: .zero),
                AuthEvent(.storageFailed, failure: .init(.storage)),
            ])
    }

    @Test func howLongReadingTheStoreTookIsTold() async throws {
        let manager = manager()
        let hold = store.hold(.read)
        let heard = await events(of: manager) { [clock] in
            let restoring = Task { await outcome(of: AuthStream { try await manager.restore() }) }
            await hold.reached()
            clock.advance(by: .seconds(5))
            hold.release()
            _ = await restoring.value
        }
        #expect(heard == [AuthEvent(.restored, elapsed: .seconds(5))])
    }

    @Test func howLongTheServerTookToTakeASessionOverIsTold() async throws {
        let manager = manager()
        let ada = AuthSession.sample(user: "ada")
        let isFirst = Lock(true)
        let repository = ScriptedRepository(adopt: { [clock] _ in
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            clock.advance(by: fails ? .seconds(3) : .seconds(4))
            if fails { throw AuthError(.network, "Scripted.") }
            return ada
        })
        let adoptable = AdoptableSession(refreshToken: Secret("old"))
        var backoff = Backoff(of: .adoption(isUserKnown: false))
        let pause = backoff.failed(AuthError(.network, "Scripted."), spreadBy: adoptable.refreshToken)
        let heard = await events(of: manager) { [clock] in
            let adopting = Task { await outcome(of: AdoptSession(repository: repository, manager: manager)(adoptable)) }
            await clock.waitForSleepers(count: 1)
            clock.advanceToNextSleeper()
            _ = await adopting.value
        }
        #expect(
            heard.map(\.withoutExplanation) == [
                AuthEvent(.restored, elapsed: .zero), AuthEvent(.adoptionStarted),
                AuthEvent(
                    .adoptionDelayed, failure: .init(.network), elapsed: .seconds(3),
                    details: pause.map { .retry(in: $0) }),
                AuthEvent(.adoptionSucceeded, elapsed: .seconds(4)),
            ])
    }
}

extension AuthEvent {
    /// The event without the words for engineers, which are no promise.
    var withoutExplanation: AuthEvent {
        let failure = failure.map { Failure($0.code, serverCode: $0.serverCode) }
        return AuthEvent(kind, provider: provider, failure: failure, elapsed: elapsed, details: details)
    }
}
