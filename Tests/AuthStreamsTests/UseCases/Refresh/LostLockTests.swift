import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// A process loses the refresh lock while its request is under way, and another process sends the same token.
///
/// ```
/// first    mark 'sent' ── request ─── lock lost ──────────────────────── answer
/// second                              mark 'sent' ── request ───────────────────── answer
/// ```
@Suite struct LostLockTests {
    private static let limit = AuthError(.rateLimited, "Scripted.")
    private static let refusal = AuthError(.sessionExpired, "Scripted.")

    /// Two processes over one store. The first can lose its lock.
    private struct Processes {
        let first: RefreshScene
        let second: RefreshScene
        let locks: LosingStore

        init() async throws {
            let shared = MemorySessionStore()
            locks = LosingStore(shared)
            first = try await RefreshScene(over: locks)
            second = try await RefreshScene(over: shared, beside: first)
        }
    }

    /// A request that is under way.
    private struct UnderWay {
        let outcome: Task<AuthError.Code?, Never>
        private let gate: Promise<Void>

        init(of scene: RefreshScene, answeredWith error: AuthError? = nil) async {
            let (gate, reached) = (Promise<Void>(), Promise<Void>())
            scene.server.next(.held(by: gate, reached: reached, saying: error))
            outcome = Task { await scene.refusal() }
            self.gate = gate
            _ = await reached.value()
        }

        /// - Returns: The code of the caller's error; `nil` for a token.
        func answer() async -> AuthError.Code? {
            gate.resolve(())
            return await outcome.value
        }
    }

    // MARK: With a lost lock

    /// - Parameter isFollowed: Whether the first process has read the mark of the second by then, as when the store reports it.
    @Test(arguments: [false, true]) func failureLeavesTheMarkOfAnotherProcess(isFollowed: Bool) async throws {
        let processes = try await Processes()
        let first = await UnderWay(of: processes.first, answeredWith: Self.limit)
        processes.locks.loseLocks()
        let second = await UnderWay(of: processes.second)
        if isFollowed { try await processes.first.manager.synchronize() }
        #expect(await first.answer() == .rateLimited)
        #expect(try await processes.second.record()?.isSent == true, "The second process has sent the token.")
        #expect(await second.answer() == nil)
        #expect(try await processes.second.record()?.isSent == false)
        #expect(processes.first.server.sent == ["r1", "r1"])
    }

    /// The answer to the second process is lost. Its mark is all that says that the token may be consumed.
    @Test func markThatStaysTellsAnInterruptionFromAnExpiry() async throws {
        let processes = try await Processes()
        let first = await UnderWay(of: processes.first, answeredWith: Self.limit)
        processes.locks.loseLocks()
        processes.second.server.next(.lost(RefreshScene.lost))
        #expect(await processes.second.refusal() == .timedOut)
        try await processes.first.manager.synchronize()
        #expect(await first.answer() == .rateLimited)
        processes.locks.keepLocks()
        #expect(await processes.second.refusal() == .sessionExpired)
        #expect(processes.second.manager.state == .signedOut(.refreshInterrupted))
    }

    /// - Parameter isUnreadable: Whether the first process cannot read the record, so that it does not learn of the mark.
    @Test(arguments: [(false, false), (true, false), (false, true)])
    func refusalSaysNothingAboutTheSession(isFollowed: Bool, isUnreadable: Bool) async throws {
        let processes = try await Processes()
        let first = await UnderWay(of: processes.first, answeredWith: Self.refusal)
        processes.locks.loseLocks()
        let second = await UnderWay(of: processes.second)
        if isFollowed { try await processes.first.manager.synchronize() }
        if isUnreadable { processes.first.store.fail(.read) }
        #expect(await first.answer() == .storage)
        processes.first.store.heal()
        #expect(processes.first.manager.state.user?.id == "ada", "The second process may have consumed the token.")
        #expect(try await processes.second.record()?.isSent == true)
        #expect(await second.answer() == nil)
        processes.locks.keepLocks()
        #expect(await processes.first.refusal() == nil)
        #expect(processes.first.manager.state.user?.id == "ada")
    }

    @Test func refusalCountsWhereNoOtherProcessMarkedTheToken() async throws {
        let processes = try await Processes()
        let first = await UnderWay(of: processes.first, answeredWith: Self.refusal)
        processes.locks.loseLocks()
        #expect(await first.answer() == .sessionExpired)
        #expect(processes.first.manager.state == .signedOut(.expired))
    }

    /// No use of the token by another process explains it.
    @Test func disabledAccountEndsTheSession() async throws {
        let processes = try await Processes()
        let first = await UnderWay(of: processes.first, answeredWith: AuthError(.userDisabled, "Scripted."))
        processes.locks.loseLocks()
        let second = await UnderWay(of: processes.second)
        #expect(await first.answer() == .userDisabled)
        #expect(processes.first.manager.state == .signedOut(.disabled))
        _ = await second.answer()
    }

    /// Another process stores new tokens between the reading after the refusal and the write of the end.
    @Test func refusalThatYieldsToNewerTokensIsNoEndForItsCallers() async throws {
        let processes = try await Processes()
        let first = await UnderWay(of: processes.first, answeredWith: AuthError(.userDisabled, "Scripted."))
        processes.locks.loseLocks()
        let write = processes.first.store.hold(.write, .before, of: .session)
        async let refusal = first.answer()
        await write.reached()
        #expect(await processes.second.refusal() == nil)
        write.release()
        #expect(await refusal == .storage)
        #expect(processes.first.manager.state.user?.id == "ada")
    }

    /// The access token of another process has expired by then, so it answers no caller.
    @Test func refusalAfterNewerTokensIsNoEndForItsCallers() async throws {
        let processes = try await Processes()
        let first = await UnderWay(of: processes.first, answeredWith: Self.refusal)
        processes.locks.loseLocks()
        #expect(await processes.second.refusal() == nil)
        processes.first.clock.advance(by: .seconds(7200))
        #expect(await first.answer() == .storage)
        #expect(processes.first.manager.state.user?.id == "ada")
    }

    /// The same user has signed in again in another process by then.
    @Test func refusalAfterASignInElsewhereIsNoEndForItsCallers() async throws {
        let processes = try await Processes()
        let first = await UnderWay(of: processes.first, answeredWith: AuthError(.userDisabled, "Scripted."))
        let write = processes.first.store.hold(.write, .before, of: .session)
        async let refusal = first.answer()
        await write.reached()
        try await processes.second.signIn("ada")
        write.release()
        #expect(await refusal == .storage)
        #expect(processes.first.manager.state.user?.id == "ada")
    }

    // MARK: With the lock

    @Test func failureClearsTheMark() async throws {
        let processes = try await Processes()
        let first = await UnderWay(of: processes.first, answeredWith: Self.limit)
        #expect(try await processes.second.record()?.isSent == true)
        #expect(await first.answer() == .rateLimited)
        #expect(try await processes.second.record()?.isSent == false)
    }

    @Test func refusalEndsTheSession() async throws {
        let processes = try await Processes()
        let first = await UnderWay(of: processes.first, answeredWith: Self.refusal)
        #expect(await first.answer() == .sessionExpired)
        #expect(processes.first.manager.state == .signedOut(.expired))
        #expect(try await processes.second.record()?.session == nil)
        #expect(await processes.second.refusal() == .superseded)
        #expect(processes.second.manager.state == .signedOut(.elsewhere))
    }
}
