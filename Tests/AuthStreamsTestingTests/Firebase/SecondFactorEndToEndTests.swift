import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Authenticator apps, from the service to the emulated project.
@Suite struct SecondFactorEndToEndTests {
    private static let credential = Credential.password(email: "minji@example.com", "correct horse")

    /// Runs a test with a person whose address is verified, and who is signed in by a password.
    private func run(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (FirebaseVisit, AuthUser) async throws -> Void
    ) async throws {
        try await EmulatedBackend.run(change) { backend in
            let visit = FirebaseVisit(backend)
            let user = try await visit.auth.signUp(credential: Self.credential).value.user
            visit.firebase.verifyEmail(of: user.id)
            try await body(visit, user)
        }
    }

    /// Signs out, and in up to the prompt for the code.
    private func codePrompt(
        _ visit: FirebaseVisit, _ view: inout AuthPrompts.Iterator, _ credential: Credential = Self.credential
    ) async throws -> (prompt: AuthPrompt, attempt: Task<SignInResult, any Error>) {
        try await visit.auth.signOut()
        let attempt = Task { [auth = visit.auth] in try await auth.signIn(credential: credential).value }
        let prompt = try #require(await view.prompt())
        #expect(prompt.kind == .code && prompt.code?.length == 6 && prompt.code?.destination == nil)
        #expect(visit.auth.user == nil)
        return (prompt, attempt)
    }

    // MARK: From enrollment to sign-in

    @Test func anAppIsEnrolledAndAskedForAtTheNextSignIn() async throws {
        try await run { visit, user in
            var view = visit.auth.prompts.presenting().makeAsyncIterator()
            let enrolling = Task { [auth = visit.auth] in try await auth.enrollSecondFactor(named: "Phone").value }
            let details = try #require(await view.prompt()?.enrollment)
            let app = try #require(AuthenticatorApp(secret: details.secret))
            #expect(details.url.reveal().hasPrefix("otpauth://totp/authstreams-demo:minji%40example.com?secret="))
            details.confirm("000000" == app.code(at: visit.now) ? "000001" : "000000")
            let again = try #require(await view.prompt())
            #expect(again.failure?.code == .codeMismatch)
            again.enrollment?.confirm(app.code(at: visit.now))
            #expect(try await enrolling.value.id == user.id)
            let factors = try await visit.auth.secondFactors()
            #expect(factors.map(\.name) == ["Phone"] && factors.map(\.kind) == ["totp"])
            #expect(visit.firebase[user.id]?.secondFactors.map(\.id) == factors.map(\.id))
            let token = try #require(JSONWebToken(try await visit.auth.accessToken()))
            #expect(token.claims["firebase"]?["sign_in_second_factor"] == "totp")

            visit.clock.advance(by: .seconds(30))
            let (prompt, attempt) = try await codePrompt(visit, &view)
            prompt.code?.submit(app.code(at: visit.now))
            let result = try await attempt.value
            #expect(result.user.id == user.id && !result.isNewUser && result.user.providers.map(\.id) == [.password])
            let signedIn = try #require(JSONWebToken(try await visit.auth.accessToken(forceRefresh: true)))
            #expect(signedIn.claims["firebase"]?["sign_in_second_factor"] == "totp")
        }
    }

    @Test func aWrongCodeAndAUsedOneAreAskedForAgain() async throws {
        try await run { visit, user in
            let app = try #require(visit.firebase.enrollAuthenticatorApp(for: user.id))
            var view = visit.auth.prompts.presenting().makeAsyncIterator()
            let (first, attempt) = try await codePrompt(visit, &view)
            first.code?.submit(app.code(at: visit.now))
            _ = try await attempt.value
            let (prompt, second) = try await codePrompt(visit, &view)
            prompt.code?.submit(app.code(at: visit.now))
            let again = try #require(await view.prompt())
            #expect(again.failure?.code == .codeMismatch && visit.auth.user == nil)
            visit.clock.advance(by: .seconds(30))
            again.code?.submit(app.code(at: visit.now))
            #expect(try await second.value.user.id == user.id)
        }
    }

    /// The clock of the service reaches the limit at the same moment, so the server is asked directly.
    @Test func aSignInWaitsFiveMinutes() async throws {
        try await run { visit, user in
            let app = try #require(visit.firebase.enrollAuthenticatorApp(for: user.id))
            for (seconds, isInTime) in [(300, true), (301, false)] {
                let question = await error { () throws(AuthError) in
                    try await visit.repository.signIn(with: Self.credential)
                }
                let challenge = try #require(question?.challenge)
                visit.clock.advance(by: .seconds(seconds))
                let refusal = await error { () throws(AuthError) in
                    try await visit.repository.answer(challenge, with: .code(Secret(app.code(at: visit.now))), in: nil)
                }
                #expect(refusal?.serverCode == (isInTime ? nil : "TOTP_CHALLENGE_TIMEOUT"))
                #expect(refusal?.code == (isInTime ? nil : .timedOut) && refusal?.challenge == nil)
            }
        }
    }

