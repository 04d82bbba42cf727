import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Sign-in by a password that the person enters in a prompt, and by one that the app's own form has.
@Suite struct PasswordProviderTests {
    private static let right = "correct horse"

    /// A service whose server knows one account.
    private func service(_ account: ScriptedAccount = ScriptedAccount()) -> (AuthService, ScriptedRepository) {
        var account = account
        let decide: @Sendable (Credential) throws -> Void = { credential in
            guard credential.address == "ada@example.com" else { throw AuthError(.userNotFound, "No such user.") }
            guard credential.password == Secret(Self.right) else { throw AuthError(.invalidCredential, "Wrong.") }
        }
        account.reauthenticate = { session, credential in
            try decide(credential)
            return session
        }
        let repository = ScriptedRepository(
            establish: { credential in
                try decide(credential)
                var session = ScriptedRepository.session(of: credential)
                session.user = AuthUser(id: "ada", providers: [.init(id: .password, email: "ada@example.com")])
                return session
            }, account: account)
        let auth = AuthService(
            repository: repository, providers: [PasswordProvider()], store: MemorySessionStore(),
            callbacks: CallbackRouter())
        return (auth, repository)
    }

    @Test func whatTheServerRefusesIsAskedAgain() async throws {
        let (auth, repository) = service()
        var view = PromptView(auth)
        let attempt = Task { try await auth.signIn(with: .password).value.user }
        let first = try #require(await view.prompt())
        #expect(first.form?.fields.map(\.id) == ["email", "password"] && first.failure == nil)
        first.form?.submit(["email": "ada@example.com", "password": "wrong"])
        let second = try #require(await view.prompt())
        #expect(second.id == first.id && second.failure?.code == .invalidCredential)
        second.form?.submit(["email": "bob@example.com", "password": Self.right])
        let third = try #require(await view.prompt())
        #expect(third.failure?.code == second.failure?.code, "A wrong address and a wrong password are the same.")
        third.form?.submit(["email": "ada@example.com", "password": Self.right])
        #expect(try await attempt.value.id == "ada")
        #expect(repository.calls == Array(repeating: .signIn(.password), count: 3))
        #expect(auth.session?.provider == .password)
    }

