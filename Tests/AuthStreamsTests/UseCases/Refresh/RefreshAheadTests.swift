import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

@Suite struct RefreshAheadTests {
    /// Runs the work ahead beside a test.
    private func ahead<Value>(
        of scene: RefreshScene, _ test: (inout AuthEvents.AsyncIterator) async throws -> Value
    ) async throws -> Value {
        var events = scene.manager.events.makeAsyncIterator()
        let work = Task { await scene.refreshing.runSchedule() }
        defer { work.cancel() }
        return try await test(&events)
    }

    private func next(
        _ kinds: Set<AuthEvent.Kind>, in events: inout AuthEvents.AsyncIterator
    ) async -> AuthEvent? {
        while let event = await events.next() { if kinds.contains(event.kind) { return event } }
        return nil
    }

    /// Between the middle of an hour and five minutes before its end.
    private static let due = 1650.0...3300

    @Test func aSessionIsRefreshedSomeMinutesBeforeItsExpiry() async throws {
        let scene = try await RefreshScene()
        try await ahead(of: scene) { events in
            await scene.clock.waitForSleepers(count: 1)
            #expect(scene.server.sent.isEmpty)
            let rest = try #require(scene.clock.advanceToNextSleeper())
            #expect(Self.due.contains(rest / .seconds(1)))
            #expect(await next([.refreshSucceeded], in: &events)?.elapsed == .zero)
            #expect(scene.server.sent == ["r1"])
            await scene.clock.waitForSleepers(count: 1)
        }
    }

    @Test func itGoesOnAfterFailuresUntilItSucceeds() async throws {
        let scene = try await RefreshScene()
        scene.server.next(
            .unsent(RefreshScene.offline), .unsent(RefreshScene.offline),
            .says(AuthError(.server, "Scripted.", retryAfter: .seconds(400))))
        try await ahead(of: scene) { events in
            await scene.clock.waitForSleepers(count: 1)
            scene.clock.advanceToNextSleeper()
            var delays: [Duration] = []
            while let event = await next([.refreshFailed, .refreshSucceeded], in: &events),
                event.kind == .refreshFailed
            {
                let delay = try #require(event.retry)
                delays.append(delay)
                await scene.clock.waitForSleepers(count: 1)
                scene.clock.advance(by: delay)
            }
            #expect(delays.count == 3)
            #expect(
                delays[0] <= .seconds(1) && delays[1] <= .seconds(2) && delays[2] >= .seconds(400)
                    && delays[2] <= .seconds(1600))
            #expect(scene.manager.state == .signedIn(AuthUser(id: "ada"), .verified))
        }
    }

    @Test func aSignInDuringTheWaitChangesThePlan() async throws {
        let scene = try await RefreshScene()
        try await ahead(of: scene) { events in
            await scene.clock.waitForSleepers(count: 1)
            scene.clock.advance(by: .seconds(1500))
            try await scene.signIn("bob")
            scene.clock.advance(by: .seconds(1649))
            #expect(scene.server.sent.isEmpty)
            scene.clock.advance(by: .seconds(1651))
            _ = await next([.refreshSucceeded], in: &events)
            #expect(scene.server.sent == ["r2"])
        }
    }

    @Test func tokensThatCouldNotBeStoredAreStoredLater() async throws {
        let scene = try await RefreshScene()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        try await ahead(of: scene) { events in
            await scene.clock.waitForSleepers(count: 1)
            scene.clock.advanceToNextSleeper()
            _ = await reached.value()
            scene.store.fail(.write, times: 2)
            gate.resolve(())
            var changes = scene.store.changes(of: .session).makeAsyncIterator()
            for limit in [1, 2] {
                let delay = try #require(await next([.storageFailed], in: &events)?.retry)
                #expect(delay >= .seconds(limit) / 2 && delay <= .seconds(limit))
                await scene.clock.waitForSleepers(count: 1)
                #expect(scene.clock.advanceToNextSleeper() == delay)
            }
            _ = await changes.next()
            #expect(try await scene.storedSession()?.refreshToken == Secret("r2"))
            #expect(scene.server.sent == ["r1"])
        }
    }
}

extension AuthEvent {
    /// The time until the next automatic retry.
    fileprivate var retry: Duration? {
        if case .retry(let delay) = details { delay } else { nil }
    }
}
