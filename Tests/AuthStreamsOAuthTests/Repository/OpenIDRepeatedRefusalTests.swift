import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// A refresh token that the issuer refuses in other words than `invalid_grant`.
@Suite(.limitedParallelization) struct OpenIDRepeatedRefusalTests {
    private let clock = ManualClock()

    private static func refusal(_ status: Int, _ word: String? = nil) -> AuthHTTPResponse {
        guard let word else { return .text("", status: status) }
        return .text(#"{"error":"\#(word)"}"#, status: status, headers: [.contentType: "application/json"])
    }

    private static let words: [(Int, String?)] = [
        (400, nil), (401, nil), (400, "unauthorized_client"), (401, "invalid_token"), (403, "access_denied"),
    ]

    private func fixture() -> IssuerFixture {
        var fixture = IssuerFixture()
        fixture.clock = clock.authClock(startingAt: SignedTokens.now)
        return fixture
    }

    /// The issuer until the given answer is set, which each refresh then gets.
    private func transport(_ answer: Lock<AuthHTTPResponse?>) -> ScriptedTransport {
        let issuer = fixture().transport
        return ScriptedTransport { request in
            if String(decoding: request.body ?? Data(), as: UTF8.self).contains("grant_type=refresh_token"),
                let answer = answer.withLock({ $0 })
            {
                return answer
            }
            return try await issuer.send(request)
        }
    }

    @Test(arguments: words)
    func sameRefusalForTenMinutesEndsTheSession(status: Int, word: String?) async throws {
        let answer = Lock<AuthHTTPResponse?>(nil)
        let transport = transport(answer)
        let fixture = fixture()
        let auth = AuthService(
            repository: fixture.repository(transport), providers: [fixture.provider(transport)],
            store: MemorySessionStore(), callbacks: CallbackRouter(), clock: fixture.clock, refreshPolicy: .onDemand)
        _ = try await auth.signIn(credential: IssuerFixture.credential).value
        answer.withLock { $0 = Self.refusal(status, word) }
        clock.advance(by: .seconds(301))
        for _ in 0..<2 {
            let error = await #expect(throws: AuthError.self) { try await auth.accessToken() }
            #expect(error?.classification.sessionEnd == nil && auth.user != nil)
            clock.advance(by: .seconds(300))
        }
        let error = await #expect(throws: AuthError.self) { try await auth.accessToken() }
        #expect(error?.code == .sessionExpired && error?.serverCode == word)
        #expect(auth.state == .signedOut(.expired))
        #expect(transport.forms.filter { $0["grant_type"] == "refresh_token" }.count == 3)
    }

    /// Each row lists the seconds before each refresh, and its answer.
    @Test(
        arguments: [
            ("the third comes within ten minutes", [(301, refusal(400)), (300, refusal(400)), (299, refusal(400))]),
            ("two are not three", [(301, refusal(400)), (900, refusal(400))]),
            (
                "the words differ",
                [(301, refusal(400)), (300, refusal(400, "access_denied")), (300, refusal(400)), (300, refusal(400))]
            ),
            (
                "the server fails in between",
                [(301, refusal(400)), (300, refusal(503)), (300, refusal(400)), (300, refusal(400))]
            ),
            (
                "the access token is valid",
                [(10, refusal(400)), (280, refusal(400)), (600, refusal(400)), (1, refusal(400))]
            ),
            ("the client is refused", (0..<4).map { _ in (400, refusal(401, "invalid_client")) }),
            ("the request is refused", (0..<4).map { _ in (400, refusal(400, "invalid_request")) }),
            ("the server is busy", (0..<4).map { _ in (400, refusal(429)) }),
            ("the place is wrong", (0..<4).map { _ in (400, refusal(404)) }),
            ("a firewall answers", (0..<4).map { _ in (400, refusal(403)) }),
            (
                "a proxy answers by a page",
                (0..<4).map { _ in (400, .text("<html></html>", status: 400, headers: [.contentType: "text/html"])) }
            ),
            (
                "a proxy names itself",
                (0..<4).map { _ in
                    (400, .text("", status: 400, headers: ["Proxy-Status": "edge; error=http_request_denied"]))
                }
            ),
            ("the answer is no JSON", (0..<4).map { _ in (400, .text("Bad Request", status: 400)) }),
        ] as [(String, [(Int, AuthHTTPResponse)])])
    func otherRefusalsEndNoSession(reason: String, answers: [(Int, AuthHTTPResponse)]) async throws {
        let answer = Lock<AuthHTTPResponse?>(nil)
        let repository = fixture().repository(transport(answer))
        let session = try await repository.signIn(with: IssuerFixture.credential)
        for (seconds, response) in answers {
            clock.advance(by: .seconds(seconds))
            answer.withLock { $0 = response }
            let error = await #expect(throws: AuthError.self) { try await repository.refresh(session) }
            #expect(error?.classification.sessionEnd == nil, "\(reason)")
        }
    }

    /// Without an answer of the token endpoint there is nothing to count.
    @Test(arguments: [AuthError.Code.network, .timedOut, .cancelled])
    func requestWithoutAnAnswerChangesNoCount(code: AuthError.Code) async throws {
        let answer = Lock<AuthHTTPResponse?>(nil)
        let (isOffline, issuer) = (Lock(false), transport(answer))
        let repository = fixture().repository(
            ScriptedTransport { request in
                if isOffline.withLock({ $0 }) { throw AuthError(code, "Down.") }
                return try await issuer.send(request)
            })
        let session = try await repository.signIn(with: IssuerFixture.credential)
        answer.withLock { $0 = Self.refusal(400) }
        clock.advance(by: .seconds(301))
        var codes: [AuthError.Code?] = []
        for isDown in [false, true, false, true, false] {
            isOffline.withLock { $0 = isDown }
            codes.append(await #expect(throws: AuthError.self) { try await repository.refresh(session) }?.code)
            clock.advance(by: .seconds(200))
        }
        #expect(codes == [.invalidCredential, code, .invalidCredential, code, .sessionExpired])
    }
}