    @Test func aPromptThatIsNotAnsweredInTimeEndsTheAttempt() async throws {
        try await run { visit, user in
            visit.firebase.enrollAuthenticatorApp(for: user.id)
            var view = visit.auth.prompts.presenting().makeAsyncIterator()
            let (prompt, attempt) = try await codePrompt(visit, &view)
            visit.clock.advance(by: .seconds(301))
            let error = await #expect(throws: AuthError.self) { try await attempt.value }
            #expect(error?.code == .timedOut && !prompt.isOpen)
        }
    }

    @Test func withoutAPromptTheAttemptEndsWithItsCode() async throws {
        try await EmulatedBackend.run { backend in
            let visit = FirebaseVisit(backend)
            let user = try await visit.repository.signUp(with: Self.credential).user
            visit.firebase.enrollAuthenticatorApp(for: user.id)
            // One that only logs does not count.
            var log = visit.auth.prompts.makeAsyncIterator()
            let attempt = Task { [auth = visit.auth] in try await auth.signIn(credential: Self.credential).value }
            _ = try #require(await log.prompt())
            await visit.clock.waitForSleepers(count: 2)
            visit.clock.advance(by: .seconds(1))
            let error = await #expect(throws: AuthError.self) { try await attempt.value }
            #expect(error?.code == .secondFactorRequired && error?.challenge == nil)
        }
    }

    /// The code was not looked at, so it is as good as before.
    @Test func aServerThatFailsIsAskedAgain() async throws {
        try await run { visit, user in
            let app = try #require(visit.firebase.enrollAuthenticatorApp(for: user.id))
            visit.backend.emulator.inject(.status(503), at: .secondFactorSignIn)
            var view = visit.auth.prompts.presenting().makeAsyncIterator()
            let (prompt, attempt) = try await codePrompt(visit, &view)
            prompt.code?.submit(app.code(at: visit.now))
            let again = try #require(await view.prompt())
            #expect(again.failure?.code == .server && again.kind == .code)
            again.code?.submit(app.code(at: visit.now))
            #expect(try await attempt.value.user.id == user.id)
        }
    }

    // MARK: Other first factors

    @Test(arguments: ["google", "apple", "mail link"]) func everyFirstFactorIsAskedForTheSecond(name: String)
        async throws
    {
        try await EmulatedBackend.run { backend in
            let visit = FirebaseVisit(backend)
            func credential() async throws -> Credential {
                switch name {
                case "google": backend.google()
                case "apple": backend.apple()
                default: try await visit.sendLink(to: "minji@example.com").credential
                }
            }
            let user = try await visit.auth.signIn(credential: try await credential()).value.user
            let app = try #require(visit.firebase.enrollAuthenticatorApp(for: user.id))
            var view = visit.auth.prompts.presenting().makeAsyncIterator()
            let (prompt, attempt) = try await codePrompt(visit, &view, try await credential())
            prompt.code?.submit(app.code(at: visit.now))
            let result = try await attempt.value
            #expect(result.user.id == user.id && result.user.providers == user.providers)
        }
    }

    /// Firebase asks for none at a custom token, so users of custom tokens enrol none.
    @Test func aUserOfACustomTokenEnrolsNoApp() async throws {
        try await EmulatedBackend.run { backend in
            let visit = FirebaseVisit(backend)
            _ = try await visit.auth.signIn(credential: backend.kakao()).value
            let error = try await visit.error { try await $0.enrollSecondFactor().value }
            #expect(error.code == .unsupportedProvider && error.serverCode == "UNSUPPORTED_FIRST_FACTOR")
        }
    }

    @Test func aReauthenticationAsksForBothFactors() async throws {
        try await run { visit, user in
            let app = try #require(visit.firebase.enrollAuthenticatorApp(for: user.id))
            visit.clock.advance(by: .seconds(600))
            let presenter = visit.auth.presenting { prompt in
                prompt?.form?.submit(["password": "correct horse"])
                prompt?.code?.submit(app.code(at: visit.now))
            }
            defer { presenter.cancel() }
            #expect(try await visit.auth.changePassword(to: "another horse").value.id == user.id)
            #expect(visit.auth.user?.id == user.id)
        }
    }

    // MARK: What may be refused

    @Test func anAddressHasToBeVerifiedBefore() async throws {
        try await EmulatedBackend.run { backend in
            let visit = FirebaseVisit(backend)
            _ = try await visit.auth.signUp(credential: Self.credential).value
            let error = try await visit.error { try await $0.enrollSecondFactor().value }
            #expect(error.code == .accessDenied && error.serverCode == "UNVERIFIED_EMAIL")
        }
    }

    @Test func anAccountHasOneAppAndAProjectMayHaveNone() async throws {
        try await run { visit, user in
            visit.firebase.enrollAuthenticatorApp(for: user.id)
            let error = try await visit.error { try await $0.enrollSecondFactor().value }
            #expect(error.code == .invalidInput && error.serverCode == "SECOND_FACTOR_LIMIT_EXCEEDED")
        }
        try await run {
            $0.firebase.allowsAuthenticatorApps = false
        } _: { visit, _ in
            let error = try await visit.error { try await $0.enrollSecondFactor().value }
            #expect(error.code == .misconfigured)
        }
    }

