import Foundation
import Testing

@testable import AuthStreams

/// What an error says about the session and about the request.
@Suite struct AuthErrorClassificationTests {
    static let ends: [(AuthError.Code, SignOutReason?, SignOutReason?)] = [
        (.userNotFound, nil, .deleted), (.userDisabled, nil, .disabled), (.sessionExpired, nil, .expired),
        (.sessionExpired, .revoked, .revoked), (.sessionExpired, .revokedAtProvider, .revokedAtProvider),
        // The code comes first: one that does not end a session never does, with any other classification.
        (.server, .revoked, nil), (.network, nil, nil), (.invalidCredential, .revokedAtProvider, nil),
    ]

    @Test(arguments: ends) func sessionEndIsOfTheCodeAndTheReason(
        code: AuthError.Code, reason: SignOutReason?, end: SignOutReason?
    ) {
        #expect(AuthError(code, "No.", endsSession: reason).classification.sessionEnd == end)
    }

    @Test func threeCodesEndASession() {
        let ending = AuthError.Code.allKnown.filter { AuthError($0, "No.").classification.sessionEnd != nil }
        #expect(Set(ending) == [.userNotFound, .userDisabled, .sessionExpired])
    }

    @Test(
        arguments: [
            (nil, SignOutReason.refreshInterrupted), (.revoked, .refreshInterrupted),
            (.revokedAtProvider, .revokedAtProvider),
        ] as [(SignOutReason?, SignOutReason)])
    func refusalOfARepeatedTokenSaysThatTheRefreshWasCutOff(reason: SignOutReason?, end: SignOutReason) {
        let classification = AuthError(.sessionExpired, "No.", endsSession: reason).classification
        #expect(classification.sessionEnd(afterRepeat: true) == end)
        #expect(classification.sessionEnd(afterRepeat: false) == reason ?? .expired)
    }

    @Test(arguments: [
        (NSURLErrorNotConnectedToInternet, false), (NSURLErrorCannotConnectToHost, false),
        (NSURLErrorNetworkConnectionLost, true),
    ])
    func outcomeIsUnknownOnceARequestMayHaveBeenSent(cause: Int, isUnknown: Bool) {
        let error = AuthError(.network, "No.", cause: NSError(domain: NSURLErrorDomain, code: cause))
        #expect(error.classification.isOutcomeUnknown == isUnknown)
        #expect(error.classification.isTransient && error.isRetryable)
    }

    @Test(arguments: [
        ("session-revoked", SignOutReason.revoked), ("revoked-at-provider", .revokedAtProvider),
        ("refresh-token-reused", .expired), ("session-expired", .expired), ("user-disabled", .disabled),
    ])
    func serversWordsSayWhy(type: String, end: SignOutReason) {
        let error = refusal(of: #"{"type":"\#(type)"}"#, status: 401)
        #expect(error.classification.sessionEnd == end)
        #expect(!error.classification.refusesAccessToken)
    }

    @Test func refusedAccessTokenIsSaid() {
        let error = refusal(of: #"{"type":"invalid-access-token"}"#, status: 401)
        #expect(error.classification.refusesAccessToken && error.classification.sessionEnd == nil)
        #expect(!refusal(of: #"{"type":"invalid-credential"}"#, status: 401).classification.refusesAccessToken)
    }

    private func refusal(of body: String, status: Int) -> AuthError {
        let response = AuthHTTPResponse(
            status: status, headers: [.contentType: "application/problem+json"], body: Data(body.utf8))
        let exchange = ServerExchange(
            request: AuthHTTPRequest(.post, URL(literal: "https://e.example")), response: response)
        return ServerErrorResponse(exchange, to: .refresh, by: ServerContract()).error
    }
}
