import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct GoogleFailureTests {
    private func failure(
        _ google: GoogleFixture, agent: ScriptedAgent? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> (error: AuthError?, requests: Int) {
        let transport = google.transport
        let error = await #expect(throws: AuthError.self, sourceLocation: sourceLocation) {
            try await google.signIn(agent: agent, transport: transport)
        }
        if let error { expectNoLeak(of: google.hidden, in: error, sourceLocation: sourceLocation) }
        #expect(error?.provider == .google, sourceLocation: sourceLocation)
        return (error, transport.requests.count)
    }

    @Test(
        arguments: [
            ("access_denied", .accessDenied), ("admin_policy_enforced", .accessDenied), ("org_internal", .accessDenied),
            ("deleted_client", .misconfigured), ("disallowed_useragent", .misconfigured),
            ("invalid_scope", .misconfigured),
            ("redirect_uri_mismatch", .misconfigured), ("server_error", .server),
        ] as [(String, AuthError.Code)])
    func refusalOnThePageEndsBeforeAnyRequest(code: String, expected: AuthError.Code) async {
        let google = GoogleFixture(callbackFields: { ["error": code, "error_description": "state=\($0)", "state": $0] })
        let (error, requests) = await failure(google)
        #expect(error?.code == expected && error?.serverCode == code && error?.step == .presenting && requests == 0)
    }

    @Test func aDeletedClientSaysWhyItMayBeGone() async {
        let google = GoogleFixture(callbackFields: { ["error": "deleted_client", "state": $0] })
        let (error, _) = await failure(google)
        #expect(error?.explanation.contains("deleted after six months without use") == true)
    }

    @Test func callbackOfAnotherAttemptIsNeverRedeemed() async {
        for state in ["", "other", "repeated"] {
            let google = GoogleFixture(callbackFields: {
                state == "repeated"
                    ? ["code": "secret-code", "state": $0, "state": $0]
                    : ["code": "secret-code", "state": state]
            })
            let (error, requests) = await failure(google)
            #expect(error?.code == .stateMismatch && requests == 0)
        }
    }

    @Test(
        arguments: [
            (400, #"{"error":"invalid_grant","error_description":"secret-code"}"#, .invalidCredential),
            (401, #"{"error":"invalid_client"}"#, .misconfigured), (200, "<html>", .invalidResponse),
            (200, #"{"access_token":"secret-access"}"#, .invalidResponse), (200, "", .invalidResponse),
            (200, #"{"access_token":"secret-access","id_token":"a.b.c"}"#, .invalidIDToken), (502, "", .server),
        ] as [(Int, String, AuthError.Code)])
    func badTokenAnswerIsATypedError(status: Int, body: String, code: AuthError.Code) async {
        let (error, _) = await failure(GoogleFixture(tokenAnswer: { .text(body, status: status) }))
        #expect(error?.code == code && error?.step == .exchanging)
    }

    @Test(
        arguments: [
            (["nonce": "of another attempt"], .nonceMismatch), (["nonce": .null], .nonceMismatch),
            (["iss": "https://accounts.google.com.evil.example"], .issuerMismatch), (["aud": "other"], .invalidIDToken),
            (["azp": "other"], .invalidIDToken), (["exp": 1_799_999_000], .invalidIDToken),
            (["at_hash": "other"], .invalidIDToken),
        ] as [([String: AuthJSON], AuthError.Code)])
    func tokenOfAnotherIsRefused(claims: [String: AuthJSON], code: AuthError.Code) async {
        let (error, _) = await failure(GoogleFixture(claims: claims))
        #expect(error?.code == code)
    }

    @Test(arguments: [("example.com", nil), ("example.com", "example.org"), ("*", nil)] as [(String, String?)])
    func accountOutsideTheDomainIsRefused(domain: String, claim: String?) async {
        var google = GoogleFixture(hostedDomain: domain)
        google.claims = ["hd": claim.map(AuthJSON.string) ?? .null]
        let (error, _) = await failure(google)
        #expect(error?.code == .accessDenied)
    }

    @Test func anyDomainServesWhereAnyIsAsked() async throws {
        var google = GoogleFixture(hostedDomain: "*")
        google.claims = ["hd": "example.org"]
        #expect(try await google.signIn().userID == "1001")
    }

    @Test func cancelOnThePageEndsTheAttempt() async {
        let isShown = Promise<Void>()
        let google = GoogleFixture()
        let agent = ScriptedAgent { _, _ in
            isShown.resolve(())
            _ = await Promise<Never>().value()
            throw CancellationError()
        }
        let attempt = Task { await failure(google, agent: agent) }
        _ = await isShown.value()
        attempt.cancel()
        let (error, requests) = await attempt.value
        #expect(error?.code == .cancelled && error?.step == .presenting && requests == 0)
    }

    @Test func cancelDuringTheTokenRequestEndsTheAttempt() async {
        let isAsked = Promise<Void>()
        let google = GoogleFixture(tokenAnswer: {
            isAsked.resolve(())
            _ = await Promise<Never>().value()
            throw CancellationError()
        })
        let attempt = Task { await failure(google) }
        _ = await isAsked.value()
        attempt.cancel()
        let error = await attempt.value.error
        #expect(error?.code == .cancelled && error?.step == .exchanging)
    }

    @Test func cancelBetweenPageAndTokenRequestSendsNothing() async {
        let google = GoogleFixture()
        let agent = ScriptedAgent { page, redirectURI in
            withUnsafeCurrentTask { $0?.cancel() }
            return callback(redirectURI, google.callbackFields(page["state"] ?? ""))
        }
        let (error, requests) = await Task { await failure(google, agent: agent) }.value
        #expect(error?.code == .cancelled && requests == 0 && google.recorder.steps == [.presenting])
    }
}