    @Test func anEnrollmentTakesThreeCodesAndAQuarterOfAnHour() async throws {
        try await run { visit, user in
            let repository = visit.repository
            func begin() async throws -> (AuthSession, Challenge) {
                let session = try await repository.signIn(with: Self.credential)
                let question = await error { () throws(AuthError) in
                    try await repository.apply(.addFactor(named: nil), to: session)
                }
                return (session, try #require(question?.challenge))
            }
            func answer(_ code: String, _ enrollment: (AuthSession, Challenge)) async -> AuthError? {
                await error { () throws(AuthError) in
                    try await repository.answer(enrollment.1, with: .code(Secret(code)), in: enrollment.0)
                }
            }
            func app(of challenge: Challenge) throws -> AuthenticatorApp {
                guard case .enrollment(let details) = challenge.step else {
                    throw AuthError(.unexpected, "Another step.")
                }
                return try #require(AuthenticatorApp(secret: details.secret))
            }
            let spent = try await begin()
            #expect(spent.1.expiresIn == .seconds(900))
            for _ in 0..<3 {
                let wrong = await answer("12345", spent)
                #expect(wrong?.code == .codeMismatch && wrong?.challenge == spent.1)
            }
            let over = await answer(try app(of: spent.1).code(at: visit.now), spent)
            #expect(over?.serverCode == "TOO_MANY_ENROLLMENT_ATTEMPTS" && over?.challenge == nil)
            let late = try await begin()
            visit.clock.advance(by: .seconds(900))
            #expect(await answer(try app(of: late.1).code(at: visit.now), late)?.serverCode == "SESSION_EXPIRED")
            let complete = try await begin()
            // The answer to the first of them may be lost.
            for _ in 0..<2 { #expect(await answer(try app(of: complete.1).code(at: visit.now), complete) == nil) }
            #expect(visit.firebase[user.id]?.secondFactors.count == 1)
        }
    }

    @Test func anEnrollmentAsksForARecentSignIn() async throws {
        try await run { visit, user in
            visit.clock.advance(by: .seconds(600))
            let presenter = visit.auth.presenting { prompt in
                prompt?.form?.submit(["password": "correct horse"])
                if let details = prompt?.enrollment, let app = AuthenticatorApp(secret: details.secret) {
                    details.confirm(app.code(at: visit.now))
                }
            }
            defer { presenter.cancel() }
            let enrolled = try await visit.auth.enrollSecondFactor().value
            #expect(enrolled.id == user.id)
            let names = visit.firebase[user.id]?.secondFactors.map { $0.name }
            #expect(names == ["Authenticator"])
        }
    }

    // MARK: Removal

    @Test func aRemovalEndsTheOtherSessions() async throws {
        try await run { visit, user in
            let other = try await visit.repository.signIn(with: Self.credential)
            visit.firebase.enrollAuthenticatorApp(for: user.id)
            visit.clock.advance(by: .seconds(10))
            let factor = try #require(try await visit.auth.secondFactors().first)
            #expect(try await visit.auth.removeSecondFactor(factor.id).value.id == user.id)
            #expect(try await visit.auth.secondFactors().isEmpty)
            _ = try await visit.auth.accessToken(forceRefresh: true)
            let ended = await error { () throws(AuthError) in try await visit.repository.refresh(other) }
            #expect(ended?.code == .sessionExpired)
            let again = try await visit.error { try await $0.removeSecondFactor(factor.id).value }
            #expect(again.code == .invalidInput && again.serverCode == "MFA_ENROLLMENT_NOT_FOUND")
            try await visit.auth.signOut()
            #expect(try await visit.auth.signIn(credential: Self.credential).value.user.id == user.id)
        }
    }

    @Test func theSecretsOfASecondFactorAreSecrets() async throws {
        try await run { visit, user in
            let app = try #require(visit.firebase.enrollAuthenticatorApp(for: user.id))
            let question = try #require(
                await error { () throws(AuthError) in try await visit.repository.signIn(with: Self.credential) })
            let pending = try #require(question.challenge?.pendingToken)
            let secrets = visit.backend.emulator.issuedSecrets.filter(\.isProviderSecret).map(\.value)
            #expect(secrets.contains(pending))
            let account = try #require(visit.firebase[user.id])
            let secret = try #require(account.secondFactors.first?.secret)
            for value in [question as Any, account, app] {
                let told = everythingPrinted(of: value)
                #expect(!told.contains(pending.reveal()) && !told.contains(secret.reveal()))
            }
        }
    }
}

extension AuthPrompts.Iterator {
    /// The next prompt, leaving out that there is none.
    fileprivate mutating func prompt() async -> AuthPrompt? {
        while let prompt = await next() {
            if let prompt { return prompt }
        }
        return nil
    }
}
