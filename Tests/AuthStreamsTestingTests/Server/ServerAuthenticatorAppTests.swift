import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Authenticator apps at the app's own server, at a time that the test moves.
@Suite struct ServerAuthenticatorAppTests {
    /// Makes an account with a password, and adds an authenticator app.
    private func enrolled(_ app: inout ServerApp) async throws -> AuthenticatorApp {
        _ = try await app.signUp()
        let enrollment = enroll(app)
        let details = try #require(try await app.prompt().enrollment)
        let phone = try #require(AuthenticatorApp(scanning: details.url))
        details.confirm(phone.code(at: app.now))
        _ = try await enrollment.value.get()
        try #require(try await app.auth.secondFactors().count == 1)
        return phone
    }

    private func enroll(_ app: ServerApp) -> Task<Result<AuthUser, AuthError>, Never> {
        Task { [auth = app.auth] in await auth.enrollSecondFactor(named: "Phone").result() }
    }

    private func signIn(_ app: ServerApp) -> Task<Result<AuthUser, AuthError>, Never> {
        app.run(app.auth.signIn(credential: ServerApp.password))
    }

    /// A code that the server accepts at no step around this moment.
    private func wrongCode(_ phone: AuthenticatorApp, _ now: Date) -> String {
        let right = [-30, 0, 30].map { phone.code(at: now + $0) }
        return ["000000", "000001", "000002", "000003"].first { !right.contains($0) } ?? ""
    }

    @Test func anAppIsAddedListedAskedForAndRemoved() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let user = try await app.signUp()
            #expect(try await app.auth.secondFactors().isEmpty)
            let enrollment = enroll(app)
            let shown = try await app.prompt()
            let details = try #require(shown.enrollment)
            #expect(details.length == 6 && shown.attemptsLeft == 3)
            #expect(details.url.reveal().hasPrefix("otpauth://totp/Pulseboard:minji%40example.com?secret="))
            let (phone, typed) = (AuthenticatorApp(scanning: details.url), AuthenticatorApp(secret: details.secret))
            let code = try #require(phone).code(at: app.now)
            #expect(typed?.code(at: app.now) == code)
            details.confirm(code)
            #expect(try await enrollment.value.get().id == user.id)
            let factors = try await app.auth.secondFactors()
            try #require(factors.map(\.kind) == ["totp"] && factors.map(\.name) == ["Phone"])

            try await app.auth.signOut()
            backend.clock.advance(by: .seconds(30))
            let attempt = signIn(app)
            let prompt = try await app.prompt()
            try #require(prompt.code?.length == 6 && prompt.code?.destination == nil && app.auth.user == nil)
            prompt.code?.submit(try #require(phone).code(at: app.now))
            #expect(try await attempt.value.get().id == user.id)
            #expect(backend.emulator.messages.isEmpty)

            _ = try await app.auth.removeSecondFactor(try #require(factors.first).id).value
            try #require(try await app.auth.secondFactors().isEmpty)
            try await app.auth.signOut()
            #expect(try await app.auth.signIn(credential: ServerApp.password).value.user.id == user.id)
        }
    }

