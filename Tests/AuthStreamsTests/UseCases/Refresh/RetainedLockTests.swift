import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// While the store holds a refresh token whose answer was read, the lock of all who refresh is kept, so that no other
/// process sends it again.
@Suite struct RetainedLockTests {
    private func twoProcesses() async throws -> (first: RefreshScene, second: RefreshScene) {
        let base = MemorySessionStore()
        let first = try await RefreshScene(over: base)
        return (first, try await RefreshScene(over: base, beside: first))
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func noProcessRefreshesWhileTheStoreHoldsAUsedToken() async throws {
        let executor = ManualExecutor()
        let (first, second) = try await twoProcesses()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        first.server.next(.held(by: gate, reached: reached))
        let early = Task { await first.refusal() }
        _ = await reached.value()
        first.store.fail(.write)
        gate.resolve(())
        #expect(await early.value == .storage)
        let late = executor.start { await second.refusal() }
        // Until it can go no further.
        executor.run()
        #expect(late.current == nil)
        #expect(first.server.sent == ["r1"])
        first.store.heal()
        try? await first.manager.persistPending()
        executor.run()
        #expect(late.current == .some(nil))
        #expect(second.manager.session?.accessToken == Secret("a2"))
        #expect(first.server.sent == ["r1"])
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func noProcessSendsARefusedTokenThatTheStoreHolds() async throws {
        let executor = ManualExecutor()
        let (first, second) = try await twoProcesses()
        first.server.revoke("ada")
        #expect(await first.refusalThatCannotBeStored() == .sessionExpired)
        let late = executor.start { await second.refusal() }
        executor.run()
        #expect(late.current == nil)
        first.store.heal()
        try? await first.manager.persistPending()
        executor.run()
        #expect(late.current == .some(.superseded))
        #expect(first.server.sent == ["r1"])
    }

    /// The person signs out during a refresh, and the store is slow to remove the token.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func noProcessSendsATokenThatASignOutIsAboutToRemove() async throws {
        let executor = ManualExecutor()
        let (first, second) = try await twoProcesses()
        first.server.next(.held(by: Promise(), reached: Promise()))
        let early = executor.start { await first.refusal() }
        executor.run()
        #expect(first.server.sent == ["r1"])
        let removal = first.store.hold(.write, of: .session)
        let signOut = executor.start { try? await first.signOut() }
        let late = executor.start { await second.refusal() }
        // Until they can go no further.
        executor.run()
        #expect(early.current == .some(.superseded))
        #expect(late.current == nil && signOut.current == nil)
        #expect(first.server.sent == ["r1"])
        executor.start()
        removal.release()
        #expect(await late.value() == .some(.superseded))
        #expect(first.server.sent == ["r1"])
    }

    /// The caller asks again, and must not be given the token of the user who is signed in by then.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func callerThatAsksAgainIsNotGivenTheNextUsersToken() async throws {
        let executor = ManualExecutor()
        let scene = try await RefreshScene()
        let refresh = try #require(scene.manager.refreshBegan())
        // A change of the account replaces the token first.
        let request = try #require(scene.manager.read({ $0.request() }))
        let next = try await scene.server.refresh(try #require(request.kept.session))
        _ = try await scene.manager.commit(next, to: request)
        let token = executor.start { () -> Result<Secret, AuthError> in
            do throws(AuthError) {
                return .success(try await scene.refreshing.accessToken(replacing: Secret("a2")))
            } catch {
                return .failure(error)
            }
        }
        // Until it waits for the refresh.
        executor.run()
        #expect(token.current == nil)
        scene.manager.transition { $0.refreshEnded(refresh, .success(next.accessToken), at: $1) }
        try await scene.signIn("bob")
        executor.run()
        #expect(throws: AuthError.superseded) { try token.current?.get() }
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aTokenThatWasRefusedIsNotHandedOutByARefreshThatFoundIt() async throws {
        let executor = ManualExecutor()
        let scene = try await RefreshScene()
        let refresh = try #require(scene.manager.refreshBegan())
        // A change of the account replaces the token first.
        let request = try #require(scene.manager.read({ $0.request() }))
        let next = try await scene.server.refresh(try #require(request.kept.session))
        _ = try await scene.manager.commit(next, to: request)
        let token = executor.start { () -> Result<Secret, AuthError> in
            do throws(AuthError) {
                return .success(try await scene.refreshing.accessToken(replacing: Secret("a2")))
            } catch {
                return .failure(error)
            }
        }
        // Until it waits for the refresh.
        executor.run()
        #expect(token.current == nil)
        scene.manager.transition { $0.refreshEnded(refresh, .success(next.accessToken), at: $1) }
        executor.run()
        #expect(try token.current?.get() == Secret("a3"))
    }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension ManualExecutor {
    /// Starts a task whose own tasks wait here, too, so that after a run it is over or waits for something outside.
    fileprivate func start<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Promise<Value> {
        let outcome = Promise<Value>()
        let starter = { @Sendable (body: @escaping TaskSpawner.Body) in
            Task(executorPreference: self) { await body() }
        }
        TaskSpawner.withStarter(starter) { _ = TaskSpawner.start { outcome.resolve(await work()) } }
        return outcome
    }
}
