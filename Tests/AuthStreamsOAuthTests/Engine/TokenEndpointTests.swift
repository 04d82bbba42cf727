import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

@Suite struct TokenEndpointTests {
    private let url = URL(literal: "https://a.example/token")

    private func answer(
        _ response: AuthHTTPResponse, dialect: @escaping OAuthFailure.Dialect = { _ in nil }
    ) async throws -> TokenResponse {
        let endpoint = TokenEndpoint(url: url, transport: ScriptedTransport { _ in response }, dialect: dialect)
        return try await endpoint.send([("code", "secret-code")])
    }

    @Test func codeDoesNotTravelInTheClear() async {
        let transport = ScriptedTransport { _ in .text(#"{"access_token":"a"}"#) }
        let endpoint = TokenEndpoint(url: URL(literal: "http://a.example/token"), transport: transport)
        let error = await #expect(throws: AuthError.self) { try await endpoint.send([("code", "secret-code")]) }
        #expect(error?.code == .misconfigured)
        #expect(transport.requests.isEmpty)
    }

    @Test func codeIsRedeemedWithAStrictForm() async throws {
        let transport = ScriptedTransport { _ in .text(#"{"access_token":"a"}"#) }
        _ = try await TokenEndpoint(url: url, transport: transport).redeem(
            code: Secret("4/0+b"), clientID: "app", authentication: .post(Secret("s&s")),
            redirectURI: URL(literal: "com.example.app:/back"), verifier: Secret("v"), extra: [("ios_bundle_id", "b c")]
        )
        let request = try #require(transport.requests.first)
        #expect(request.method == .post && request.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(
            String(decoding: request.body ?? Data(), as: UTF8.self)
                == "grant_type=authorization_code&client_id=app&client_secret=s%26s&code=4%2F0%2Bb"
                + "&redirect_uri=com.example.app%3A%2Fback&code_verifier=v&ios_bundle_id=b%20c")
    }

    /// RFC 6749 section 2.3.1: a colon in the identifier would otherwise end it.
    @Test func basicAuthenticationIsFormEncodedBeforeBase64() async throws {
        let transport = ScriptedTransport { _ in .text(#"{"access_token":"a"}"#) }
        _ = try await TokenEndpoint(url: url, transport: transport).redeem(
            code: Secret("c"), clientID: "a:b", authentication: .basic(Secret("p+q %")), redirectURI: nil, verifier: nil
        )
        let request = try #require(transport.requests.first)
        let pair = request.headers[.authorization]?.split(separator: " ").last.flatMap {
            Data(base64Encoded: String($0))
        }
        #expect(pair.map { String(decoding: $0, as: UTF8.self) } == "a%3Ab:p%2Bq%20%25")
        #expect(transport.forms == [["grant_type": "authorization_code", "code": "c"]])
    }

    @Test(
        arguments: [
            (#"{"access_token":"a","token_type":"Bearer","expires_in":3599}"#, 3599),
            (#"{"access_token":"a","token_type":"bearer","expires_in":"3600"}"#, 3600),
            (#"{"access_token":"a","token_type":"BEARER"}"#, nil),
            (#"{"access_token":"a","expires_in":"soon"}"#, nil),
            (#"{"access_token":"a","expires_in":-1}"#, 0),
            (#"{"access_token":"a","expires_in":3600.0,"error":null}"#, 3600),
        ] as [(String, Int?)])
    func numbersAreReadLeniently(body: String, seconds: Int?) async throws {
        let answer = try await answer(.text(body))
        #expect(answer.accessToken.reveal() == "a" && answer.expiresIn == seconds.map { .seconds($0) })
    }

    @Test func missingAndEmptyMembersAreNil() async throws {
        let answer = try await answer(.text(#"{"access_token":"a","refresh_token":"","scope":"openid email"}"#))
        #expect(answer.refreshToken == nil && answer.idToken == nil && answer.scopes == ["openid", "email"])
    }

    @Test(
        arguments: [
            (200, "<html>secret-code</html>", .invalidResponse, nil), (200, "", .invalidResponse, nil),
            (200, #"{"access_token":"#, .invalidResponse, nil), (200, "[]", .invalidResponse, nil),
            (200, "{}", .invalidResponse, nil), (200, #"{"access_token":""}"#, .invalidResponse, nil),
            (200, #"{"access_token":7}"#, .invalidResponse, nil),
            (200, #"{"access_token":"secret-code","token_type":"DPoP"}"#, .invalidResponse, nil),
            (200, #"{"error":"invalid_grant","access_token":"secret-code"}"#, .invalidCredential, "invalid_grant"),
            (400, #"{"error":"invalid_grant","error_description":"secret-code"}"#, .invalidCredential, "invalid_grant"),
            (401, #"{"error":"invalid_client"}"#, .misconfigured, "invalid_client"),
            (400, #"{"error":"of its own\nkind"}"#, .invalidCredential, "of_its_own_kind"),
            (400, #"{"error":"slow_down"}"#, .rateLimited, "slow_down"),
            (404, "<html>secret-code</html>", .invalidResponse, nil),
            (302, #"{"access_token":"secret-code"}"#, .invalidResponse, nil),
            (307, "", .invalidResponse, nil), (500, "<html>secret-code</html>", .server, nil),
            (503, #"{"error":"invalid_grant"}"#, .server, "invalid_grant"),
        ] as [(Int, String, AuthError.Code, String?)])
    func everyBadAnswerIsATypedError(status: Int, body: String, code: AuthError.Code, serverCode: String?) async throws
    {
        let error = try #require(
            await #expect(throws: AuthError.self) { try await answer(.text(body, status: status)) })
        #expect(error.code == code && error.serverCode == serverCode)
        expectNoLeak(of: ["secret-code"], in: error)
    }

    /// Kakao's description quotes the code.
    @Test(arguments: [400, 429, 503]) func descriptionShowsNothingThatWasSent(status: Int) async throws {
        let token = String(repeating: "aB3-_", count: 9)
        let description = "Not found: code=secret-code (\(token)). \(String(repeating: "Long. ", count: 100))"
        let body: AuthJSON = ["error": "invalid_grant", "error_description": .string(description)]
        let error = try #require(
            await #expect(throws: AuthError.self) { try await answer(try .json(body, status: status)) })
        #expect(error.debugDescription.contains("Not found: code=… (…). Long."))
        #expect(error.debugDescription.count < 600)
        expectNoLeak(of: ["secret-code", "aB3-_"], in: error)
    }

    /// The secret is in a header field, and may be shorter than a token. The code is a part of it.
    @Test func descriptionShowsNoClientSecret() async throws {
        let transport = ScriptedTransport { _ in
            try .json(["error": "invalid_client", "error_description": "Not s3cr3t!"], status: 401)
        }
        let error = await #expect(throws: AuthError.self) {
            try await TokenEndpoint(url: url, transport: transport).redeem(
                code: Secret("c"), clientID: "app", authentication: .basic(Secret("s3cr3t")), redirectURI: nil,
                verifier: nil)
        }
        #expect(error?.debugDescription.contains("Not …!") == true)
    }

    @Test func rateLimitSaysHowLongToWait() async {
        let error = await #expect(throws: AuthError.self) {
            try await answer(.text("", status: 429, headers: [.retryAfter: "7"]))
        }
        #expect(error?.code == .rateLimited && error?.retryAfter == .seconds(7))
    }

    @Test func dialectSeesTheOtherMembers() async {
        let error = await #expect(throws: AuthError.self) {
            try await answer(.text(#"{"error":"invalid_grant","error_code":"KOE320"}"#, status: 400)) { failure in
                AuthError(.invalidCredential, "Used.", serverCode: failure.members["error_code"]?.string)
            }
        }
        #expect(error?.serverCode == "KOE320")
    }

    @Test func serverCodeIsShortAndPlain() {
        let failure = OAuthFailure(origin: .callback, error: String(repeating: "é ", count: 80), members: [:])
        #expect(failure.error == String(repeating: "_", count: 64))
    }
}