    @Test(arguments: ["ada@example.com", "bob@example.com"])
    func aWrongAddressAndAWrongPasswordAreOneError(address: String) async throws {
        let (auth, _) = service()
        let error = await #expect(throws: AuthError.self) {
            try await auth.signIn(credential: .password(email: address, "wrong")).value
        }
        #expect(error?.code == .invalidCredential && error?.provider == .password)
        let texts = try #require(error.flatMap { AuthErrorTexts.english.text(for: $0) })
        #expect(texts.contains("The email address or the password is not correct."))
    }

    @Test func aPersonWhoCancelsIsNotSignedIn() async throws {
        let (auth, repository) = service()
        var view = PromptView(auth)
        let attempt = Task { try await auth.signIn(with: .password).value }
        try #require(await view.prompt()).cancel()
        let error = await #expect(throws: AuthError.self) { try await attempt.value }
        #expect(error?.code == .cancelled && repository.calls.isEmpty)
    }

    @Test func aPersonWhoCancelsWhileThePasswordIsBeingSentIsNotSignedIn() async throws {
        let sent = Promise<Void>()
        let repository = ScriptedRepository(establish: { credential in
            sent.resolve(())
            try await Task.sleep(for: .seconds(86_400))
            return ScriptedRepository.session(of: credential)
        })
        let auth = AuthService(
            repository: repository, providers: [PasswordProvider()], store: MemorySessionStore(),
            callbacks: CallbackRouter())
        var view = PromptView(auth)
        let attempt = Task { try await auth.signIn(with: .password).value }
        let prompt = try #require(await view.prompt())
        prompt.form?.submit(["email": "ada@example.com", "password": "secret"])
        _ = await sent.value()
        prompt.cancel()
        let error = await #expect(throws: AuthError.self) { try await attempt.value }
        #expect(error?.code == .cancelled && auth.user == nil)
    }

    @Test func aSpaceAfterTheAddressIsNoPartOfIt() async throws {
        let (auth, _) = service()
        var view = PromptView(auth)
        let attempt = Task { try await auth.signIn(with: .password).value.user }
        try #require(await view.prompt()?.form).submit(["email": "ada@example.com ", "password": Self.right])
        #expect(try await attempt.value.id == "ada")
    }

    @Test func whatTheServerRefusesAtALinkIsAskedAgain() async throws {
        var account = ScriptedAccount()
        account.link = { credential, session in
            guard credential.password == Secret(Self.right) else { throw AuthError(.invalidCredential, "Wrong.") }
            return session
        }
        let (auth, _) = service(account)
        _ = try await auth.signInAnonymously().value
        var view = PromptView(auth)
        let attempt = Task { try await auth.link(with: .password).value }
        try #require(await view.prompt()?.form).submit(["email": "ada@example.com", "password": "wrong"])
        let again = try #require(await view.prompt())
        #expect(again.failure?.code == .invalidCredential)
        again.form?.submit(["email": "ada@example.com", "password": Self.right])
        _ = try await attempt.value
    }

    @Test func withoutAPresenterTheAppIsMisconfigured() async throws {
        let clock = ManualClock()
        let auth = AuthService(
            repository: ScriptedRepository(), providers: [PasswordProvider()], store: MemorySessionStore(),
            callbacks: CallbackRouter(), clock: clock.authClock(startingAt: .distantPast))
        let attempt = Task { try await auth.signIn(with: .password).value }
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: AuthError.self) { try await attempt.value }
        #expect(error?.code == .misconfigured && error?.explanation.contains("presenting()") == true)
    }

    /// The address is known, so that the password alone is asked for.
    @Test func whatWantsARecentSignInAsksForThePassword() async throws {
        var account = ScriptedAccount()
        let isRecent = Lock(false)
        account.apply = { change, session in
            guard isRecent.withLock({ $0 }) else { throw AuthError(.requiresRecentSignIn, "Too long ago.") }
            #expect(change == .setPassword(Secret("next")))
            return session
        }
        let (auth, repository) = service(account)
        _ = try await auth.signIn(credential: .password(email: "ada@example.com", Self.right)).value
        var view = PromptView(auth)
        let attempt = Task { try await auth.changePassword(to: "next").value }
        let prompt = try #require(await view.prompt())
        #expect(prompt.form?.fields.map(\.id) == ["password"])
        prompt.form?.submit(["password": "wrong"])
        let again = try #require(await view.prompt())
        #expect(again.failure?.code == .invalidCredential)
        isRecent.withLock { $0 = true }
        again.form?.submit(["password": Self.right])
        #expect(try await attempt.value.id == "ada")
        #expect(
            repository.calls.dropFirst() == [
                .apply(.setPassword(Secret("next")), "ada"), .reauthenticate(.password), .reauthenticate(.password),
                .apply(.setPassword(Secret("next")), "ada"),
            ])
    }

    @Test func signingUpMakesTheAccount() async throws {
        var account = ScriptedAccount()
        account.signUp = { credential in
            #expect(credential.address == "new@example.com" && credential.password == Secret("secret"))
            var session = ScriptedRepository.session(of: credential)
            session.isNewUser = true
            return session
        }
        let (auth, repository) = service(account)
        let result = try await auth.signUp(credential: .password(email: "new@example.com", "secret")).value
        #expect(result.isNewUser && repository.calls == [.signUp(.password)])
        #expect(auth.user == result.user)
    }

    @Test func theServerIsAskedForMails() async throws {
        let (auth, repository) = service()
        let error = await #expect(throws: AuthError.self) { try await auth.sendEmailVerification() }
        #expect(error?.code == .notSignedIn && error?.operation == .emailVerification)
        try await auth.sendPasswordReset(to: "ada@example.com")
        _ = try await auth.signIn(credential: .password(email: "ada@example.com", Self.right)).value
        try await auth.sendEmailVerification()
        #expect(
            repository.calls == [
                .prepare(.passwordReset(to: "ada@example.com"), nil), .signIn(.password),
                .prepare(.emailVerification, "ada"),
            ])
    }

    /// It does not tell who has an account.
    @Test func aResetForAnUnknownAddressSucceeds() async throws {
        var account = ScriptedAccount()
        account.prepare = { _, _ in throw AuthError(.userNotFound, "No such user.") }
        let (auth, repository) = service(account)
        try await auth.sendPasswordReset(to: "bob@example.com")
        #expect(repository.calls == [.prepare(.passwordReset(to: "bob@example.com"), nil)])
    }

    @Test func aSecondFactorIsAddedByItsFirstCode() async throws {
        var account = ScriptedAccount()
        let enrollment = Challenge.Enrollment(
            secret: Secret("JBSWY3DPEHPK3PXP"), url: Secret("otpauth://totp/a?secret=J"))
        account.apply = { change, session in
            guard change == .addFactor(named: "Phone") else { return session }
            throw AuthError(.additionalStepRequired, "The code.", challenge: Challenge(.enrollment(enrollment)))
        }
        account.answer = { _, answer, session in
            #expect(answer == .code(Secret("123456")))
            return try #require(session)
        }
        account.secondFactors = { _ in [.init(id: "1", kind: "totp", name: "Phone")] }
        let (auth, repository) = service(account)
        _ = try await auth.signIn(credential: .password(email: "ada@example.com", Self.right)).value
        var view = PromptView(auth)
        let attempt = Task { try await auth.enrollSecondFactor(named: "Phone").value }
        let prompt = try #require(await view.prompt())
        let shown = try #require(prompt.enrollment)
        #expect(shown.secret.reveal() == "JBSWY3DPEHPK3PXP" && shown.length == 6)
        #expect(!"\(prompt)\(String(reflecting: prompt))".contains("JBSWY"))
        shown.confirm("123 456")
        _ = try await attempt.value
        let factor = try #require(try await auth.secondFactors().first)
        _ = try await auth.removeSecondFactor(factor.id).value
        #expect(
            repository.calls.dropFirst() == [
                .apply(.addFactor(named: "Phone"), "ada"), .answer(.code(Secret("123456")), "ada"),
                .apply(.removeFactor("1"), "ada"),
            ])
    }
}
