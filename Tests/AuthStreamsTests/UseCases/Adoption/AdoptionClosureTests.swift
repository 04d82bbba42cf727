import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// The closures of `adoption` run while the service waits for them.
@Suite struct AdoptionClosureTests: AdoptionSuite {
    let store = FaultySessionStore()
    let clock = ManualClock()

    private final class Box: Sendable {
        let auth = Lock<AuthService?>(nil)
        let errors = Lock<[AuthError.Code]>([])

        func call(_ call: (AuthService) async throws -> Void) async {
            guard let auth = auth.withLock({ $0 }) else { return }
            do { try await call(auth) } catch { errors.withLock { $0.append(AuthError(wrapping: error).code) } }
        }
    }

    @Test func callingTheServiceFromFindIsRefusedAndRestoringGoesOn() async throws {
        let (box, isReady) = (Box(), Promise<Void>())
        let auth = service(server(.success(Self.ada))) {
            _ = await isReady.value()
            await box.call { _ = try await $0.accessToken() }
            await box.call { _ = try await $0.deleteAccount().value }
            await box.call { _ = try await $0.adopt(refreshToken: Secret("another")).value }
            // Also in a task that it starts and waits for.
            await Task { await box.call { _ = try await $0.signInAnonymously().value } }.value
            return Self.adas
        }
        box.auth.withLock { $0 = auth }
        isReady.resolve(())
        _ = await auth.states.prefix { $0 == .signedIn(Self.ada.user, .verified) }
        #expect(box.errors.withLock { $0 } == [.misconfigured, .misconfigured, .misconfigured, .misconfigured])
        box.auth.withLock { $0 = nil }
    }

    @Test func callingTheServiceFromDiscardIsRefusedToo() async throws {
        let (box, isReady, wasDiscarded) = (Box(), Promise<Void>(), Promise<Void>())
        let auth = service(server(.success(Self.ada))) {
            _ = await isReady.value()
            return Self.adas
        } discard: {
            await box.call { _ = try await $0.adopt(refreshToken: Secret("another")).value }
            wasDiscarded.resolve(())
        }
        box.auth.withLock { $0 = auth }
        isReady.resolve(())
        _ = await wasDiscarded.value()
        #expect(box.errors.withLock { $0 } == [.misconfigured])
        box.auth.withLock { $0 = nil }
    }
}
