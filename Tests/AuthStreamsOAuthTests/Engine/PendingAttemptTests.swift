import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// What the engine lets be stored while the person is at a page, and what it makes of an answer that came later.
@MainActor
@Suite struct PendingAttemptTests {
    private let redirect = URL(literal: "com.example.app:/callback")
    private let secrets = AuthorizationSecrets()

    private var page: AuthorizationRequest {
        AuthorizationRequest(
            endpoint: URL(literal: "https://id.example/authorize"), clientID: "app", state: secrets.state)
    }

    /// What was stored during an attempt, and what remains of it.
    private func attempt(
        by agent: some UserAgent, comingBackTo redirect: AuthorizationPage.Redirect
    ) async -> (stored: [PendingAttempt?], remaining: Int, error: AuthError?) {
        let stored = Lock<[PendingAttempt?]>([])
        let remaining = Lock(0)
        var request = AuthRequest()
        request.keepAttempt = { attempt in
            stored.withLock { $0.append(attempt) }
            remaining.withLock { $0 += 1 }
            return { remaining.withLock { $0 -= 1 } }
        }
        var failure: AuthError?
        do throws(AuthError) {
            _ = try await agent.grant(for: page, request, secrets: secrets, redirect: redirect)
        } catch { failure = error }
        return (stored.withLock { $0 }, remaining.withLock { $0 }, failure)
    }

    @Test(arguments: [true, false]) func attemptIsStoredWhileThePageIsShown(isBound: Bool) async {
        let isRefused = Lock(false)
        let agent = ScriptedAgent(bindsAnswers: isBound) { page, uri in
            let fields: KeyValuePairs = isRefused.withLock { $0 } ? ["error": "access_denied"] : ["code": "x"]
            return callback(uri, fields) + "&state=\(page["state"] ?? "")"
        }
        for refuses in [false, true] {
            isRefused.withLock { $0 = refuses }
            let outcome = await attempt(by: agent, comingBackTo: .redirect(redirect))
            #expect(outcome.stored.map { $0?.state } == [secrets.state] && outcome.stored.first??.isBound == isBound)
            #expect(outcome.remaining == 0, "The person is back.")
            #expect(outcome.error?.code == (refuses ? .accessDenied : nil))
        }
        let failing = await attempt(
            by: ScriptedAgent { _, _ in throw AuthError.cancelled }, comingBackTo: .redirect(redirect))
        #expect(failing.stored.count == 1 && failing.remaining == 0 && failing.error?.code == .cancelled)
    }

    @Test func answerThatEndsWithTheProcessIsNotStored() async {
        let agent = ScriptedAgent { page, uri in callback(uri, ["code": "x", "state": page["state"] ?? ""]) }
        let loopback = await attempt(by: agent, comingBackTo: .loopback(path: "/callback"))
        #expect(loopback.stored.isEmpty && loopback.error == nil)
        let sheet = await attempt(by: Sheet(agent: agent), comingBackTo: .redirect(redirect))
        #expect(sheet.stored.isEmpty && sheet.error == nil)
    }

    /// A user agent whose answer comes to nobody but itself.
    private struct Sheet: UserAgent {
        let agent: ScriptedAgent
        var opensAppWithAnswer: Bool { false }

