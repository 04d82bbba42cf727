import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// ID tokens that are signed by the issuer's key and still refused, before any key is fetched.
@Suite struct HostileIDTokenTests {
    private static let header = #"{"alg":"RS256","kid":"one"}"#
    private static let claims =
        #""iss":"https://a.example","aud":"app","nonce":"secret-nonce","sub":"secret-1","iat":1800000000,"exp":1800003600"#

    private func validate(_ token: String) async -> (result: Result<IDToken, AuthError>, requests: Int) {
        let transport = ScriptedTransport { _ in try SignedTokens.keys() }
        let validator = IDTokenValidator(
            rules: IDTokenRules(issuers: ["https://a.example"], clientID: "app"),
            keys: IssuerKeys(
                url: URL(literal: "https://a.example/keys"), transport: transport, clock: SignedTokens.clock),
            clock: SignedTokens.clock)
        let context = IDTokenContext(channel: .tokenEndpoint, nonce: Secret("secret-nonce"))
        let result: Result<IDToken, AuthError>
        do throws(AuthError) { result = .success(try await validator.validate(Secret(token), in: context)) } catch {
            result = .failure(error)
        }
        return (result, transport.requests.count)
    }

    private func expectRefusal(
        _ text: String, header: String = header, claims: String = claims,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let token = try SignedTokens.token(header: Data(header.utf8), claims: Data("{\(claims)}".utf8))
        try await expectRefusal(text, of: token, sourceLocation: sourceLocation)
    }

    private func expectRefusal(
        _ text: String, of token: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (result, requests) = await validate(token)
        guard case .failure(let error) = result else {
            Issue.record("The token was taken.", sourceLocation: sourceLocation)
            return
        }
        #expect(error.code == .invalidIDToken && requests == 0, sourceLocation: sourceLocation)
        #expect(error.explanation.contains(text), "\(error.explanation)", sourceLocation: sourceLocation)
        expectNoLeak(of: ["secret-nonce", "secret-1", "eyJ"], in: error, sourceLocation: sourceLocation)
    }

    /// What makes the refusals of the others mean something.
    @Test func goodTokenIsTaken() async throws {
        let token = try SignedTokens.token(header: Data(Self.header.utf8), claims: Data("{\(Self.claims)}".utf8))
        #expect(try await validate(token).result.get().subject == "secret-1")
    }

    @Test func largeTokenIsTakenAndAHugeOneIsRefused() async throws {
        func token(padding: Int) throws -> String {
            let claims = #"{\#(Self.claims),"groups":"\#(String(repeating: "g", count: padding))"}"#
            return try SignedTokens.token(header: Data(Self.header.utf8), claims: Data(claims.utf8))
        }
        #expect(try await validate(try token(padding: 45_000)).result.get().subject == "secret-1")
        try await expectRefusal("larger than 65536 bytes", of: try token(padding: 50_000))
    }

    @Test func headerOfThreeMegabytesIsRefused() async throws {
        let filler = String(repeating: "x", count: 3 << 20)
        try await expectRefusal("larger than 65536 bytes", header: #"{"alg":"RS256","kid":"one","x":"\#(filler)"}"#)
    }

    @Test func nestingBeyondTheLimitIsRefused() async throws {
        let nested = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        try await expectRefusal("at most 64 levels", claims: Self.claims + #","x":\#(nested)"#)
        try await expectRefusal("at most 64 levels", header: #"{"alg":"RS256","x":\#(nested)}"#)
    }

    @Test(arguments: [#"["exp"]"#, "[]", "null", #""exp""#, #"["b64"]"#])
    func criticalHeaderIsRefused(value: String) async throws {
        try await expectRefusal(
            "critical extensions", header: #"{"alg":"RS256","kid":"one","b64":true,"crit":\#(value)}"#)
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"NONE","kid":"one"}"#, #"{"alg":""}"#, #"{"alg":null}"#,
        #"{"alg":["RS256"]}"#, #"{"kid":"one"}"#, #"{"alg":"HS256","kid":"one"}"#, #"{"alg":"RS256 "}"#,
    ])
    func tokenWithoutAnAlgorithmThatIsAllowedIsRefused(header: String) async throws {
        try await expectRefusal("algorithm that is allowed", header: header)
        let unsigned = [header, "{\(Self.claims)}"].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
        try await expectRefusal("algorithm that is allowed", of: "\(unsigned).")
    }

    @Test(arguments: [
        #","sub":"secret-2""#, #","sub":"secret-1""#, #","s\u0075b":"secret-2""#, #","aud":"app""#,
        #","address":{"country":"KR","country":"US"}"#, #","x":[{"a":1,"a":2}]"#, #" , "iss" : "https://a.example""#,
    ])
    func claimThatStandsTwiceIsRefused(repetition: String) async throws {
        try await expectRefusal("a claim or a header member twice", claims: Self.claims + repetition)
    }

    @Test(arguments: [#","alg":"RS256""#, #","kid":"two""#, #","\u0061lg":"none""#])
    func headerMemberThatStandsTwiceIsRefused(repetition: String) async throws {
        try await expectRefusal(
            "a claim or a header member twice", header: #"{"alg":"RS256","kid":"one"\#(repetition)}"#)
    }
}
