import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// Each call of the store fails, one after the other, before or after it took effect, for once or until it is healed:
/// for each act of the app, no user is signed out by it, and no refresh token is sent twice.
@Suite struct StoreFailuresTests {
    /// What an app does. Ada is signed in before, by the process before.
    enum Deed: CaseIterable, Sendable {
        case launch, refresh, signOut, signIn, change

        var userAfterwards: AuthUser.ID? {
            switch self {
            case .launch, .refresh, .change: "ada"
            case .signOut: nil
            case .signIn: "bob"
            }
        }
    }

    struct Failure: CustomStringConvertible, Sendable {
        let outage: BreakingStore.Outage
        let moment: FaultySessionStore.Moment

        var description: String { "\(moment), \(outage)" }

        static let all = BreakingStore.Outage.allCases.flatMap { outage in
            [.before, .after].map { Failure(outage: outage, moment: $0) }
        }
    }

    @Test(arguments: Deed.allCases, Failure.all)
    func nothingIsLostWhicheverCallOfTheStoreFails(deed: Deed, failure: Failure) async throws {
        var call = 1
        while try await hasFailed(at: call, failure, during: deed) { call += 1 }
        #expect(call > 1, "Nothing was asked of the store.")
    }

    /// - Returns: `false` when there were fewer calls.
    private func hasFailed(at call: Int, _ failure: Failure, during deed: Deed) async throws -> Bool {
        let base = MemorySessionStore()
        let before = try await RefreshScene(over: base)
        let store = BreakingStore(base)
        let scene: RefreshScene
        if deed == .launch {
            store.fail(at: call, failure.outage, failure.moment)
            scene = try await RefreshScene(restored: false, over: store, beside: before)
        } else {
            scene = try await RefreshScene(over: store, beside: before)
            store.fail(at: call, failure.outage, failure.moment)
        }
        await run(deed, in: scene)
        let hasFailed = store.heal()
        let name = "\(deed), call \(call), \(failure)"

        if deed == .launch {
            _ = try await AuthStream { try await scene.manager.restore() }.value
        }
        #expect(scene.manager.state.user?.id == deed.userAfterwards, "\(name)")
        if deed == .signOut { #expect(scene.manager.state == .signedOut(.user), "\(name)") }
        try? await scene.manager.persistPending()
        let present = scene.manager.session
        #expect(try await before.storedSession() == present, "\(name)")

        let next = try await RefreshScene(over: base, beside: before)
        #expect(next.manager.session == present, "\(name)")
        if present != nil {
            // The next launch first: it has nothing but the store.
            #expect(await next.refusal() == nil, "\(name)")
            #expect(await scene.refusal() == nil, "\(name)")
        }
        #expect(Set(before.server.sent).count == before.server.sent.count, "\(name)")
        return hasFailed
    }

    private func run(_ deed: Deed, in scene: RefreshScene) async {
        switch deed {
        case .launch: _ = try? await scene.manager.restore()
        case .refresh: _ = await scene.refusal()
        case .signOut: try? await scene.signOut()
        case .signIn: try? await scene.signIn("bob")
        case .change:
            _ = try? await scene.refreshing.change { session throws(AuthError) in
                // New tokens, as a link brings them; those before are over.
                try await scene.server.refresh(session)
            }
        }
    }
}
