import AuthStreams
import Foundation
import Testing

@testable import faults

@Suite struct SimulatedServerTests {
    /// A world by that rule. It is drawn until it fits.
    private func world(_ rule: RefreshTokenRule, window: Bool = false) throws -> World {
        let schedule = try #require(
            (0..<1000).lazy.map { Schedule(seed: UInt64($0)) }.first {
                $0.plan.hasRefreshTokens && $0.plan.rule == rule && ($0.plan.reuseWindow > 0) == window
            })
        return World(schedule, timeline: Timeline(isKept: false))
    }

    private func tokens(_ answer: Answer) throws -> (access: TokenName, refresh: TokenName) {
        guard case .session(let access, let refresh?) = answer.meaning else {
            throw NoSession(status: answer.response.status)
        }
        return (access, refresh)
    }

    @Test func aRefreshReplacesTheTokenAndASecondUseEndsTheSession() throws {
        let world = try world(.singleUse)
        let first = try tokens(world.server.signIn(Identity(0)))
        let second = try tokens(world.server.refresh(first.refresh))
        #expect(second.refresh != first.refresh)
        #expect(world.server.accepts(second.access))
        #expect(world.server.refresh(first.refresh).meaning == .refusal(first.refresh, .sessionExpired))
        #expect(!world.server.accepts(second.access))
        #expect(world.server.refresh(second.refresh).meaning == .refusal(second.refresh, .sessionExpired))
    }

    @Test func withinTheReuseWindowASecondUseIsAnswered() throws {
        let world = try world(.singleUse, window: true)
        let first = try tokens(world.server.signIn(Identity(0)))
        let second = try tokens(world.server.refresh(first.refresh))
        #expect(try tokens(world.server.refresh(first.refresh)).refresh == second.refresh)
    }

    @Test func aReusableTokenStaysGood() throws {
        let world = try world(.reusable)
        let first = try tokens(world.server.signIn(Identity(0)))
        #expect(try tokens(world.server.refresh(first.refresh)).refresh == first.refresh)
        #expect(try tokens(world.server.refresh(first.refresh)).refresh == first.refresh)
    }

    @Test func accessTokensExpire() throws {
        let world = try world(.singleUse)
        let session = try tokens(world.server.signIn(Identity(0)))
        #expect(world.server.accepts(session.access))
        world.skip(to: world.plan.lifetime)
        #expect(!world.server.accepts(session.access))
    }

    @Test func theConsoleEndsSessionsForTheirReason() throws {
        let world = try world(.singleUse)
        let session = try tokens(world.server.signIn(Identity(1)))
        world.server.refuse(1, .userDisabled)
        #expect(world.server.refresh(session.refresh).meaning == .refusal(session.refresh, .userDisabled))
        #expect(world.server.signIn(Identity(1)).meaning == nil)
        #expect(world.server.signIn(Identity(0)).meaning != nil)
    }

    private struct NoSession: Error {
        let status: Int
    }
}
