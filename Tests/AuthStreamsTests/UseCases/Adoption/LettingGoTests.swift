import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// The other SDK discards its copy, not too early and not twice.
@Suite struct LettingGoTests: AdoptionSuite {
    let store = FaultySessionStore()
    let clock = ManualClock()

    /// Waits until the launch of a service has done what it does after an adoption was decided.
    private func launched(_ auth: AuthService) async { _ = await auth.adopt(refreshToken: Secret("another")).result }

    @Test func theOtherSDKLetsGoOnceTheSessionIsStored() async throws {
        let (release, stored) = (Promise<Bool>(), store)
        let auth = service(
            server(.success(Self.ada)), leftBehind: { Self.nameless },
            letGo: { release.resolve((try? await stored.read(.session))?.data != nil) })
        #expect(await release.value() == true)
        _ = auth
    }

    @Test func theOtherSDKDoesNotLetGoOfWhatCouldNotBeStored() async throws {
        let letsGo = Lock(0)
        store.fail(.write, times: 1000)
        do {
            let auth = service(
                server(.success(Self.ada)), leftBehind: { Self.adas }, letGo: { letsGo.withLock { $0 += 1 } })
            _ = await auth.states.prefix { $0 == .signedIn(Self.ada.user, .verified) }
            await launched(auth)
        }
        #expect(letsGo.withLock { $0 } == 0)
        store.heal()
        // The next launch finds it where it was.
        let auth = service(
            server(.success(Self.ada)), leftBehind: { Self.adas }, letGo: { letsGo.withLock { $0 += 1 } })
        _ = await auth.states.prefix { $0 == .signedIn(Self.ada.user, .verified) }
        await launched(auth)
        #expect(letsGo.withLock { $0 } >= 1)
    }

    @Test func whatFailedToLetGoIsAskedToAtTheNextLaunchAndOnceItDidNoMore() async throws {
        let letsGo = Lock(0)
        for launch in 1...4 {
            let auth = service(
                server(.success(Self.ada)), leftBehind: { Self.nameless },
                letGo: {
                    let count = letsGo.withLock { count in
                        count += 1
                        return count
                    }
                    if count < 3 { throw AuthError(.storage, "Scripted.") }
                })
            _ = await auth.states.prefix { $0.user != nil }
            await launched(auth)
            if launch == 4 { #expect(letsGo.withLock { $0 } == 3) }
        }
    }
}
