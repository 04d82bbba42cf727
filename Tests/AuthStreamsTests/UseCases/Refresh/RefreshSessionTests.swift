import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

@Suite struct RefreshSessionTests {
    /// The person signs out while the store writes that the token is about to be sent.
    @Test func refreshOfASessionThatIsOverIsNotSent() async throws {
        let scene = try await RefreshScene()
        let hold = scene.store.hold(.write, .after, of: .session)
        let caller = Task { await scene.refusal() }
        await hold.reached()
        let signOut = Task { try await scene.signOut() }
        for await state in scene.manager.states where state == .signedOut(.user) { break }
        hold.release()
        try await signOut.value
        #expect(await caller.value == .superseded)
        // The next refresh waits for the end of the one before.
        try await scene.signIn("tom")
        #expect(await scene.refusal() == nil)
        #expect(scene.server.sent == ["r2"])
    }

    @Test func validTokenNeedsNoRequest() async throws {
        let scene = try await RefreshScene()
        #expect(try await scene.refreshing.accessToken() == Secret("a1"))
        #expect(scene.server.sent.isEmpty)
    }

    @Test func callersWithoutAUserAreToldBeforeAnyRequest() async throws {
        let scene = try await RefreshScene(signedIn: false)
        #expect(await scene.refusal() == .notSignedIn)
        #expect(await scene.refusal(forced: false) == .notSignedIn)
        #expect(scene.server.sent.isEmpty)
    }

    @Test func whoAsksBeforeStorageWasReadWaitsForIt() async throws {
        let before = try await RefreshScene()
        let manager = SessionManager(store: before.store, clock: before.manager.clock)
        let refreshing = RefreshSession(repository: before.server, manager: manager)
        #expect(manager.state == .restoring(.reading))
        #expect(try await refreshing.accessToken() == Secret("a1"))
    }

