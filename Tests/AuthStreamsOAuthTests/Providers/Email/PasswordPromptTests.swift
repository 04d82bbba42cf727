import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The form of a password while the server cannot be reached, and once its answer was taken.
@Suite struct PasswordPromptTests {
    private static let entry = ["email": "ada@example.com", "password": "correct horse"]

    /// Each try counts at the server, so none is sent that the person did not submit.
    @Test(
        arguments: [
            (.network, nil), (.server, nil), (.rateLimited, .seconds(2)), (.rateLimited, nil), (.timedOut, nil),
        ] as [(AuthError.Code, Duration?)])
    func aPasswordThatCouldNotBeCheckedIsAskedAgain(code: AuthError.Code, retryAfter: Duration?) async throws {
        let isFirst = Lock(true)
        let repository = ScriptedRepository(establish: { credential in
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if fails { throw AuthError(code, "Not now.", retryAfter: retryAfter) }
            return ScriptedRepository.session(of: credential)
        })
        // A repetition would come at once.
        let auth = AuthService(
            repository: repository, providers: [PasswordProvider()], store: MemorySessionStore(),
            callbacks: CallbackRouter(), clock: .withoutPauses)
        var view = PromptView(auth)
        let attempt = Task { try await auth.signIn(with: .password).value.user }
        let first = try #require(await view.prompt())
        first.form?.submit(Self.entry)
        let next = try #require(await view.next())
        let again = try #require(next, "The form is shown again.")
        #expect(again.id == first.id && again.failure?.code == code)
        #expect(again.form?.fields.map(\.id) == ["email", "password"])
        #expect(repository.calls == [.signIn(.password)])
        again.form?.submit(Self.entry)
        #expect(try await attempt.value.id == "password:unknown")
        #expect(repository.calls == [.signIn(.password), .signIn(.password)])
    }

    /// A sheet that closes late does not interrupt the change that the person has answered for.
    @Test func aCancelAfterTheAnswerWasTakenLeavesTheChangeAlone() async throws {
        let (reached, gate) = (Promise<Void>(), Promise<Void>())
        let isProven = Lock(false)
        var account = ScriptedAccount()
        account.apply = { _, session in
            guard isProven.withLock({ $0 }) else { throw AuthError(.requiresRecentSignIn, "Too long ago.") }
            #expect(session.accessToken == Secret("access-2"), "The change is sent with the tokens of the proof.")
            reached.resolve(())
            guard await gate.value() != nil else { throw CancellationError() }
            return session.with("3")
        }
        account.reauthenticate = { session, credential in
            #expect(credential.password == Secret("correct horse"))
            isProven.withLock { $0 = true }
            return session.with("2")
        }
        let repository = ScriptedRepository(account: account)
        let store = MemorySessionStore()
        let auth = AuthService(
            repository: repository, providers: [PasswordProvider()], store: store, callbacks: CallbackRouter())
        _ = try await auth.signIn(credential: .password(email: "ada@example.com", "correct horse")).value
        var view = PromptView(auth)
        let attempt = Task { try await auth.changePassword(to: "battery staple").value }
        let prompt = try #require(await view.prompt())
        prompt.form?.submit(Self.entry)
        _ = await reached.value()
        prompt.cancel()
        gate.resolve(())
        #expect(try await attempt.value.id == "password:unknown")
        #expect(try #require(await view.next()) == nil)
        let stored = try #require(try await store.session()?.session)
        #expect(stored.accessToken == Secret("access-3") && stored.refreshToken == Secret("refresh-3"))
        #expect(try await auth.accessToken() == Secret("access-3"))
        let change = SecurityChange.setPassword(Secret("battery staple"))
        #expect(
            repository.calls.dropFirst() == [
                .apply(change, "password:unknown"), .reauthenticate(.password), .apply(change, "password:unknown"),
            ])
    }
}

extension AuthSession {
    /// The same session with the tokens of that number.
    fileprivate func with(_ number: String) -> AuthSession {
        var session = self
        (session.accessToken, session.refreshToken) = (Secret("access-\(number)"), Secret("refresh-\(number)"))
        return session
    }
}