        func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
            try await agent.authorize(page)
        }
    }

    /// The code works once, and belongs to the first page.
    @Test func resumedAnswerIsForOnePage() async throws {
        let agent = ScriptedAgent { _, _ in throw AuthError(.unexpected, "A page was shown.") }
        let attempt = PendingAttempt(
            state: secrets.state, callbackURL: redirect, redirectURI: redirect, issuer: nil, isIssuerRequired: false,
            verifier: nil, nonce: nil, rawNonce: nil, maximumAge: nil, acceptedACRs: [], scopes: ["openid", "x"],
            isBound: false)
        var request = AuthRequest()
        request.resumed = ResumedAttempt(
            attempt: attempt,
            callback: try #require(
                URL(string: callback(redirect, ["code": "x", "state": secrets.state.reveal()]))), elapsed: .zero)
        let grant = try await agent.grant(for: page, request, secrets: secrets, redirect: .redirect(redirect))
        #expect(try grant.callback.code() == Secret("x"))
        // What counts is the user agent that showed the page, not the one of this process.
        #expect(grant.scopes == ["openid", "x"] && !grant.isBound && agent.bindsAnswers)
        await #expect(throws: AuthError.self) {
            _ = try await agent.grant(for: page, request, secrets: secrets, redirect: .redirect(redirect))
        }
        #expect(agent.pages.isEmpty)
        // After an update of the app, code and verifier do not go to another issuer.
        request.resumed = request.resumed.map {
            ResumedAttempt(attempt: $0.attempt, callback: $0.callback, elapsed: $0.elapsed)
        }
        let error = await #expect(throws: AuthError.self) {
            _ = try await agent.grant(
                for: page, request, secrets: secrets, redirect: .redirect(redirect), issuer: "https://other.example")
        }
        #expect(error?.code == .abandoned)
    }

    @Test(arguments: [
        ("state=s", true), ("code=x&state=s", true), ("state=%73", true), ("state=t", false), ("state=", false),
        ("", false), ("state=s&state=s", false), ("State=s", false), ("state=s#state=t", true),
    ]) func answerRepeatsTheState(query: String, isAnswer: Bool) throws {
        let attempt = PendingAttempt(
            state: Secret("s"), callbackURL: redirect, redirectURI: redirect, issuer: nil, isIssuerRequired: false,
            verifier: nil, nonce: nil, rawNonce: nil, maximumAge: nil, acceptedACRs: [], scopes: [], isBound: true)
        let url = try #require(URL(string: "com.example.app:/callback?\(query)", encodingInvalidCharacters: false))
        #expect(attempt.isAnswered(by: url) == isAnswer)
    }

    /// RFC 7636 section 4.5: a verifier belongs to a challenge.
    @Test(arguments: [true, false]) func verifierIsSentAfterAChallengeAlone(hasChallenge: Bool) async throws {
        let fixture = OpenIDFixture()
        let (agent, transport) = (fixture.agent, fixture.transport)
        let client = OAuthClient(
            "keycloak", issuer: OpenIDFixture.issuer, clientID: "app", transport: transport, clock: SignedTokens.clock)
        let grant = try await client.authorize(
            AuthRequest(), scopes: ["openid"], redirect: .redirect(redirect), userAgent: agent, secrets: secrets
        ) { page in if !hasChallenge { page.removeChallenge() } }
        _ = try await client.redeem(grant)
        let form = try #require(transport.forms.last)
        #expect(form["grant_type"] == "authorization_code")
        #expect(agent.pages.map { $0["code_challenge"] } == [hasChallenge ? secrets.proofKey.challenge : nil])
        #expect(form["code_verifier"] == (hasChallenge ? secrets.proofKey.verifier.reveal() : nil))
    }
}

/// A page stays open in the browser whatever becomes of the app, so its answer may come late: to a later process, or when the
/// attempt is over.
@MainActor
@Suite(.limitedParallelization) struct LateAnswerTests {
    /// A process of the app, with an issuer.
    @MainActor
    private struct Process {
        let auth: AuthService
        let opener: ScriptedOpener
        /// The pages that are opened.
        let pages: AsyncStream<URL>
        let transport: ScriptedTransport
        let redeemed = Lock<[Credential]>([])

        /// - Parameters:
        ///   - secrets: Those of each attempt, in order; then random ones.
        ///   - time: How long after ``SignedTokens/now`` it runs.
        init(
            _ fixture: OpenIDFixture, _ store: any SessionStore, secrets: [AuthorizationSecrets] = [],
            after time: TimeInterval = 0
        ) {
            let callbacks = CallbackRouter()
            let (pages, shown) = AsyncStream.makeStream(of: URL.self)
            self.pages = pages
            opener = ScriptedOpener { url in
                shown.yield(url)
                return .unobservable
            }
            let clock = ManualClock().authClock(startingAt: SignedTokens.now.addingTimeInterval(time))
            let rest = Lock(secrets[...])
            transport = fixture.transport
            var provider = fixture.provider(
                agent: SystemBrowser(opener: opener, callbacks: callbacks), transport: transport, clock: clock)
            provider.makeSecrets = { rest.withLock { $0.popFirst() } ?? AuthorizationSecrets() }
            let repository = ScriptedRepository(establish: { [redeemed] credential in
                redeemed.withLock { $0.append(credential) }
                return ScriptedRepository.session(of: credential)
            })
            auth = AuthService(
                repository: repository, providers: [provider], store: store, callbacks: callbacks, clock: clock)
        }

