import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// The other SDK discards its copy, not too early and not twice.
@Suite struct AdoptionDiscardTests: AdoptionSuite {
    let store = FaultySessionStore()
    let clock = ManualClock()

    /// Waits until the launch of a service has done what it does after an adoption was decided.
    private func launched(_ auth: AuthService) async {
        await auth.background?.launch.value
        _ = await auth.adopt(refreshToken: Secret("another")).result
        await auth.manager.outstanding.waitUntilNone()
    }

    @Test func theOtherSDKDiscardsItOnceTheSessionIsStored() async throws {
        let (release, stored) = (Promise<Bool>(), store)
        let auth = service(
            server(.success(Self.ada)), find: { Self.nameless },
            discard: { release.resolve((try? await stored.read(.session))?.data != nil) })
        #expect(await release.value() == true)
        _ = auth
    }

    @Test func whatAnotherProcessDecidesMeanwhileIsShown() async throws {
        let other = SessionManager(store: store)
        let manager = SessionManager(
            store: store,
            adoption: SessionAdoption(
                find: { Self.adas },
                discard: {
                    _ = try await other.restore()
                    _ = other.transition { machine, _ in machine.signOut() }
                    try await other.persistPending()
                }))
        _ = try await manager.restore()
        await manager.discardAdopted()
        let record = try SessionRecord(reading: #require(try await store.read(.session).data))
        #expect(record.session == nil && record.history.isDiscarded)
        #expect(manager.state == .signedOut(.elsewhere))
    }

    @Test func theOtherSDKDoesNotDiscardWhatCouldNotBeStored() async throws {
        let discards = Lock(0)
        store.fail(.write, times: 1000)
        do {
            let auth = service(
                server(.success(Self.ada)), find: { Self.adas }, discard: { discards.withLock { $0 += 1 } })
            // The write waits to be tried again, and the adoption for it.
            await clock.waitForSleepers(count: 1)
            #expect(auth.user == Self.ada.user)
        }
        #expect(discards.withLock { $0 } == 0)
        store.heal()
        // The next launch finds it where it was.
        let auth = service(
            server(.success(Self.ada)), find: { Self.adas }, discard: { discards.withLock { $0 += 1 } })
        _ = await auth.states.prefix { $0 == .signedIn(Self.ada.user, .verified) }
        await launched(auth)
        #expect(discards.withLock { $0 } >= 1)
    }

    @Test func copyOfASessionThatIsOverIsDiscarded() async throws {
        let (isBroken, discards) = (Lock(true), Lock(0))
        let auth = service(
            server(failure(.network)), find: { Self.adas },
            discard: {
                if isBroken.withLock({ $0 }) { throw AuthError(.storage, "Scripted.") }
                discards.withLock { $0 += 1 }
            })
        await clock.waitForSleepers(count: 1)
        await auth.background?.launch.value
        await auth.manager.outstanding.waitUntilNone()
        isBroken.withLock { $0 = false }
        try await auth.signOut()
        await auth.manager.outstanding.waitUntilNone()
        #expect(discards.withLock { $0 } == 1)
    }

    @Test func discardThatFailsIsRepeatedAndOneThatSucceedsIsNot() async throws {
        let discards = Lock(0)
        for launch in 1...4 {
            let auth = service(
                server(.success(Self.ada)), find: { Self.nameless },
                discard: {
                    let count = discards.withLock { count in
                        count += 1
                        return count
                    }
                    if count < 3 { throw AuthError(.storage, "Scripted.") }
                })
            _ = await auth.states.prefix { $0.user != nil }
            await launched(auth)
            if launch == 4 { #expect(discards.withLock { $0 } == 3) }
        }
    }
}
