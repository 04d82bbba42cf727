import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// A change of the account, while another process or an earlier refresh has to do with the same session.
@Suite struct ChangeAcrossProcessesTests {
    @Test func accessTokenOfAChangeLeavesTheMark() async throws {
        let first = try await RefreshScene()
        let second = try await RefreshScene(beside: first)
        second.server.next(.lost(RefreshScene.lost))
        #expect(await second.refusal() == .timedOut)
        _ = try await first.refreshing.change { session in
            var next = session
            next.accessToken = Secret("changed")
            return next
        }
        #expect(try await first.record()?.isSent == true)
        #expect(await first.refusal() == .sessionExpired)
        #expect(first.manager.state == .signedOut(.refreshInterrupted))
    }

    @Test func aChangesAnswerDoesNotReplaceANewerSignInOfTheSamePerson() async throws {
        let first = try await RefreshScene()
        let second = try await RefreshScene(beside: first)
        let changed = try await first.refreshing.change { session in
            _ = try? await AuthSignIn(repository: second.server, manager: second.manager)(
                Credential(provider: .kakao, userID: "ada")
            ).value
            var next = session
            next.user.displayName = "Ada"
            next.refreshToken = Secret("changed")
            return next
        }
        #expect(changed.refreshToken == Secret("r2"))
        #expect(try await first.storedSession()?.refreshToken == Secret("r2"))
        #expect(first.manager.session?.user.displayName == "Ada")
    }

    /// This process learns of the sign-in right before it sends the request.
    @Test func aChangeIsNotSentForAUserWhoSignedInElsewhere() async throws {
        let first = try await RefreshScene()
        let second = try await RefreshScene(beside: first)
        try await second.signIn("tom")
        let error = await #expect(throws: AuthError.self) {
            try await first.refreshing.change { session in
                Issue.record("It was sent for \(session.user.id).")
                return session
            }
        }
        #expect(error?.code == .superseded)
        #expect(first.manager.state.user?.id == "tom")
    }

    @Test func aSignInThatWasSupersededWhileAnUnreadStoreWasReadIsNotWritten() async throws {
        let store = FaultySessionStore()
        let manager = SessionManager(store: store)
        let attempt = manager.begin()
        let hold = store.hold(.read)
        let signingIn = Task { try await manager.commit(.sample(user: "ada"), by: attempt) }
        await hold.reached()
        _ = manager.transition { machine, _ in machine.signOut() }
        hold.release()
        await #expect(throws: AuthError.self) { try await signingIn.value }
        #expect(try await store.session() == nil)
    }

    @Test func adoptableSessionIsNotAdoptedOverASignInOfAnotherProcess() async throws {
        let store = MemorySessionStore()
        let second = SessionManager(store: store)
        let manager = SessionManager(
            store: store,
            adoption: SessionAdoption(find: {
                _ = try await second.restore()
                try await second.commit(.sample(user: "bob"), by: second.begin())
                return AdoptableSession(refreshToken: Secret("old"), user: AuthUser(id: "ada"))
            }))
        var states = manager.states.makeAsyncIterator()
        _ = await states.next()
        #expect(try await manager.restore()?.id == "bob")
        #expect(await states.next() == .signedIn(AuthSession.sample(user: "bob").user, .cached))
        #expect(manager.read { $0.kept?.adoptable } == nil)
    }

    @Test func whatAnotherProcessTookUpAndEndedIsNotTakenUpAgain() async throws {
        let store = MemorySessionStore()
        let manager = SessionManager(
            store: store,
            adoption: SessionAdoption(find: {
                let old = AdoptableSession(refreshToken: Secret("old"))
                var history = SessionRecord.History()
                history.end([SessionID(adopting: old)])
                try await store.write(SessionRecord(nil, history).data(), for: .session)
                return AdoptableSession(refreshToken: Secret("old"), user: AuthUser(id: "ada"))
            }))
        #expect(try await manager.restore() == nil)
        #expect(manager.state == .signedOut(nil))
        #expect(manager.read { $0.kept?.adoptable } == nil)
    }
}