        var hasRedeemed: Bool { transport.requests.contains { $0.method == .post } }
    }

    private let redirect = URL(literal: "com.example.app:/callback")

    private func answer(_ state: Secret, issuer: String? = OpenIDFixture.issuer) throws -> URL {
        let fields = [("code", "secret-code"), ("state", state.reveal())] + (issuer.map { [("iss", $0)] } ?? [])
        return try url("\(redirect)?\(FormCoding.encode(fields.map { (name: $0.0, value: $0.1) }))")
    }

    /// The end of what a process began or resumed.
    private func end(in events: inout AuthEvents.AsyncIterator) async -> AuthEvent? {
        let ends: [AuthEvent.Kind] = [
            .signInSucceeded, .signInFailed, .changeSucceeded, .changeFailed, .attemptAbandoned, .callbackIgnored,
        ]
        while let event = await events.next() { if ends.contains(event.kind) { return event } }
        return nil
    }

    /// Begins an attempt in one process, and resumes it in a later one.
    ///
    /// - Returns: How it ended there, and the credential of the later process.
    private func resumed(
        _ fixture: OpenIDFixture, reauthenticating: Bool = false, issuer: String? = OpenIDFixture.issuer,
        after time: TimeInterval = 0
    ) async throws -> (end: AuthEvent?, credential: Credential?) {
        let store = MemorySessionStore()
        let first = Process(fixture, store, secrets: [fixture.secrets])
        if reauthenticating {
            _ = try await first.auth.signIn(credential: Credential(provider: "keycloak", userID: "1001")).value
        }
        let attempt = Task {
            if reauthenticating {
                for await _ in first.auth.reauthenticate() {}
            } else {
                for await _ in first.auth.signIn(with: "keycloak") {}
            }
        }
        defer { attempt.cancel() }
        _ = await first.opener.first.value()
        let later = Process(fixture, store, after: time)
        var events = later.auth.events.makeAsyncIterator()
        #expect(later.auth.handle(try answer(fixture.secrets.state, issuer: issuer)))
        let end = await end(in: &events)
        #expect(later.opener.opened.isEmpty, "No page is opened.")
        return (end, later.redeemed.withLock { $0.first })
    }

    // MARK: A later process keeps the rules of the attempt

    /// RFC 9207: the metadata promised that each answer names the issuer.
    @Test(arguments: [nil, "https://id.example/realms/other", OpenIDFixture.issuer] as [String?])
    func resumedAttemptRequiresTheIssuer(issuer: String?) async throws {
        let end = try await resumed(OpenIDFixture(), issuer: issuer).end
        if issuer == OpenIDFixture.issuer {
            #expect(end?.kind == .signInSucceeded)
        } else {
            #expect(end?.kind == .signInFailed && end?.failure?.code == .issuerMismatch)
        }
    }

    @Test(arguments: [true, false]) func resumedAttemptRequiresTheNonce(isRight: Bool) async throws {
        var fixture = OpenIDFixture()
        if !isRight { fixture.claims = ["nonce": "another attempt's"] }
        let (end, credential) = try await resumed(fixture)
        if isRight {
            #expect(end?.kind == .signInSucceeded)
            #expect(credential?.idToken != nil && credential?.rawNonce == fixture.secrets.nonce)
        } else {
            #expect(end?.kind == .signInFailed && end?.failure?.code == .nonceMismatch)
        }
    }

    /// The person may have been at the page for a part of that time.
    @Test(arguments: [(0, true), (-100, true), (-1000, false), (nil, false)] as [(Int64?, Bool)])
    func resumedAttemptRequiresALogInOfThatAge(logIn: Int64?, isRecent: Bool) async throws {
        var fixture = OpenIDFixture()
        fixture.options.maximumAge = .seconds(120)
        fixture.claims = logIn.map { ["auth_time": .integer(1_800_000_000 + $0)] } ?? [:]
        let end = try await resumed(fixture, after: 300).end
        #expect(end?.kind == (isRecent ? .signInSucceeded : .signInFailed))
        #expect(end?.failure?.code == (isRecent ? nil : .invalidIDToken))
    }

