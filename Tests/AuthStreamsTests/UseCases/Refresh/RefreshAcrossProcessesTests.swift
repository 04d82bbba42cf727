import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Two managers over one store stand for two processes.
@Suite struct RefreshAcrossProcessesTests {
    @Test func theSecondProcessTakesWhatTheFirstGot() async throws {
        let first = try await RefreshScene()
        let second = try await RefreshScene(beside: first)
        #expect(try await first.refreshing.accessToken(forceRefresh: true) == Secret("a2"))
        #expect(try await second.refreshing.accessToken(forceRefresh: true) == Secret("a2"))
        #expect(first.server.sent == ["r1"])
    }

    @Test func noTwoProcessesAskAtOnce() async throws {
        let store = LockWatchingStore()
        let first = try await RefreshScene(over: store)
        let second = try await RefreshScene(beside: first)
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        first.server.next(.held(by: gate, reached: reached))
        let early = Task { try await first.refreshing.accessToken(forceRefresh: true) }
        _ = await reached.value()
        let late = Task { try await second.refreshing.accessToken(forceRefresh: true) }
        _ = await store.asked(2).value()
        gate.resolve(())
        #expect(try await early.value == Secret("a2"))
        #expect(try await late.value == Secret("a2"))
        #expect(first.server.sent == ["r1"])
        #expect(first.server.mostAtOnce == 1)
    }

    @Test func aSignOutElsewhereDropsTheAnswerAndGivesItBack() async throws {
        let first = try await RefreshScene()
        let second = try await RefreshScene(beside: first)
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        first.server.next(.held(by: gate, reached: reached))
        let caller = Task { await second.refusal() }
        _ = await reached.value()
        try await first.signOut()
        gate.resolve(())
        #expect(await caller.value == .superseded)
        #expect(second.manager.state == .signedOut(.elsewhere))
        #expect(try await first.record()?.session == nil)
        try await wait(for: "both sessions to be signed out") { first.server.signedOut.count == 2 }
        #expect(first.server.signedOut == ["a1", "a2"])
    }

    @Test func anotherUserElsewhereIsTheUserHere() async throws {
        let first = try await RefreshScene()
        let second = try await RefreshScene(beside: first)
        try await first.signIn("bob")
        #expect(await second.refusal() == .superseded)
        #expect(second.manager.state == .signedIn(AuthUser(id: "bob"), .cached))
        #expect(first.server.sent.isEmpty)
        #expect(try await second.refreshing.accessToken() == Secret("a2"))
    }

    @Test func whoSignsOutHereIsNotWhoSignedInElsewhere() async throws {
        let first = try await RefreshScene()
        let second = try await RefreshScene(beside: first)
        try await first.signIn("bob")
        try await second.signOut()
        #expect(try await first.storedSession()?.user.id == "bob")
        #expect(second.manager.state.user?.id == "bob")
    }

    @Test func aSignOutRemovesWhatAnotherProcessRefreshed() async throws {
        let first = try await RefreshScene()
        let second = try await RefreshScene(beside: first)
        #expect(await first.refusal() == nil)
        try await second.signOut()
        #expect(try await first.record()?.session == nil)
        #expect(second.manager.state == .signedOut(.user))
    }

    /// The other process has reached the server.
    @Test func newTokensOfAnotherProcessEndAnOutage() async throws {
        let first = try await RefreshScene()
        let second = try await RefreshScene(beside: first)
        let ada = AuthUser(id: "ada")
        #expect(second.manager.state == .signedIn(ada, .cached))
        second.server.next(.unsent(RefreshScene.offline))
        #expect(await second.refusal() == .network)
        #expect(second.manager.state == .signedIn(ada, .offline(since: RefreshScene.noon)))
        #expect(await first.refusal() == nil)
        try await second.manager.synchronize()
        #expect(second.manager.state == .signedIn(ada, .verified))
    }

    @Test func changesElsewhereReachTheReaders() async throws {
        let first = try await RefreshScene()
        let second = try await RefreshScene(beside: first)
        var states = second.manager.states.makeAsyncIterator()
        _ = await states.next()
        let changes = second.store.changes(of: .session)
        let following = Task { await second.manager.follow(changes) }
        try await first.signIn("bob")
        #expect(await states.next() == .signedIn(AuthUser(id: "bob"), .cached))
        try await first.signOut()
        #expect(await states.next() == .signedOut(.elsewhere))
        try await first.signIn("eve")
        #expect(await states.next() == .signedIn(AuthUser(id: "eve"), .cached))
        following.cancel()
        await following.value
    }
}
