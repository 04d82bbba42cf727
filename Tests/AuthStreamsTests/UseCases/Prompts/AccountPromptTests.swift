import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// One more step of a change of the account.
@Suite struct AccountPromptTests {
    private enum Change: String, CaseIterable, Sendable {
        case link, reauthenticate, unlink, profile, deletion

        /// The account whose server wants a code for the change.
        var account: ScriptedAccount {
            var account = ScriptedAccount()
            account.refresh = { $0 }
            let error = AuthError(.secondFactorRequired, "A code.", challenge: PromptFixture.code)
            switch self {
            case .link: account.link = { _, _ in throw error }
            case .reauthenticate: account.reauthenticate = { _, _ in throw error }
            case .unlink: account.unlink = { _, _ in throw error }
            case .profile: account.updateProfile = { _, _ in throw error }
            case .deletion:
                let isProven = Lock(false)
                account.deleteAccount = { _ in
                    let isFirst = isProven.withLock { isProven in
                        defer { isProven = true }
                        return !isProven
                    }
                    if isFirst { throw error }
                }
            }
            return account
        }

        func run(_ auth: AuthService) async throws(AuthError) {
            switch self {
            case .link: _ = try await auth.link(with: .naver).value
            case .reauthenticate: _ = try await auth.reauthenticate(with: .kakao).value
            case .unlink: _ = try await auth.unlink(.naver).value
            case .profile: _ = try await auth.updateProfile(displayName: .set("Minji")).value
            case .deletion: try await auth.deleteAccount(with: .kakao).value
            }
        }
    }

    private func signedIn(
        _ account: ScriptedAccount, answer: PromptFixture.Decision? = nil
    ) async throws -> PromptFixture {
        let fixture = PromptFixture(nil, account: account, answer: answer)
        let user = try await fixture.auth.signIn(with: .kakao).value.user
        #expect(user.id == "kakao:1001")
        return fixture
    }

    @Test(arguments: Change.allCases) private func theAnswerContinuesTheChange(change: Change) async throws {
        let fixture = try await signedIn(change.account)
        var view = PromptView(fixture.auth)
        let attempt = Task { try await change.run(fixture.auth) }
        let prompt = try #require(await view.prompt())
        #expect(fixture.auth.user != nil, "The state stays signed in.")
        // No request holds the refresh lock while the person is asked.
        _ = try await fixture.auth.accessToken(forceRefresh: true)
        prompt.code?.submit("111111")
        let again = try #require(await view.prompt())
        #expect(again.failure?.code == .codeMismatch && again.id == prompt.id)
        again.code?.submit("123456")
        try await attempt.value
        #expect(
            fixture.repository.calls.filter { $0 == .answer(.code(Secret("123456")), "kakao:1001") }.count == 1,
            "The answer names the session.")
        #expect((fixture.auth.user == nil) == (change == .deletion))
        #expect(try #require(await view.next()) == nil)
    }

    /// The server may already have carried it out, and have answered with new tokens.
    @Test(arguments: Change.allCases) private func cancellingDoesNotInterruptTheAnswerOfAChange(
        change: Change
    ) async throws {
        let (sent, gate) = (Promise<Void>(), Promise<Void>())
        let fixture = try await signedIn(change.account) { _, _, session in
            sent.resolve(())
            // A request that is cancelled has no answer.
            guard await gate.value() != nil else { throw CancellationError() }
            return session ?? PromptFixture.session
        }
        var view = PromptView(fixture.auth)
        let attempt = Task { try await change.run(fixture.auth) }
        let prompt = try #require(await view.prompt())
        prompt.code?.submit("123456")
        _ = await sent.value()
        prompt.cancel()
        gate.resolve(())
        try await attempt.value
        #expect((fixture.auth.user == nil) == (change == .deletion))
    }

    @Test(arguments: Change.allCases) private func cancellingLeavesTheSessionAlone(change: Change) async throws {
        let fixture = try await signedIn(change.account)
        var view = PromptView(fixture.auth)
        let attempt = Task { try await change.run(fixture.auth) }
        try #require(await view.prompt()).cancel()
        let error = await #expect(throws: AuthError.self) { try await attempt.value }
        #expect(error?.code == .cancelled && fixture.auth.user?.id == "kakao:1001")
        #expect(await fixture.auth.pendingDeletion == nil, "The server deleted nothing.")
    }

    @Test func aSignInThatAsksLaterTakesThePlaceOfAChangeThatAsks() async throws {
        let fixture = try await signedIn(Change.link.account)
        var view = PromptView(fixture.auth)
        let link = Task { try await fixture.auth.link(with: .naver).value }
        let prompt = try #require(await view.prompt())
        let signIn = Task { try await fixture.auth.signIn(with: .naver).value }
        let error = await #expect(throws: AuthError.self) { try await link.value }
        #expect(error?.code == .superseded && !prompt.isOpen)
        _ = try await signIn.value
    }

    @Test func signingOutEndsTheChangeThatAsks() async throws {
        let fixture = try await signedIn(Change.reauthenticate.account)
        var view = PromptView(fixture.auth)
        let attempt = Task { try await fixture.auth.reauthenticate(with: .kakao).value }
        let prompt = try #require(await view.prompt())
        try await fixture.auth.signOut()
        let error = await #expect(throws: AuthError.self) { try await attempt.value }
        #expect(error?.code == .superseded && !prompt.isOpen)
    }
}
