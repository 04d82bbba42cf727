import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

@Suite struct AuthSignInTests {
    private func manager(_ store: any SessionStore = MemorySessionStore()) async throws -> SessionManager {
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        return manager
    }

    /// An attempt that stands still until its gate opens, and says when it stands.
    private struct GatedProvider: AuthProvider {
        let id: ProviderID
        let reached = Promise<Void>()
        let gate = Promise<Void>()

        func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
            AuthStream {
                reached.resolve(())
                guard await gate.value() != nil else { throw CancellationError() }
                return Credential(provider: id, userID: "1001")
            }
        }
    }

    @Test func theChainMadeByHandEndsWithASession() async throws {
        let manager = try await manager()
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let kakao = ScriptedProvider(.kakao)
        let session = try await kakao.authenticate().flatMap(signIn.callAsFunction).value
        #expect(session.user.id == "kakao:1001")
        #expect(manager.state == .signedIn(session.user, .verified))
    }

    @Test func everyStepIsAStateAndAnEvent() async throws {
        let manager = try await manager()
        var states = manager.states.makeAsyncIterator()
        var events = manager.events.makeAsyncIterator()
        let provider = ScriptedProvider(.naver) { request in
            request.onStep(.waitingForOtherApp)
            request.onStep(.exchanging)
            return Credential(provider: .naver, userID: "7")
        }
        _ = try await AuthSignIn(repository: ScriptedRepository(), manager: manager)(with: provider).value
        manager.finish()
        var seen: [AuthState] = []
        while let state = await states.next() { seen.append(state) }
        let steps: [AuthState.SignInStep] = [.presenting, .waitingForOtherApp, .exchanging, .establishingSession]
        #expect(
            seen == [.signedOut(nil)] + steps.map { .signingIn(.naver, $0) }
                + [.signedIn(AuthUser(id: "naver:7"), .verified)])
        var kinds: [AuthEvent.Kind] = []
        while let event = await events.next() { kinds.append(event.kind) }
        #expect(
            kinds == [.signInStarted, .signInStep, .signInStep, .signInStep, .signInStep, .signInSucceeded])
    }

    @Test func theRequestsOwnListenerHearsTheStepsToo() async throws {
        let heard = Lock<[AuthState.SignInStep]>([])
        let provider = ScriptedProvider(.naver) { request in
            request.onStep(.exchanging)
            return Credential(provider: .naver)
        }
        let request = AuthRequest { step in heard.withLock { $0.append(step) } }
        _ = try await AuthSignIn(repository: ScriptedRepository(), manager: try await manager())(
            with: provider, request
        )
        .value
        #expect(heard.withLock { $0 } == [.exchanging])
    }

    @Test func aFailureCarriesProviderAndStep() async throws {
        let manager = try await manager()
        let repository = ScriptedRepository { _ in throw AuthError(.server, "Down.") }
        let error = await outcome(
            of: AuthSignIn(repository: repository, manager: manager)(with: ScriptedProvider(.google)))?
            .error
        #expect(error?.code == .server)
        #expect(error?.provider == .google)
        #expect(error?.step == .establishingSession)
        #expect(manager.state == .signedOut(nil))
    }

    @Test func aProviderWithoutARouteEndsBeforeAnythingIsShownOrSent() async throws {
        let shown = Lock(false)
        let repository = ScriptedRepository(accepting: [.apple])
        let provider = ScriptedProvider("line") { _ in
            shown.withLock { $0 = true }
            return Credential(provider: "line")
        }
        let result = await outcome(of: AuthSignIn(repository: repository, manager: try await manager())(with: provider))
        #expect(result?.error?.code == .unsupportedProvider)
        #expect(!shown.withLock { $0 })
        #expect(repository.calls.isEmpty)
    }

    @Test func aProviderWithoutARouteLeavesStatesAndTheSignInUnderWayAlone() async throws {
        let manager = try await manager()
        let kakao = GatedProvider(id: .kakao)
        let signIn = AuthSignIn(repository: ScriptedRepository(accepting: [.kakao]), manager: manager)
        let signingIn = Task { await outcome(of: signIn(with: kakao)) }
        _ = await kakao.reached.value()
        var states = manager.states.makeAsyncIterator()
        #expect(await outcome(of: signIn(with: ScriptedProvider("line")))?.error?.code == .unsupportedProvider)
        kakao.gate.resolve(())
        #expect(await signingIn.value?.error == nil)
        #expect(await states.next() == .signingIn(.kakao, .presenting))
        #expect(await states.next() == .signingIn(.kakao, .establishingSession))
    }

    @Test func aSecondSignInSupersedesTheFirst() async throws {
        let manager = try await manager()
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let kakao = GatedProvider(id: .kakao)
        let first = Task { await outcome(of: signIn(with: kakao)) }
        _ = await kakao.reached.value()
        let second = await outcome(of: signIn(with: ScriptedProvider(.naver)))
        #expect(await first.value?.error?.code == .superseded)
        #expect(second?.error == nil)
        #expect(manager.state.user?.id == "naver:1001")
    }

    @Test func aThirdSignInSupersedesTheSecondAfterTheFirstHasEnded() async throws {
        let manager = try await manager()
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let (kakao, google) = (GatedProvider(id: .kakao), GatedProvider(id: .google))
        let first = Task { await outcome(of: signIn(with: kakao)) }
        _ = await kakao.reached.value()
        let second = Task { await outcome(of: signIn(with: google)) }
        _ = await google.reached.value()
        #expect(await first.value?.error?.code == .superseded)
        #expect(await outcome(of: signIn(with: ScriptedProvider(.naver)))?.error == nil)
        #expect(await second.value?.error?.code == .superseded)
    }

    @Test func anAttemptThatIsOverIsLetGoOf() async throws {
        let manager = try await manager()
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        for provider in [ScriptedProvider(.kakao), .failing(.kakao, with: .network)] {
            _ = await outcome(of: signIn(with: provider))
            #expect(manager.read { $0.operations.signIn == nil })
        }
    }

    @Test func aSignOutSupersedesTheSignInUnderWay() async throws {
        let manager = try await manager()
        let kakao = GatedProvider(id: .kakao)
        let repository = ScriptedRepository()
        let signingIn = Task { await outcome(of: AuthSignIn(repository: repository, manager: manager)(with: kakao)) }
        _ = await kakao.reached.value()
        try await AuthSignOut(repository: repository, manager: manager)().value
        #expect(await signingIn.value?.error?.code == .superseded)
        #expect(manager.state == .signedOut(nil))
        #expect(repository.calls.isEmpty)
    }

    @Test func sessionThatComesAfterASignOutIsDropped() async throws {
        let store = FaultySessionStore()
        let manager = try await manager(store)
        let (asked, answer) = (Promise<Void>(), Promise<Void>())
        let repository = ScriptedRepository { credential in
            asked.resolve(())
            // Ignores the cancellation, as an answer does that is on its way already.
            await Task { _ = await answer.value() }.value
            return ScriptedRepository.session(of: credential)
        }
        let signingIn = Task {
            await outcome(of: AuthSignIn(repository: repository, manager: manager)(with: ScriptedProvider(.kakao)))
        }
        _ = await asked.value()
        try await AuthSignOut(repository: repository, manager: manager)().value
        answer.resolve(())
        #expect(await signingIn.value?.error?.code == .superseded)
        #expect(manager.state == .signedOut(nil))
        #expect(!store.operations.contains(.init(.write, .session)), "Not even for a moment.")
    }

    @Test func anEstablishedSessionWinsOverACancelThatComesWhileItIsStored() async throws {
        let store = FaultySessionStore()
        let manager = try await manager(store)
        let hold = store.hold(.write)
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let signingIn = Task { await outcome(of: signIn(with: ScriptedProvider(.kakao))) }
        await hold.reached()
        signingIn.cancel()
        hold.release()
        #expect(await signingIn.value?.error == nil)
        #expect(manager.state.user?.id == "kakao:1001")
    }

    @Test func cancellingTheTaskEndsTheAttempt() async throws {
        let manager = try await manager()
        let kakao = GatedProvider(id: .kakao)
        let signingIn = Task {
            await outcome(of: AuthSignIn(repository: ScriptedRepository(), manager: manager)(with: kakao))
        }
        _ = await kakao.reached.value()
        #expect(manager.state == .signingIn(.kakao, .presenting))
        signingIn.cancel()
        #expect(await signingIn.value?.error?.code == .cancelled)
        #expect(manager.state == .signedOut(nil))
    }

    @Test func theSessionIsOnDiskBeforeAnyoneSeesIt() async throws {
        let store = FaultySessionStore()
        let manager = try await manager(store)
        let hold = store.hold(.write, of: .session)
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let signingIn = Task { await outcome(of: signIn(with: ScriptedProvider(.kakao))) }
        await hold.reached()
        #expect(manager.state == .signingIn(.kakao, .establishingSession))
        hold.release()
        #expect(await signingIn.value?.error == nil)
    }

    @Test func aStoreThatFailsCostsNoSignInAndIsReported() async throws {
        let store = FaultySessionStore()
        let manager = try await manager(store)
        var events = manager.events.makeAsyncIterator()
        store.fail(.write, of: .session, times: 1)
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        #expect(await outcome(of: signIn(with: ScriptedProvider(.kakao)))?.error == nil)
        #expect(manager.state.user?.id == "kakao:1001")
        while let event = await events.next(), event.kind != .storageFailed {}
        _ = try await manager.restore()
        #expect(try await store.read(.session).data != nil, "It is written at the next chance.")
    }

    @Test func sessionThatCannotBeStoredLeavesNoOtherInItsPlace() async throws {
        let store = FaultySessionStore()
        let manager = try await manager(store)
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        _ = try await signIn(with: ScriptedProvider(.kakao, userID: "ada")).value
        store.fail(.write, of: .session, times: 1)
        _ = try await signIn(with: ScriptedProvider(.kakao, userID: "bob")).value
        #expect(manager.state.user?.id == "kakao:bob")
        #expect(try await store.session() == nil, "A restart must not bring back Ada.")
    }

    // MARK: What a provider tells once

    private let profile = Credential.Profile(
        name: PersonName(givenName: "Ada", familyName: "Lovelace"), email: "ada@example.com")

    private func apple(_ profile: Credential.Profile?, user: String = "001.ada") -> ScriptedProvider {
        ScriptedProvider(.apple) { _ in Credential(provider: .apple, userID: user, profile: profile) }
    }

    @Test func aProfileIsOnDiskBeforeTheNextRequest() async throws {
        let store = FaultySessionStore()
        let manager = try await manager(store)
        let operations = Lock<[FaultySessionStore.Operation]>([])
        let repository = ScriptedRepository { credential in
            operations.withLock { $0 = store.operations }
            return ScriptedRepository.session(of: credential)
        }
        _ = try await AuthSignIn(repository: repository, manager: manager)(with: apple(profile)).value
        #expect(operations.withLock { $0 }.last == .init(.write, .notes))
        #expect(try await store.note(.profiles) == nil, "The server has it now.")
    }

    @Test func aProfileIsKeptUntilTheServerHasIt() async throws {
        let store = MemorySessionStore()
        let failing = ScriptedRepository { _ in throw AuthError(.network, "Offline.") }
        let offline = AuthSignIn(repository: failing, manager: try await manager(store))
        #expect(await outcome(of: offline(with: apple(profile)))?.error?.code == .network)

        // A later process, and a provider that does not tell it again.
        let received = Lock<[Credential.Profile?]>([])
        let repository = ScriptedRepository { credential in
            received.withLock { $0.append(credential.profile) }
            return ScriptedRepository.session(of: credential)
        }
        let signIn = AuthSignIn(repository: repository, manager: try await manager(store))
        _ = try await signIn(with: apple(nil, user: "002.bob")).value
        _ = try await signIn(with: apple(nil)).value
        _ = try await signIn(with: apple(nil)).value
        #expect(received.withLock { $0 } == [nil, profile, nil], "Only the person it belongs to, and only once.")
    }

    @Test(arguments: [true, false]) func aProfileIsKeptAlsoWhenTheCancelComesWithIt(isByService: Bool) async throws {
        let store = MemorySessionStore()
        let repository = ScriptedRepository { _ in throw CancellationError() }
        let signIn = AuthSignIn(repository: repository, manager: try await manager(store))
        let auth = AuthService(repository: repository, providers: [], store: store, callbacks: CallbackRouter())
        let provider = ScriptedProvider(.apple) { [profile] _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return Credential(provider: .apple, userID: "001.ada", profile: profile)
        }
        let signingIn = Task {
            isByService
                ? await outcome(of: provider.authenticate().flatMap(auth.signIn(credential:)))?.error
                : await outcome(of: provider.authenticate().flatMap(signIn.callAsFunction))?.error
        }
        #expect(await signingIn.value?.code == .cancelled)
        #expect(try await store.note(.profiles) != nil)
    }

    @Test func aStoreThatCannotKeepAProfileCostsNoSignIn() async throws {
        let store = FaultySessionStore()
        let manager = try await manager(store)
        store.fail(.write, of: .session, times: 1)
        let received = Lock<Credential.Profile?>(nil)
        let repository = ScriptedRepository { credential in
            received.withLock { $0 = credential.profile }
            return ScriptedRepository.session(of: credential)
        }
        _ = try await AuthSignIn(repository: repository, manager: manager)(with: apple(profile)).value
        #expect(received.withLock { $0 } == profile)
    }
}
