import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// A further step, from the app's call over the repository to the emulated server and back, at a time that the test moves.
@Suite struct ServerChallengeSignInTests {
    @Test func aCodeByMailWithAWrongOneAndAnother() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let attempt = app.run(app.auth.signIn(credential: .code(to: "minji@example.com")))
            let first = try await app.prompt()
            #expect(first.code?.destination == "m•••@example.com" && first.code?.length == 6 && first.attemptsLeft == 3)
            let old = try app.lastCode
            first.code?.submit(try app.wrongCode)
            let wrong = try await app.prompt()
            #expect(wrong.failure?.code == .codeMismatch && wrong.attemptsLeft == 2)
            let count = backend.emulator.journal.entries.count
            wrong.code?.resend()
            let early = try await app.prompt()
            #expect(early.failure?.code == .rateLimited)
            #expect(backend.emulator.journal.entries.count == count, "Too early, which needs no request.")
            backend.clock.advance(by: .seconds(30))
            early.code?.resend()
            let second = try await app.prompt()
            #expect(second.failure == nil && backend.emulator.messages.count == 2 && second.attemptsLeft == 2)
            if try app.lastCode != old {
                second.code?.submit(old)
                let last = try await app.prompt()
                #expect(last.failure?.code == .codeMismatch && last.attemptsLeft == 1)
                last.code?.submit(try app.lastCode)
            } else {
                second.code?.submit(old)
            }
            let user = try await attempt.value.get()
            #expect(user.email == "minji@example.com" && user.isEmailVerified)
            #expect(user.providers.map(\.id) == [.code] && app.auth.user == user)
            // The same person is the same user.
            try await app.auth.signOut()
            let again = app.run(app.auth.signIn(credential: .code(to: "minji@example.com")))
            try await app.prompt().code?.submit(app.lastCode)
            #expect(try await again.value.get().id == user.id)
        }
    }

    @Test func thirdWrongCodeEndsTheAttempt() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let attempt = app.run(app.auth.signIn(credential: .code(to: "+821012345678")))
            for _ in 0..<3 {
                let prompt = try await app.prompt()
                #expect(prompt.code?.destination == "•••5678")
                prompt.code?.submit(try app.wrongCode)
            }
            let error = await attempt.value.failure
            #expect(error?.code == .accessDenied && error?.serverCode == "too-many-attempts")
        }
    }

    @Test func aCodeThatExpiredIsReplacedAndAPromptThatExpiredEnds() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let attempt = app.run(app.auth.signIn(credential: .code(to: "minji@example.com")))
            let prompt = try await app.prompt()
            let code = try app.lastCode
            backend.clock.advance(by: .seconds(180))
            prompt.code?.submit(code)
            let expired = try await app.prompt()
            #expect(expired.failure?.serverCode == "code-expired" && expired.failure?.code == .codeMismatch)
            backend.clock.advance(by: .seconds(400))
            expired.code?.resend()
            let next = try await app.prompt()
            // The next code has ten minutes of its own.
            backend.clock.advance(by: .seconds(100))
            next.code?.submit(try app.lastCode)
            #expect(try await attempt.value.get().email == "minji@example.com")

            let late = app.run(app.auth.signIn(credential: .code(to: "minji@example.com")))
            let last = try await app.prompt()
            backend.clock.advance(by: .seconds(600))
            #expect(await late.value.failure?.code == .timedOut)
            last.code?.submit(try app.lastCode)
            #expect(!last.isOpen)
        }
    }

    @Test func aChallengeThatTheServerForgotEndsTheAttempt() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let attempt = app.run(app.auth.signIn(credential: .code(to: "minji@example.com")))
            let prompt = try await app.prompt()
            // The answer arrives, and the server's is lost: the token is used, and the same answer is one too many.
            backend.emulator.inject(.dropConnection, at: .serverChallenge)
            prompt.code?.submit(try app.lastCode)
            let again = try await app.prompt()
            #expect(again.failure?.code == .network)
            again.code?.submit(try app.lastCode)
            let error = await attempt.value.failure
            #expect(error?.code == .timedOut && error?.serverCode == "challenge-expired")
        }
    }

    @Test func withoutANetworkTheSameIsAskedAgain() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let attempt = app.run(app.auth.signIn(credential: .code(to: "minji@example.com")))
            let prompt = try await app.prompt()
            app.network.isDown = true
            prompt.code?.submit(try app.lastCode)
            let offline = try await app.prompt()
            #expect(offline.failure?.code == .network && offline.id == prompt.id)
            app.network.isDown = false
            backend.emulator.inject(.status(503), at: .serverChallenge)
            offline.code?.submit(try app.lastCode)
            let failed = try await app.prompt()
            #expect(failed.failure?.code == .server)
            failed.code?.submit(try app.lastCode)
            #expect(try await attempt.value.get().email == "minji@example.com")
        }
    }

    @Test func aSecondFactorFollowsThePassword() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let user = try await app.signUp()
            #expect(user.providers.map(\.id) == [.password] && !user.isEmailVerified)
            try await app.auth.signOut()
            app.server.addFactor(to: user.id, at: "+821012345678", named: "Phone")
            let attempt = app.run(app.auth.signIn(with: .password))
            let form = try await app.prompt()
            form.form?.submit(["email": "minji@example.com", "password": "wrong horse"])
            let refused = try await app.prompt()
            #expect(refused.failure?.code == .invalidCredential && refused.form != nil)
            refused.form?.submit(["email": "minji@example.com", "password": "correct horse"])
            let code = try await app.prompt()
            #expect(code.kind == .code && code.failure == nil && app.auth.user == nil)
            code.code?.submit(try app.lastCode)
            #expect(try await attempt.value.get().id == user.id)
        }
    }

    @Test func thePersonChoosesAmongFactors() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let user = try await app.signUp()
            app.server.addFactor(to: user.id, at: "+821012345678", named: "Phone")
            app.server.addFactor(to: user.id, kind: "email", at: "second@example.com")
            let attempt = app.run(
                app.auth.signIn(credential: .password(email: "minji@example.com", "correct horse")))
            let factors = try #require(try await app.prompt().factors)
            #expect(factors.all.map(\.kind) == ["sms", "email"] && factors.all.first?.name == "Phone")
            factors.choose(try #require(factors.all.last))
            let code = try await app.prompt()
            #expect(code.code?.destination == "s•••@example.com")
            code.code?.submit(try app.lastCode)
            #expect(try await attempt.value.get().id == user.id)
        }
    }

    @Test func withoutAPresenterTheCodeOfTheAttemptSaysWhatTheServerWants() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend)
            let user = try await app.signUp()
            app.server.addFactor(to: user.id, at: "+821012345678")
            let repository = ServerRepository(
                at: backend.emulator.url(for: "https://api.pulseboard.example"),
                contract: ServerContract(offering: .passwords), transport: backend.transport)
            do throws(AuthError) {
                _ = try await repository.signIn(with: .password(email: "minji@example.com", "correct horse"))
                Issue.record("There was no second factor.")
            } catch { #expect(error.code == .secondFactorRequired && error.challenge?.kind == .code) }
        }
    }

    static let fields = [
        Challenge.Field(id: "nickname", label: "별명"), Challenge.Field(id: "terms", kind: .consent),
        Challenge.Field(id: "news", kind: .consent, isRequired: false),
    ]

    @Test func aSignUpInTwoSteps() async throws {
        try await EmulatedBackend.run {
            $0.server.signUpFields = Self.fields
        } _: { backend in
            var app = ServerApp(backend)
            let attempt = app.run(app.google())
            let form = try await app.prompt()
            #expect(form.form?.fields == Self.fields)
            #expect(app.server.users.isEmpty, "The account is made by the second step.")
            form.form?.submit(["nickname": "admin", "terms": "true"])
            let taken = try await app.prompt()
            #expect(taken.failure?.code == .invalidInput && taken.failure?.serverDetails == ["field": "nickname"])
            taken.form?.submit(["nickname": "민지", "terms": "true", "news": "false"])
            let user = try await attempt.value.get()
            #expect(user.displayName == "민지" && app.server.users.count == 1)
            // The second time nothing is asked.
            try await app.auth.signOut()
            #expect(try await app.google().value.user.id == user.id)
        }
    }

    @Test func aFieldThatTheServerDoesNotKnowIsNamed() async throws {
        try await EmulatedBackend.run {
            $0.server.signUpFields = Self.fields
        } _: { backend in
            // The contract of an app describes the form, and has a field that the server never had.
            var app = ServerApp(backend) { contract in
                contract.steps = [
                    .init(
                        .form([.init(id: "nickname"), .init(id: "terms", kind: .consent), .init(id: "referrer")]),
                        on: [.code("form", at: "challenge.kind")], token: "challenge.token",
                        to: .init(.post, "auth/challenge"))
                ]
            }
            let attempt = app.run(app.google())
            let form = try await app.prompt()
            form.form?.submit(["nickname": "민지", "terms": "true", "referrer": "jia"])
            let refused = try await app.prompt()
            #expect(refused.failure?.code == .invalidInput)
            #expect(refused.failure?.serverDetails == ["field": "referrer"])
            refused.cancel()
            #expect(await attempt.value.failure?.code == .cancelled && app.server.users.isEmpty)
        }
    }

    @Test func aStepThatTheAppDoesNotKnowIsAPage() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let user = try await app.google().value.user
            app.server.require(step: "terms-2027", of: user.id)
            let attempt = app.run(app.google())
            let prompt = try await app.prompt()
            #expect(prompt.kind.rawValue == "terms-2027")
            let page = try #require(prompt.page)
            let answer = try await backend.transport.send(AuthHTTPRequest(.get, page.url))
            let callback = try #require(answer.headers["location"].flatMap { URL(string: $0) })
            #expect(callback.absoluteString.hasPrefix("pulseboard://step?ticket="))
            page.submit(callback: callback)
            #expect(try await attempt.value.get().id == user.id)
        }
    }

    @Test func thePageIsShownByTheServicesUserAgent() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend, userAgent: Follower(transport: backend.transport))
            let user = try await app.google().value.user
            app.server.require(step: "terms-2027", of: user.id)
            let attempt = app.run(app.google())
            try await app.prompt().page?.open()
            #expect(try await attempt.value.get().id == user.id)
        }
    }

    @Test func aReturnWithoutThePageEndsTheAttempt() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let user = try await app.google().value.user
            app.server.require(step: "terms-2027", of: user.id)
            let attempt = app.run(app.google())
            try await app.prompt().page?.submit(callback: try #require(URL(string: "pulseboard://step?ticket=mine")))
            #expect(await attempt.value.failure?.code == .accessDenied)
        }
    }

    @Test func passwordsAreSetAndForgotten() async throws {
        try await EmulatedBackend.run { backend in
            let app = ServerApp(backend)
            let weak = await app.auth.signUp(credential: .password(email: "minji@example.com", "short")).result()
            #expect(weak.failure?.code == .invalidInput && weak.failure?.serverDetails == ["field": "password"])
            let user = try await app.signUp()
            let twice = await app.auth.signUp(credential: .password(email: "minji@example.com", "other horse")).result()
            #expect(twice.failure?.code == .accountExists)
            try await app.auth.sendEmailVerification()
            try await app.auth.sendPasswordReset(to: "minji@example.com")
            try await app.auth.sendPasswordReset(to: "unknown@example.com")
            #expect(backend.emulator.messages.map(\.kind) == [.emailVerification, .passwordReset])
            app.server.verifyEmail(of: user.id)
            #expect(try await app.auth.reload().value.isEmailVerified)
            _ = try await app.auth.changePassword(to: "third horse").value
            let old = await app.auth.signIn(credential: .password(email: "minji@example.com", "correct horse")).result()
            #expect(old.failure?.code == .invalidCredential)
            let new = app.auth.signIn(credential: .password(email: "minji@example.com", "third horse"))
            #expect(try await new.value.user.id == user.id)
        }
    }

    @Test func aLinkInAMailSignsInOnce() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let auth = app.auth
            let attempt = app.run(auth.signIn(with: .emailLink, AuthRequest(loginHint: "minji@example.com")))
            // It comes after the mail.
            #expect(try await app.prompt().link?.address == "minji@example.com")
            let link = try #require(backend.emulator.messages.last?.link)
            #expect(auth.handle(link))
            let user = try await attempt.value.get()
            #expect(user.email == "minji@example.com" && user.isEmailVerified)
            let code = URLComponents(url: link, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "code" }
            var credential = Credential(
                provider: .emailLink, authorizationCode: .init(code: Secret(code?.value ?? "")), isBound: true)
            credential.address = "minji@example.com"
            #expect(await auth.signIn(credential: credential).result().failure?.code == .invalidCredential)
        }
    }
}

/// A browser that follows a page's redirect to the app.
private struct Follower: UserAgent {
    let transport: any AuthHTTPTransport

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        guard case .redirect(let callback) = page.redirect else { throw AuthError(.unexpected, "It has no callback.") }
        let answer = try await transport.send(AuthHTTPRequest(.get, page.url(redirectURI: callback)))
        let url = answer.headers["location"].flatMap { URL(string: $0) }
        guard let url, page.accepts(url, redirectURI: callback) else {
            throw AuthError(.abandoned, "The page did not return.")
        }
        return AuthorizationAnswer(url: url, redirectURI: callback)
    }
}
