import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

@Suite struct SentTokenTests {
    @Test func itIsOnDiskBeforeTheRequestIsSentAndGoneWithTheAnswer() async throws {
        let scene = try await RefreshScene()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let caller = Task { await scene.refusal() }
        _ = await reached.value()
        #expect(try await scene.record()?.isSent == true)
        gate.resolve(())
        #expect(await caller.value == nil)
        #expect(try await scene.record()?.isSent == false)
    }

    @Test func reusableTokenNeedsNoMark() async throws {
        let scene = try await RefreshScene(rule: .reusable)
        let writes = scene.store.operations.filter { $0.call == .write }.count
        scene.server.next(.lost(RefreshScene.lost), .lost(RefreshScene.lost))
        #expect(await scene.refusal() == .timedOut)
        #expect(await scene.refusal() == .timedOut)
        #expect(await scene.refusal() == nil)
        #expect(scene.server.sent == ["r1", "r1", "r1"])
        #expect(scene.store.operations.filter { $0.call == .write }.count == writes + 1)
    }

    @Test func aLostAnswerIsAskedForAgainAndTheRefusalSaysInterrupted() async throws {
        let scene = try await RefreshScene()
        scene.server.next(.lost(RefreshScene.lost))
        #expect(await scene.refusal() == .timedOut)
        #expect(scene.manager.state.user?.id == "ada")
        #expect(await scene.refusal() == .sessionExpired)
        #expect(scene.manager.state == .signedOut(.refreshInterrupted))
        #expect(scene.server.sent == ["r1", "r1"])
    }

    /// The next launch counts their lifetime from that date.
    @Test func markKeepsTheDateAtWhichTheTokensWereStored() async throws {
        let scene = try await RefreshScene()
        scene.clock.advance(by: .seconds(1800))
        #expect(await scene.refusal() == nil)
        scene.clock.advance(by: .seconds(600))
        scene.server.next(.lost(RefreshScene.lost))
        #expect(await scene.refusal() == .timedOut)
        let record = try #require(await scene.record())
        #expect(record.isSent && record.session?.savedAt == RefreshScene.noon.addingTimeInterval(1800))
    }

    @Test func whatWasNeverSentIsNoLostAnswer() async throws {
        let scene = try await RefreshScene()
        scene.server.next(.unsent(RefreshScene.offline))
        #expect(await scene.refusal() == .network)
        #expect(try await scene.record()?.isSent == false)
        scene.server.revoke("ada")
        #expect(await scene.refusal() == .sessionExpired)
        #expect(scene.manager.state == .signedOut(.expired))
    }

    @Test func anAnswerThatIsNoAnswerMayHaveReplacedTheToken() async throws {
        let scene = try await RefreshScene()
        scene.server.next(.lost(AuthError(.invalidResponse, "Cut off.")))
        #expect(await scene.refusal() == .invalidResponse)
        #expect(await scene.refusal() == .sessionExpired)
        #expect(scene.manager.state == .signedOut(.refreshInterrupted))
    }

    @Test func aChangeWithoutTokensIsNoAnswerToARefresh() async throws {
        let scene = try await RefreshScene()
        scene.server.next(.lost(RefreshScene.lost))
        #expect(await scene.refusal() == .timedOut)
        _ = try await scene.refreshing.change { session throws(AuthError) in
            var next = session
            next.user.displayName = "Ada"
            return next
        }
        #expect(try await scene.record()?.isSent == true)
        #expect(await scene.refusal() == .sessionExpired)
        #expect(scene.manager.state == .signedOut(.refreshInterrupted))
    }

    @Test func markOutlivesARestart() async throws {
        let before = try await RefreshScene()
        before.server.next(.lost(RefreshScene.lost))
        #expect(await before.refusal() == .timedOut)
        let after = try await RefreshScene(beside: before)
        #expect(after.manager.state.user?.id == "ada")
        #expect(await after.refusal() == .sessionExpired)
        #expect(after.manager.state == .signedOut(.refreshInterrupted))
    }

    /// A repeat that did not arrive says nothing about the request before it.
    @Test func failedRepeatLeavesTheMarkForTheNextLaunch() async throws {
        let before = try await RefreshScene()
        before.server.next(.lost(RefreshScene.lost), .unsent(RefreshScene.offline))
        #expect(await before.refusal() == .timedOut)
        #expect(await before.refusal() == .network)
        let after = try await RefreshScene(beside: before)
        #expect(await after.refusal() == .sessionExpired)
        #expect(after.manager.state == .signedOut(.refreshInterrupted))
    }

    @Test func whatTheServerSaysAboutTheUserIsNotAnInterruption() async throws {
        let scene = try await RefreshScene()
        scene.server.next(.lost(RefreshScene.lost), .says(AuthError(.userDisabled, "Scripted.")))
        #expect(await scene.refusal() == .timedOut)
        #expect(await scene.refusal() == .userDisabled)
        #expect(scene.manager.state == .signedOut(.disabled))
    }

    @Test func nothingIsSentThatCannotBeNoted() async throws {
        let scene = try await RefreshScene()
        scene.store.fail(.write, times: 1)
        #expect(await scene.refusal() == .storage)
        #expect(scene.server.sent.isEmpty)
        #expect(await scene.refusal() == nil)
        #expect(scene.server.sent == ["r1"])
    }

    @Test func aTokenIsHandedOutOnlyOnceTheNextRefreshTokenIsStored() async throws {
        let scene = try await RefreshScene()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let caller = Task { await scene.refusal() }
        _ = await reached.value()
        scene.store.fail(.write, times: 2)
        gate.resolve(())
        #expect(await caller.value == .storage)
        #expect(await scene.refusal(forced: false) == .storage)
        #expect(try await scene.refreshing.accessToken() == Secret("a2"))
        #expect(try await scene.storedSession()?.refreshToken == Secret("r2"))
        #expect(scene.server.sent == ["r1"])
    }

    /// The store failed at the sign-in. If the process ends during the refresh, the next launch has the session.
    @Test func writeThatFailedIsRepeatedBeforeARefresh() async throws {
        let scene = try await RefreshScene(signedIn: false)
        scene.store.fail(.write)
        try await scene.signIn("ada")
        scene.store.heal()
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let caller = Task { await scene.refusal() }
        _ = await reached.value()
        let next = try await RefreshScene(beside: scene)
        #expect(next.manager.state == .signedIn(AuthUser(id: "ada"), .cached))
        gate.resolve(())
        #expect(await caller.value == nil)
    }

    @Test func aStoreThatNeverHeldTheSessionStopsNoRefresh() async throws {
        let scene = try await RefreshScene(signedIn: false)
        scene.store.fail(.write)
        try await scene.signIn("ada")
        #expect(await scene.refusal() == nil)
        #expect(scene.manager.session?.refreshToken == Secret("r2"))
    }
}
