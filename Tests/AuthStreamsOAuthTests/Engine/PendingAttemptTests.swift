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
        by agent: some UserAgent, comingBackTo redirect: AuthorizationPage.Return
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

    @Test func attemptIsStoredWhileThePageIsShown() async {
        let isRefused = Lock(false)
        let agent = ScriptedAgent { page, uri in
            let fields: KeyValuePairs = isRefused.withLock { $0 } ? ["error": "access_denied"] : ["code": "x"]
            return callback(uri, fields) + "&state=\(page["state"] ?? "")"
        }
        for refuses in [false, true] {
            isRefused.withLock { $0 = refuses }
            let outcome = await attempt(by: agent, comingBackTo: .redirect(redirect))
            #expect(outcome.stored.map { $0?.state } == [secrets.state])
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
            verifier: nil, nonce: nil, rawNonce: nil, maximumAge: nil, acceptedACRs: [])
        var request = AuthRequest()
        request.resumed = ResumedAttempt(
            attempt: attempt,
            callback: try #require(
                URL(string: callback(redirect, ["code": "x", "state": secrets.state.reveal()]))), elapsed: .zero)
        let grant = try await agent.grant(for: page, request, secrets: secrets, redirect: .redirect(redirect))
        #expect(try grant.callback.code() == Secret("x"))
        await #expect(throws: AuthError.self) {
            _ = try await agent.grant(for: page, request, secrets: secrets, redirect: .redirect(redirect))
        }
        #expect(agent.pages.isEmpty)
    }

    @Test(arguments: [
        ("state=s", true), ("code=x&state=s", true), ("state=%73", true), ("state=t", false), ("state=", false),
        ("", false), ("state=s&state=s", false), ("State=s", false), ("state=s#state=t", true),
    ]) func answerRepeatsTheState(query: String, isAnswer: Bool) throws {
        let attempt = PendingAttempt(
            state: Secret("s"), callbackURL: redirect, redirectURI: redirect, issuer: nil, isIssuerRequired: false,
            verifier: nil, nonce: nil, rawNonce: nil, maximumAge: nil, acceptedACRs: [])
        let url = try #require(URL(string: "com.example.app:/callback?\(query)", encodingInvalidCharacters: false))
        #expect(attempt.isAnswered(by: url) == isAnswer)
    }
}