    @Test func aWrongCodeIsAskedForAgainUpToThreeTimes() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            _ = try await app.signUp()
            let spent = enroll(app)
            for left in [3, 2, 1] {
                let prompt = try await left == 3 ? app.prompt() : app.nextPrompt()
                let phone = try #require(prompt.enrollment.flatMap { AuthenticatorApp(scanning: $0.url) })
                try #require(
                    prompt.attemptsLeft == left && prompt.failure?.serverCode == (left == 3 ? nil : "invalid-code"))
                prompt.enrollment?.confirm(wrongCode(phone, app.now))
            }
            #expect(await spent.value.failure?.serverCode == "too-many-attempts")
            #expect(try await app.auth.secondFactors().isEmpty)

            let enrollment = enroll(app)
            let first = try #require(try await app.prompt().enrollment)
            let phone = try #require(AuthenticatorApp(scanning: first.url))
            first.confirm(wrongCode(phone, app.now))
            try await app.nextPrompt().enrollment?.confirm(phone.code(at: app.now))
            _ = try await enrollment.value.get()
            #expect(try await app.auth.secondFactors().count == 1)
        }
    }

    @Test func aCodeWorksOnce() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let phone = try await enrolled(&app)
            let used = phone.code(at: app.now)
            // The code of the enrollment, then that of a sign-in, and then an earlier one.
            for code in [used, phone.code(at: app.now + 30), used] {
                let attempt = signIn(app)
                try await app.prompt().code?.submit(code)
                if code != used {
                    _ = try await attempt.value.get()
                    continue
                }
                let again = try await app.nextPrompt()
                #expect(again.failure?.serverCode == "invalid-code" && again.attemptsLeft == 2)
                again.cancel()
                #expect(await attempt.value.failure?.code == .cancelled)
            }
        }
    }

    /// The clock of the service reaches the limit at the same moment, so the server is asked directly.
    @Test func anEnrollmentAndASignInExpire() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let phone = try await enrolled(&app)
            let repository = app.repository
            func expires(_ challenge: Challenge?, _ phone: AuthenticatorApp, in session: AuthSession?) async throws {
                let challenge = try #require(challenge)
                #expect(challenge.expiresIn == .seconds(600))
                backend.clock.advance(by: .seconds(600))
                let error = await #expect(throws: AuthError.self) {
                    try await repository.answer(
                        challenge, with: .code(Secret(phone.code(at: app.now))), in: session)
                }
                #expect(error?.serverCode == "challenge-expired" && error?.challenge == nil)
            }
            let question = await #expect(throws: AuthError.self) {
                try await repository.signIn(with: ServerApp.password)
            }
            try await expires(question?.challenge, phone, in: nil)

            let session = try await repository.signIn(
                with: .init(provider: .google, idToken: Secret(backend.googleToken(["email": "jia@example.com"]))))
            let enrollment = await #expect(throws: AuthError.self) {
                try await repository.apply(.addFactor(named: nil), to: session)
            }
            guard case .enrollment(let details) = enrollment?.challenge?.step else {
                Issue.record("It is no enrollment.")
                return
            }
            try await expires(
                enrollment?.challenge, try #require(AuthenticatorApp(secret: details.secret)), in: session)
            #expect(try await repository.secondFactors(of: session).isEmpty)
        }
    }

    @Test func thePersonChoosesBetweenTheAppAndASentCode() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let phone = try await enrolled(&app)
            let user = try #require(app.auth.user)
            app.server.addFactor(to: user.id, at: "+821012345678", named: "Text message")
            backend.clock.advance(by: .seconds(30))
            let attempt = signIn(app)
            let factors = try #require(try await app.prompt().factors)
            #expect(factors.all.map(\.kind) == ["totp", "sms"])
            factors.choose(try #require(factors.all.first))
            let code = try await app.nextPrompt()
            try #require(code.code?.destination == nil && backend.emulator.messages.isEmpty)
            code.code?.submit(phone.code(at: app.now))
            #expect(try await attempt.value.get().id == user.id)
            // A re-authentication asks in the same way.
            let asked = try await backend.api(
                "reauthenticate",
                ["provider": "password", "email": "minji@example.com", "password": "correct horse"],
                accessToken: try await app.auth.accessToken().reveal())
            try #require(asked["challenge"]?["kind"] == "factors")
            let proof = Task { [auth = app.auth] in
                await auth.reauthenticate(credential: ServerApp.password).result()
            }
            let again = try #require(try await app.prompt().factors)
            again.choose(try #require(again.all.last))
            let sent = try await app.nextPrompt()
            #expect(sent.code?.destination == "•••5678")
            sent.code?.submit(try app.lastCode)
            #expect(try await proof.value.get().id == user.id)
        }
    }

    /// An app that was removed while a sign-in waits for its code counts no longer.
    @Test func aRemovedAppAcceptsNoCode() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            let phone = try await enrolled(&app)
            let question = await #expect(throws: AuthError.self) {
                try await app.repository.signIn(with: ServerApp.password)
            }
            let factor = try #require(try await app.auth.secondFactors().first)
            _ = try await app.auth.removeSecondFactor(factor.id).value
            let challenge = try #require(question?.challenge)
            let error = await #expect(throws: AuthError.self) {
                try await app.repository.answer(
                    challenge, with: .code(Secret(phone.code(at: app.now + 30))), in: nil)
            }
            #expect(error?.code == .codeMismatch)
        }
    }

    @Test func theSecretAndTheCodesAreSecrets() async throws {
        try await EmulatedBackend.run { backend in
            var app = ServerApp(backend)
            _ = try await app.signUp()
            let enrollment = enroll(app)
            let prompt = try await app.prompt()
            let details = try #require(prompt.enrollment)
            let phone = try #require(AuthenticatorApp(scanning: details.url))
            let code = phone.code(at: app.now)
            details.confirm(code)
            _ = try await enrollment.value.get()
            let emulator = backend.emulator
            let issued = emulator.issuedSecrets
            for secret in [details.secret, details.url] {
                #expect(issued.contains { $0.value == secret && $0.isProviderSecret })
            }
            #expect(issued.contains { $0.value == Secret(code) })
            let values: [Any] = [
                emulator, emulator.journal, emulator.server, emulator.server.users, issued, prompt, phone,
            ]
            for value in values { #expect(!everythingPrinted(of: value).contains(details.secret.reveal())) }
            // Other texts may have the same six digits by chance.
            #expect(!everythingPrinted(of: emulator.journal.entries).contains(code))
        }
    }
}
