import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The person locks the phone between the prompt and the end of the attempt. A code is used up by its answer, so what the server
/// gave for it is kept in memory, and stored once the store is unlocked.
@Suite struct LockedDevicePromptTests {
    private let store = FaultySessionStore()

    /// A service whose server wants a code of each operation that is given here, and locks the phone before its answer.
    private func service(_ account: ScriptedAccount, asksSignIns: Bool) -> (AuthService, ScriptedRepository) {
        let repository = ScriptedRepository(
            establish: { credential in
                guard !asksSignIns else {
                    throw AuthError(.secondFactorRequired, "A code.", challenge: PromptFixture.code)
                }
                return ScriptedRepository.session(of: credential)
            }, account: account)
        let auth = AuthService(
            repository: repository, providers: [ScriptedProvider(.kakao), ScriptedProvider(.naver)], store: store,
            callbacks: CallbackRouter(), clock: .withoutPauses)
        return (auth, repository)
    }

    private func storedTokens() async throws -> [Secret?] {
        let session = try await store.session()?.session
        return [session?.accessToken, session?.refreshToken]
    }

    /// As any other sign-in it succeeds.
    @Test func theSignInSucceedsAndIsStoredOnceUnlocked() async throws {
        let (auth, repository) = service(ScriptedAccount(), asksSignIns: true)
        var view = PromptView(auth)
        let attempt = Task { try await auth.signIn(with: .kakao).value.user }
        let prompt = try #require(await view.prompt())
        store.lock()
        prompt.code?.submit("123456")
        #expect(try await attempt.value.id == "kakao:1001")
        #expect(auth.user?.id == "kakao:1001")
        #expect(try await auth.accessToken() == Secret("scripted-access-token"), "It is used meanwhile.")
        store.unlock()
        try await wait(for: "the session to be stored") {
            try await storedTokens() == [Secret("scripted-access-token"), Secret("scripted-refresh-token")]
        }
        #expect(repository.calls.filter { $0 == .answer(.code(Secret("123456")), nil) }.count == 1)
    }

    /// A change that replaces the refresh token ends with `storageLocked`, and its tokens are handed out once they are stored.
    @Test func theTokensOfAChangeAreStoredOnceUnlocked() async throws {
        var account = ScriptedAccount()
        account.link = { _, _ in
            throw AuthError(.secondFactorRequired, "A code.", challenge: PromptFixture.code)
        }
        account.answer = { [store] _, _, session in
            var session = try #require(session)
            (session.accessToken, session.refreshToken) = (Secret("access-2"), Secret("refresh-2"))
            store.lock()
            return session
        }
        let (auth, repository) = service(account, asksSignIns: false)
        _ = try await auth.signIn(with: .kakao).value
        var view = PromptView(auth)
        let attempt = Task { await auth.link(with: .naver).result }
        try #require(await view.prompt()).code?.submit("123456")
        #expect(await attempt.value.error?.code == .storageLocked)
        #expect(auth.user?.id == "kakao:1001")
        store.unlock()
        try await wait(for: "the tokens to be stored") {
            try await storedTokens() == [Secret("access-2"), Secret("refresh-2")]
        }
        #expect(try await auth.accessToken() == Secret("access-2"))
        #expect(repository.calls.filter { $0 == .answer(.code(Secret("123456")), "kakao:1001") }.count == 1)
    }
}