    @Test func anExpiredTokenIsReplacedOnceForAllWhoAsk() async throws {
        let scene = try await RefreshScene()
        scene.clock.advance(by: .seconds(3600))
        let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
            for _ in 0..<1000 { group.addTask { try await scene.refreshing.accessToken() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1.reveal()) }
        }
        #expect(tokens == ["a2"])
        #expect(scene.server.sent == ["r1"])
        #expect(try await scene.storedSession()?.refreshToken == Secret("r2"))
    }

    @Test func aCallerWhoLeavesTakesNothingFromTheOthers() async throws {
        let scene = try await RefreshScene()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let first = Task { await scene.refusal() }
        _ = await reached.value()
        let second = Task { try await scene.refreshing.accessToken(forceRefresh: true) }
        first.cancel()
        #expect(await first.value == .cancelled)
        gate.resolve(())
        #expect(try await second.value == Secret("a2"))
        #expect(scene.server.sent == ["r1"])
    }

    @Test func whenEverybodyLeavesTheAnswerIsStoredAllTheSame() async throws {
        let scene = try await RefreshScene()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        var events = scene.manager.events.makeAsyncIterator()
        let caller = Task { await scene.refusal() }
        _ = await reached.value()
        caller.cancel()
        #expect(await caller.value == .cancelled)
        gate.resolve(())
        while await events.next()?.kind != .refreshSucceeded {}
        #expect(try await scene.storedSession()?.refreshToken == Secret("r2"))
    }

    @Test func aSignOutDuringARefreshDropsItsAnswer() async throws {
        let scene = try await RefreshScene()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let caller = Task { await scene.refusal() }
        _ = await reached.value()
        try await scene.signOut()
        #expect(await caller.value == .superseded)
        gate.resolve(())
        #expect(scene.manager.state == .signedOut(.user))
        #expect(try await scene.record()?.session == nil)
    }

    @Test func theNextUserIsNeverGivenTheLastOnesToken() async throws {
        let scene = try await RefreshScene()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let caller = Task { await scene.refusal() }
        _ = await reached.value()
        try await scene.signIn("bob")
        #expect(await caller.value == .superseded)
        gate.resolve(())
        #expect(try await scene.refreshing.accessToken() == Secret("a2"))
        #expect(scene.manager.state.user?.id == "bob")
        #expect(try await scene.storedSession()?.user.id == "bob")
    }

    @Test(arguments: [
        AuthError.Code.network, .timedOut, .server, .rateLimited, .invalidResponse, .misconfigured, .unexpected,
        .cancelled, .invalidCredential,
    ])
    func nothingButADefiniteNoEndsASession(code: AuthError.Code) async throws {
        let scene = try await RefreshScene()
        scene.server.next(.unsent(AuthError(code, "Scripted.")))
        // No caller cancelled it, and a cancellation would be taken for the person's.
        #expect(await scene.refusal() == (code == .cancelled ? .network : code))
        #expect(scene.manager.state.user?.id == "ada")
        #expect(try await scene.storedSession()?.refreshToken == Secret("r1"))
        #expect(await scene.refusal() == nil)
        #expect(scene.manager.session?.refreshToken == Secret("r2"))
    }

    @Test(arguments: [
        (AuthError.Code.sessionExpired, SignOutReason.expired), (.userDisabled, .disabled), (.userNotFound, .deleted),
    ])
    func aDefiniteNoEndsItOnce(code: AuthError.Code, reason: SignOutReason) async throws {
        let scene = try await RefreshScene()
        var states = scene.manager.states.makeAsyncIterator()
        _ = await states.next()
        scene.server.next(.says(AuthError(code, "Scripted.")))
        #expect(await scene.refusal() == code)
        #expect(await states.next() == .signedOut(reason))
        #expect(try await scene.record()?.session == nil)
        #expect(await scene.refusal() == .notSignedIn)
        #expect(scene.server.sent == ["r1"])
    }

    @Test func anAnswerOfAnotherUserIsNotKept() async throws {
        let scene = try await RefreshScene()
        scene.server.next(.anothers)
        #expect(await scene.refusal() == .invalidResponse)
        #expect(scene.manager.session?.accessToken == Secret("a1"))
        #expect(try await scene.storedSession()?.user.id == "ada")
    }

    @Test func theServerIsLeftAloneForAsLongAsItAsks() async throws {
        let scene = try await RefreshScene()
        scene.server.next(.says(AuthError(.rateLimited, "Scripted.", retryAfter: .seconds(60))))
        scene.clock.advance(by: .seconds(3600))
        #expect(await scene.refusal(forced: false) == .rateLimited)
        scene.clock.advance(by: .seconds(59))
        #expect(await scene.refusal(forced: false) == .rateLimited)
        #expect(scene.server.sent.count == 1)
        scene.clock.advance(by: .seconds(1))
        #expect(await scene.refusal(forced: false) == nil)
        #expect(scene.server.sent.count == 2)
    }

    @Test func aSessionWithoutARefreshTokenLastsAsLongAsItsToken() async throws {
        let scene = try await RefreshScene(signedIn: false)
        let session = AuthSession(
            accessToken: Secret("only"), refreshToken: nil, expiresAt: RefreshScene.noon.addingTimeInterval(3600),
            user: AuthUser(id: "ada"), provider: .kakao)
        let repository = ScriptedRepository { _ in session }
        _ = try await AuthSignIn(repository: repository, manager: scene.manager)(Credential(provider: .kakao)).value
        #expect(await scene.refusal() == .sessionExpired)
        #expect(scene.manager.state.user?.id == "ada")
        #expect(await scene.refusal(forced: false) == nil)
        scene.clock.advance(by: .seconds(3600))
        #expect(await scene.refusal(forced: false) == .sessionExpired)
        #expect(scene.manager.state == .signedOut(.expired))
    }

    @Test func tenThousandCancelledCallersLeaveNoneWaiting() async throws {
        let scene = try await RefreshScene()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let callers = (0..<10_000).map { _ in Task { await scene.refusal() } }
        _ = await reached.value()
        for caller in callers { caller.cancel() }
        for caller in callers { #expect(await caller.value == .cancelled) }
        gate.resolve(())
        #expect(scene.server.sent == ["r1"])
    }
}
