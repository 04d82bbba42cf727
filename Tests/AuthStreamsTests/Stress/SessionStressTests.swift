import AuthStreamsTesting
import TestSupport
import Testing

@testable import AuthStreams

@Suite(.serialized) struct SessionStressTests {
    @Test func signInsAndSignOutsThatRaceEndWithStoreReadersAndStateInAgreement() async throws {
        for round in 0..<100 {
            let store = MemorySessionStore()
            let manager = SessionManager(store: store)
            _ = try await manager.restore()
            let repository = ScriptedRepository()
            let reading = Task { [states = manager.states] in
                await states.reduce(into: AuthState.restoring(.reading)) { $0 = $1 }
            }
            let results = await withTaskGroup(of: Result<AuthSession, AuthError>?.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        let provider = ScriptedProvider(.kakao, userID: "\(number)")
                        return await outcome(of: AuthSignIn(repository: repository, manager: manager)(with: provider))
                    }
                }
                group.addTask {
                    _ = await outcome(of: AuthSignOut(repository: repository, manager: manager)())
                    return nil
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let failures = results.compactMap { $0?.error?.code }
            #expect(failures.allSatisfy { $0 == .superseded })
            let state = manager.state
            manager.finish()
            let last = await reading.value
            let stored = try await store.read(.session).data.flatMap(SessionRecord.session(in:))
            #expect(last == state, "round \(round)")
            #expect(stored?.user == state.user, "round \(round)")
            #expect(manager.session?.user == state.user, "round \(round)")
        }
    }

    @Test func adoptionsThatRaceWithSignInsAndSignOutsAskOneAtATimeAndEndInAgreement() async throws {
        for round in 0..<100 {
            let store = MemorySessionStore()
            let adoptable = AdoptableSession(
                refreshToken: Secret("left"), user: round % 2 == 0 ? AuthUser(id: "ada") : nil)
            let manager = SessionManager(store: store, adoption: SessionAdoption(find: { adoptable }))
            let (atOnce, most) = (Lock(0), Lock(0))
            let repository = ScriptedRepository(adopt: { _ in
                let now = atOnce.withLock { count in
                    count += 1
                    return count
                }
                most.withLock { $0 = max($0, now) }
                await Task.yield()
                atOnce.withLock { $0 -= 1 }
                return .sample(user: "ada")
            })
            let reading = Task { [states = manager.states] in
                await states.reduce(into: AuthState.restoring(.reading)) { $0 = $1 }
            }
            let adopt = AdoptSession(repository: repository, manager: manager)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { _ = await outcome(of: adopt(adoptable)) } }
                group.addTask {
                    _ = await outcome(of: AuthStream { try await manager.restore() })
                    _ = try? await RefreshSession(repository: repository, manager: manager).currentSession()
                }
                group.addTask {
                    let provider = ScriptedProvider(.kakao, userID: "1001")
                    _ = await outcome(of: AuthSignIn(repository: repository, manager: manager)(with: provider))
                }
                if round % 3 == 0 {
                    group.addTask { _ = await outcome(of: AuthSignOut(repository: repository, manager: manager)()) }
                }
            }
            let state = manager.state
            manager.finish()
            #expect(await reading.value == state, "round \(round)")
            let stored = try await store.read(.session).data.flatMap(SessionRecord.session(in:))
            #expect(stored?.user == state.user, "round \(round)")
            #expect(manager.read { $0.kept?.adoptable } == nil, "round \(round)")
            #expect(most.withLock { $0 } <= 1, "round \(round)")
        }
    }

    @Test func statesAreReadInTheOrderInWhichTheyWereDecided() async {
        let rounds = TestVolume.of(500, full: 5_000)
        let manager = SessionManager(store: MemorySessionStore())
        _ = manager.transition { machine, _ in machine.signOut() }
        let (states, events) = (manager.states.makeAsyncIterator(), manager.events.makeAsyncIterator())
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<rounds {
                        _ = manager.transition {
                            $0.signInBegan(
                                with: ProviderID(rawValue: "\(task).\(round)"), at: .presenting, $1.uptime)
                        }
                    }
                }
            }
        }
        manager.finish()
        var (reader, seen) = (states, [AuthState]())
        while let state = await reader.next() { seen.append(state) }
        // The machine numbers the sign-ins in the order in which it decides.
        var (listener, begun) = (events, [(id: UInt64, provider: ProviderID)]())
        while let event = await listener.next() {
            if event.kind == .signInStarted, let id = event.attempt?.number, let provider = event.provider {
                begun.append((id, provider))
            }
        }
        #expect(begun.map(\.id) == Array(1...UInt64(4 * rounds)))
        let isInOrder = seen == [.signedOut(nil)] + begun.map { .signingIn($0.provider, .presenting) }
        #expect(isInOrder)
    }

    @Test func aServiceThatIsReleasedWhileReadersWaitEndsThem() async throws {
        for round in 0..<100 {
            var auth: AuthService? = AuthService(
                repository: ScriptedRepository(), providers: [], store: MemorySessionStore(),
                callbacks: CallbackRouter())
            guard let states = auth?.states, let events = auth?.events else { return }
            try await wait(for: "the store to be read") { auth?.state == .signedOut(nil) }
            let stateReaders = (0..<4).map { _ in Task { await states.reduce(into: [AuthState]()) { $0.append($1) } } }
            let eventReaders = (0..<4).map { _ in Task { await events.reduce(into: [AuthEvent]()) { $0.append($1) } } }
            try await wait(for: "all readers to wait for the next element") {
                states.waitingReaders == 4 && events.waitingReaders == 4
            }
            auth = nil
            for reader in stateReaders { #expect(await reader.value == [.signedOut(nil)], "round \(round)") }
            for reader in eventReaders { #expect(await reader.value.isEmpty, "round \(round)") }
        }
    }
}
