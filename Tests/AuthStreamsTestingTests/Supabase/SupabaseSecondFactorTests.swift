import AuthStreams
import AuthStreamsSupabase
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Authenticator apps at the emulated Supabase: sessions of the first level become those of the second.
@Suite struct SupabaseSecondFactorTests {
    @Test func anAppIsEnrolledAndAskedForAtTheNextSignIn() async throws {
        try await SupabaseVisit.run { visit in
            let user = try await visit.auth.signUp(credential: SupabaseVisit.password).value.user
            var view = PromptView(visit.auth)
            let enrolling = Task { [auth = visit.auth] in try await auth.enrollSecondFactor(named: "Phone").value }
            let details = try #require(await view.prompt()?.enrollment)
            let app = try #require(AuthenticatorApp(scanning: details.url))
            let code = app.code(at: visit.now)
            #expect(AuthenticatorApp(secret: details.secret)?.code(at: visit.now) == code)
            details.confirm(code == "000000" ? "000001" : "000000")
            let again = try #require(await view.prompt())
            #expect(again.failure?.code == .codeMismatch)
            again.enrollment?.confirm(code)
            #expect(try await enrolling.value.id == user.id)
            #expect(try await visit.auth.secondFactors().map(\.name) == ["Phone"])
            let enrolled = try await visit.auth.accessToken()
            #expect(JSONWebToken(enrolled)?.claims["aal"] == "aal2")

            try await visit.auth.signOut()
            let attempt = Task { [auth = visit.auth] in try await auth.signIn(credential: SupabaseVisit.password).value
            }
            let prompt = try #require(await view.prompt())
            #expect(prompt.code?.length == 6 && prompt.code?.destination == nil && visit.auth.user == nil)
            prompt.code?.submit(app.code(at: visit.now))
            #expect(try await attempt.value.user.id == user.id)
            // A refresh keeps the level.
            let token = try await visit.auth.accessToken(forceRefresh: true)
            #expect(JSONWebToken(token)?.claims["aal"] == "aal2")
        }
    }

    /// Whatever the first factor is, its session is not enough.
    @Test(arguments: ["password", "ID token", "code", "re-authentication"])
    func everyFirstFactorIsFollowedByTheSecond(_ factor: String) async throws {
        try await SupabaseVisit.run { visit in
            let repository = visit.repository
            let first = try await repository.signUp(with: SupabaseVisit.password)
            let app = try #require(visit.supabase.enrollAuthenticatorApp(for: first.user.id))
            var challenge: Challenge
            switch factor {
            case "password":
                challenge = try await visit.challenge { () throws(AuthError) in
                    try await repository.signIn(with: SupabaseVisit.password)
                }
            case "ID token":
                challenge = try await visit.challenge { () throws(AuthError) in
                    try await repository.signIn(with: visit.google())
                }
            case "code":
                let sent = try await visit.challenge { () throws(AuthError) in
                    try await repository.signIn(with: .code(to: SupabaseVisit.address))
                }
                let code = try visit.lastCode
                challenge = try await visit.challenge { () throws(AuthError) in
                    try await repository.answer(sent, with: .code(code), in: nil)
                }
            default:
                challenge = try await visit.challenge { () throws(AuthError) in
                    try await repository.reauthenticate(first, with: SupabaseVisit.password)
                }
            }
            let isProof = factor == "re-authentication"
            let code = Secret(app.code(at: visit.now))
            let session = try await repository.answer(challenge, with: .code(code), in: isProof ? first : nil)
            let claims = try visit.claims(session)
            #expect(claims["aal"] == "aal2" && session.user.id == first.user.id)
            #expect(claims["amr"]?.array?.compactMap { $0["method"]?.string }.contains("totp") == true)
            // The sessions of the first factor end with it.
            #expect(visit.supabase.sessionCount(of: first.user.id) == 1)
            let old = await error { () throws(AuthError) in try await repository.refresh(first) }
            #expect(old?.code == .sessionExpired)
            _ = try await repository.refresh(session)
        }
    }