    @Test(arguments: [(0, true), (-1000, false)] as [(Int64, Bool)])
    func resumedReauthenticationRequiresALogInOfTheAttempt(logIn: Int64, isRecent: Bool) async throws {
        var fixture = OpenIDFixture()
        fixture.claims = ["auth_time": .integer(1_800_000_000 + logIn)]
        let end = try await resumed(fixture, reauthenticating: true, after: 300).end
        #expect(end?.kind == (isRecent ? .changeSucceeded : .changeFailed))
        #expect(end?.failure?.code == (isRecent ? nil : .invalidIDToken))
    }

    @Test(arguments: ["high", "low"]) func resumedAttemptRequiresTheMethodOfTheLogIn(method: String) async throws {
        var fixture = OpenIDFixture()
        fixture.options.acrValues = ["high"]
        fixture.claims = ["acr": .string(method)]
        let end = try await resumed(fixture).end
        #expect(end?.kind == (method == "high" ? .signInSucceeded : .signInFailed))
        #expect(end?.failure?.code == (method == "high" ? nil : .invalidIDToken))
    }

    // MARK: The page of an attempt that is over

    /// The store may have failed to remove the attempt.
    @Test(arguments: [true, false]) func answerToACancelledAttemptSignsNoUserIn(storeFails: Bool) async throws {
        let (fixture, store) = (OpenIDFixture(), FaultySessionStore())
        let app = Process(fixture, store, secrets: [fixture.secrets])
        let attempt = Task { for await _ in app.auth.signIn(with: "keycloak") {} }
        _ = await app.opener.first.value()
        // The record is removed with its last part.
        if storeFails { for call in [FaultySessionStore.Call.write, .remove] { store.fail(call, of: .notes) } }
        attempt.cancel()
        await attempt.value
        store.heal()
        var events = app.auth.events.makeAsyncIterator()
        #expect(app.auth.handle(try answer(fixture.secrets.state)), "It has the form of an answer.")
        #expect(await end(in: &events)?.kind == .callbackIgnored)
        #expect(app.auth.user == nil && !app.hasRedeemed)
    }

    /// The person signed in without a page since.
    @Test func signInEndsTheAttemptOfAnEarlierProcess() async throws {
        let (fixture, store) = (OpenIDFixture(), MemorySessionStore())
        let first = Process(fixture, store, secrets: [fixture.secrets])
        let attempt = Task { for await _ in first.auth.signIn(with: "keycloak") {} }
        defer { attempt.cancel() }
        _ = await first.opener.first.value()
        let later = Process(fixture, store)
        _ = try await later.auth.signIn(credential: Credential(provider: "keycloak", userID: "1")).value
        var events = later.auth.events.makeAsyncIterator()
        #expect(later.auth.handle(try answer(fixture.secrets.state)))
        #expect(await end(in: &events)?.kind == .callbackIgnored)
        #expect(later.auth.user?.id == "keycloak:1" && !later.hasRedeemed)
    }

    @Test func answerToASupersededAttemptSignsNoUserIn() async throws {
        let (fixture, old) = (OpenIDFixture(), AuthorizationSecrets())
        let app = Process(fixture, MemorySessionStore(), secrets: [old, fixture.secrets])
        var pages = app.pages.makeAsyncIterator()
        let superseded = Task { await app.auth.signIn(with: "keycloak").result }
        _ = await pages.next()
        let next = Task { await app.auth.signIn(with: "keycloak").result }
        #expect(await superseded.value.authError?.code == .superseded)
        _ = await pages.next()
        var events = app.auth.events.makeAsyncIterator()
        #expect(app.auth.handle(try answer(old.state)))
        #expect(await end(in: &events)?.kind == .callbackIgnored)
        #expect(app.auth.user == nil && !app.hasRedeemed)
        #expect(app.auth.handle(try answer(fixture.secrets.state)))
        #expect(try await next.value.get().user.id == "keycloak:1001")
        // The page of an attempt that has succeeded.
        #expect(app.auth.handle(try answer(fixture.secrets.state)))
        #expect(await end(in: &events)?.kind == .signInSucceeded)
        #expect(await end(in: &events)?.kind == .callbackIgnored)
    }
}
