import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

/// Success answers of a token endpoint with members that are not what RFC 6749 section 5.1 says.
@Suite struct HostileTokenResponseTests {
    private func answer(_ members: String) async throws -> TokenResponse {
        let transport = ScriptedTransport { _ in .text(#"{"access_token":"secret-access"\#(members)}"#) }
        return try await TokenEndpoint(url: URL(literal: "https://a.example/token"), transport: transport)
            .send([("code", "secret-code")])
    }

    /// A lifetime is optional, so a senseless one does not end the sign-in; but it is never used.
    @Test(
        arguments: [
            (#", "expires_in": 1"#, 1), (#", "expires_in": "3600""#, 3600), (#", "expires_in": 3.6e3"#, 3600),
            (#", "expires_in": 31536000"#, 31_536_000), ("", nil), (#", "expires_in": null"#, nil),
            (#", "expires_in": 31536001"#, nil), (#", "expires_in": 1e18"#, nil), (#", "expires_in": "1e18""#, nil),
            (#", "expires_in": 1000000000000000000"#, nil), (#", "expires_in": 9223372036854775807"#, nil),
            (#", "expires_in": 9223372036854775808"#, nil), (#", "expires_in": "9223372036854775808""#, nil),
            (#", "expires_in": 1e300"#, nil), (#", "expires_in": 1800003600000"#, nil), (#", "expires_in": 0"#, nil),
            (#", "expires_in": -1"#, nil), (#", "expires_in": "-3600""#, nil), (#", "expires_in": -1e18"#, nil),
            (#", "expires_in": 3600.5"#, nil), (#", "expires_in": "soon""#, nil), (#", "expires_in": """#, nil),
            (#", "expires_in": true"#, nil), (#", "expires_in": [3600]"#, nil), (#", "expires_in": {}"#, nil),
        ] as [(String, Int?)])
    func lifetimeIsAtMostAYear(members: String, seconds: Int?) async throws {
        #expect(try await answer(members).expiresIn == seconds.map { .seconds($0) })
    }

    @Test(arguments: ["", #", "token_type": null"#, #", "token_type": "bearer""#, #", "token_type": "bEaReR""#])
    func bearerTokenIsTaken(members: String) async throws {
        #expect(try await answer(members).accessToken == Secret("secret-access"))
    }

    @Test(arguments: [#""mac""#, #""DPoP""#, #""N_A""#, #""""#, #""bearer ""#, "7", "true", #"["bearer"]"#, "{}"])
    func tokenOfAnotherTypeIsRefused(type: String) async throws {
        let error = try await #require(throws: AuthError.self) { _ = try await answer(#", "token_type": \#(type)"#) }
        #expect(error.code == .invalidResponse && error.explanation.contains("not a bearer token (token_type)"))
        expectNoLeak(of: ["secret-access", "secret-code"], in: error)
    }
}