    @Test func oneOfSeveralIsChosen() async throws {
        try await SupabaseVisit.run { visit in
            let user = try await visit.repository.signUp(with: SupabaseVisit.password).user
            visit.supabase.enrollAuthenticatorApp(for: user.id, named: "Phone")
            let tablet = try #require(visit.supabase.enrollAuthenticatorApp(for: user.id, named: "Tablet"))
            let choice = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.signIn(with: SupabaseVisit.password)
            }
            guard case .factors(let factors) = choice.step else {
                throw AuthError(.unexpected, "The challenge is another.")
            }
            #expect(factors.map(\.name) == ["Phone", "Tablet"])
            let question = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.answer(choice, with: .factor(factors[1].id), in: nil)
            }
            let code = Secret(tablet.code(at: visit.now))
            let session = try await visit.repository.answer(question, with: .code(code), in: nil)
            #expect(try visit.claims(session)["aal"] == "aal2")
        }
    }

    /// The tokens of the first factor are in the challenge alone, which prints none.
    @Test func theFirstFactorGivesNoSession() async throws {
        try await SupabaseVisit.run { visit in
            let user = try await visit.repository.signUp(with: SupabaseVisit.password).user
            visit.supabase.enrollAuthenticatorApp(for: user.id)
            let refusal = try #require(
                await error { () throws(AuthError) in try await visit.repository.signIn(with: SupabaseVisit.password) })
            #expect(refusal.code == .secondFactorRequired)
            let pending = try #require(refusal.challenge?.pendingToken)
            #expect(JSONWebToken(pending)?.claims["aal"] == "aal1")
            #expect(!everythingPrinted(of: refusal).contains(pending.reveal()))
        }
    }

    @Test func aWaitThatIsTooLongStartsOver() async throws {
        try await SupabaseVisit.run { visit in
            let user = try await visit.repository.signUp(with: SupabaseVisit.password).user
            let app = try #require(visit.supabase.enrollAuthenticatorApp(for: user.id))
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.signIn(with: SupabaseVisit.password)
            }
            visit.supabase.revokeSessions(of: user.id)
            let code = Secret(app.code(at: visit.now))
            let refusal = await error { () throws(AuthError) in
                try await visit.repository.answer(challenge, with: .code(code), in: nil)
            }
            #expect(refusal?.code == .timedOut && refusal?.serverCode == "session_not_found")
            #expect(refusal?.classification.sessionEnd == nil)
        }
    }

    /// The refresh token before would end the session, so the code is sent once more.
    @Test(arguments: [true, false]) func aLostAnswerSignsNoOneOut(whileEnrolling isEnrollment: Bool) async throws {
        try await SupabaseVisit.run { visit in
            let repository = visit.repository
            let first = try await repository.signUp(with: SupabaseVisit.password)
            let app: AuthenticatorApp
            let challenge: Challenge
            if isEnrollment {
                challenge = try await visit.challenge { () throws(AuthError) in
                    try await repository.apply(.addFactor(named: "Phone"), to: first)
                }
                guard case .enrollment(let details) = challenge.step else {
                    throw AuthError(.unexpected, "The challenge is another.")
                }
                app = try #require(AuthenticatorApp(secret: details.secret))
            } else {
                app = try #require(visit.supabase.enrollAuthenticatorApp(for: first.user.id))
                challenge = try await visit.challenge { () throws(AuthError) in
                    try await repository.signIn(with: SupabaseVisit.password)
                }
            }
            let factor = try #require(challenge.context["factor"]?.reveal())
            visit.backend.emulator.inject(
                .dropConnection,
                at: EmulatorEndpoint(host: "authstreams.supabase.co", path: "/auth/v1/factors/\(factor)/verify"))
            let code = Secret(app.code(at: visit.now))
            let session = try await repository.answer(
                challenge, with: .code(code), in: isEnrollment ? first : nil)
            #expect(try visit.claims(session)["aal"] == "aal2" && session.user.id == first.user.id)
            visit.clock.advance(by: .seconds(11))
            #expect(try visit.claims(try await repository.refresh(session))["aal"] == "aal2")
        }
    }

    /// The access token names the session until it expires, so the person's next answer to the prompt keeps it.
    @Test func sessionIsKeptByAnotherAnswerAfterTwoLostOnes() async throws {
        try await SupabaseVisit.run { visit in
            let repository = visit.repository
            let first = try await repository.signUp(with: SupabaseVisit.password)
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await repository.apply(.addFactor(named: "Phone"), to: first)
            }
            guard case .enrollment(let details) = challenge.step else {
                throw AuthError(.unexpected, "The challenge is another.")
            }
            let app = try #require(AuthenticatorApp(secret: details.secret))
            let factor = try #require(challenge.context["factor"]?.reveal())
            for _ in 1...2 {
                visit.backend.emulator.inject(
                    .dropConnection,
                    at: EmulatorEndpoint(host: "authstreams.supabase.co", path: "/auth/v1/factors/\(factor)/verify"))
            }
            let code = Secret(app.code(at: visit.now))
            let lost = await error { () throws(AuthError) in
                try await repository.answer(challenge, with: .code(code), in: first)
            }
            // The person is asked again after such an error.
            #expect(lost?.code == .network && lost?.explanation.contains("Send one again") == true)
            let session = try await repository.answer(challenge, with: .code(code), in: first)
            visit.clock.advance(by: .seconds(11))
            #expect(try visit.claims(try await repository.refresh(session))["aal"] == "aal2")
        }
    }

    /// Supabase's SDK stores the session of the first factor before it asks for the second.
    @Test func anotherSDKsSessionOfTheFirstFactorIsNotAdopted() async throws {
        try await SupabaseVisit.run { visit in
            let first = try await visit.repository.signUp(with: SupabaseVisit.password)
            let app = try #require(visit.supabase.enrollAuthenticatorApp(for: first.user.id))
            let token = try #require(first.refreshToken)
            let refusal = await error { () throws(AuthError) in try await visit.repository.adopt(refreshToken: token) }
            #expect(refusal?.code == .sessionExpired && visit.supabase.sessionCount(of: first.user.id) == 0)
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.signIn(with: SupabaseVisit.password)
            }
            let code = Secret(app.code(at: visit.now))
            let second = try await visit.repository.answer(challenge, with: .code(code), in: nil)
            let adoptable = try #require(second.refreshToken)
            #expect(try visit.claims(try await visit.repository.adopt(refreshToken: adoptable))["aal"] == "aal2")
        }
    }

    /// An app whose first code was never sent keeps its name at Supabase.
    @Test func anEnrollmentThatWasLeftStandsNotInTheWay() async throws {
        try await SupabaseVisit.run { visit in
            let session = try await visit.repository.signUp(with: SupabaseVisit.password)
            for _ in 1...2 {
                let challenge = try await visit.challenge { () throws(AuthError) in
                    try await visit.repository.apply(.addFactor(named: "Phone"), to: session)
                }
                #expect(challenge.kind == .enrollment)
            }
            #expect(try await visit.repository.secondFactors(of: session).isEmpty)
        }
    }

    @Test func appsWithoutANameGetOne() async throws {
        try await SupabaseVisit.run { visit in
            var session = try await visit.repository.signUp(with: SupabaseVisit.password)
            for _ in 1...2 {
                let challenge = try await visit.challenge { [session] () throws(AuthError) in
                    try await visit.repository.apply(.addFactor(named: nil), to: session)
                }
                guard case .enrollment(let details) = challenge.step else {
                    throw AuthError(.unexpected, "The challenge is another.")
                }
                let app = try #require(AuthenticatorApp(secret: details.secret))
                session = try await visit.repository.answer(
                    challenge, with: .code(Secret(app.code(at: visit.now))), in: session)
            }
            #expect(
                try await visit.repository.secondFactors(of: session).map(\.name) == [
                    "Authenticator", "Authenticator 2",
                ])
        }
    }

    @Test func removingRequiresTheSecondFactor() async throws {
        try await SupabaseVisit.run { visit in
            let first = try await visit.repository.signUp(with: SupabaseVisit.password)
            let app = try #require(visit.supabase.enrollAuthenticatorApp(for: first.user.id))
            let factor = try #require(try await visit.repository.secondFactors(of: first).first)
            for change in [SecurityChange.removeFactor(factor.id), .setPassword(Secret("another horse"))] {
                let refusal = await error { () throws(AuthError) in try await visit.repository.apply(change, to: first)
                }
                #expect(refusal?.code == .requiresRecentSignIn && refusal?.serverCode == "insufficient_aal")
            }
            let challenge = try await visit.challenge { () throws(AuthError) in
                try await visit.repository.reauthenticate(first, with: SupabaseVisit.password)
            }
            let code = Secret(app.code(at: visit.now))
            let session = try await visit.repository.answer(challenge, with: .code(code), in: first)
            let without = try await visit.repository.apply(.removeFactor(factor.id), to: session)
            #expect(try await visit.repository.secondFactors(of: without).isEmpty)
            #expect(try visit.claims(try await visit.repository.refresh(without))["aal"] == "aal1")
            let gone = await error { () throws(AuthError) in
                try await visit.repository.apply(.removeFactor(factor.id), to: without)
            }
            #expect(gone?.code == .invalidInput)
        }
    }

    /// The step-up of the service: the person proves who they are, and the change is sent again.
    @Test func theServiceStepsUp() async throws {
        try await SupabaseVisit.run { visit in
            let user = try await visit.auth.signUp(credential: SupabaseVisit.password).value.user
            let app = try #require(visit.supabase.enrollAuthenticatorApp(for: user.id))
            var view = PromptView(visit.auth)
            let change = Task { [auth = visit.auth] in try await auth.changePassword(to: "another horse").value }
            let form = try #require(await view.prompt()?.form)
            let field = try #require(form.fields.first { $0.kind == .password })
            var values = Dictionary(uniqueKeysWithValues: form.fields.map { ($0.id, SupabaseVisit.address) })
            values[field.id] = "correct horse"
            form.submit(values)
            let code = try #require(await view.prompt()?.code)
            code.submit(app.code(at: visit.now))
            #expect(try await change.value.id == user.id)
            let steppedUp = try await visit.auth.accessToken()
            #expect(JSONWebToken(steppedUp)?.claims["aal"] == "aal2")
        }
    }

    @Test func anAnonymousUserHasNoFactors() async throws {
        try await SupabaseVisit.run { visit in
            let guest = try await visit.repository.signInAnonymously()
            let refusal = await error { () throws(AuthError) in
                try await visit.repository.apply(.addFactor(named: nil), to: guest)
            }
            #expect(refusal?.code == .accessDenied && refusal?.classification.refusesAccessToken == false)
        }
    }
}
