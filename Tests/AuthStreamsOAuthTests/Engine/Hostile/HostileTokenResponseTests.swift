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

    private static let year = 31_536_000.0

    /// A lifetime is optional, so one that is no number does not end the sign-in; but it is never used.
    @Test(
        arguments: [
            ("1", 1), (#""3600""#, 3600), ("3.6e3", 3600), ("299.75", 299.75), (#""300.0""#, 300),
            (#""299.75""#, 299.75),
            ("0", 0), ("-1", 0), (#""-3600""#, 0), ("-1e18", 0), ("0.0", 0), ("31536000", year), ("31536001", year),
            ("1e18", year), (#""1e18""#, year), ("9223372036854775807", year), ("9223372036854775808", year),
            (#""9223372036854775808""#, year), ("1e300", year), (#""1e999""#, year), (#""-1e999""#, 0),
            ("1800003600000", year), ("null", nil), (#""soon""#, nil), (#""""#, nil), (#""nan""#, nil),
            (#""inf""#, nil),
            (#""0x10""#, nil), (#"" 300""#, nil), ("true", nil), ("[3600]", nil), ("{}", nil),
        ] as [(String, Double?)])
    func lifetimeIsFromNowToAYear(value: String, seconds: Double?) async throws {
        #expect(try await answer(#", "expires_in": \#(value)"#).expiresIn == seconds.map { .seconds($0) })
    }

    @Test func numberThatJSONCannotWriteTrapsNowhere() {
        #expect(AuthJSON.number(.nan).lifetime == nil)
        #expect(AuthJSON.number(.infinity).lifetime == .seconds(Self.year))
        #expect(AuthJSON.number(-.infinity).lifetime == .zero)
    }

    /// RFC 6749 appendices A.12 and A.17: a token is printable ASCII. A line break would end the header field that it is
    /// sent in.
    @Test(
        arguments: ["access_token", "refresh_token", "id_token"],
        [#""secret\r\nX: y""#, #""secret\u0000""#, #""secret\u007f""#, #""secret-é""#, #""secret\t""#, #""  ""#, "7"])
    func tokenThatIsNotPrintableASCIIIsRefused(name: String, value: String) async throws {
        let members = ["access_token": #""secret-access""#].merging([name: value]) { $1 }
            .map { #""\#($0.key)": \#($0.value)"# }
        let transport = ScriptedTransport { _ in .text("{\(members.joined(separator: ", "))}") }
        let endpoint = TokenEndpoint(url: URL(literal: "https://a.example/token"), transport: transport)
        let error = try await #require(throws: AuthError.self) { _ = try await endpoint.send([]) }
        #expect(error.code == .invalidResponse && error.explanation.contains("'\(name)'"))
        expectNoLeak(of: ["secret"], in: error)
    }

    @Test func printableASCIIIsAToken() async throws {
        let transport = ScriptedTransport { _ in .text(#"{"access_token": " a~!\"b", "refresh_token": null}"#) }
        let endpoint = TokenEndpoint(url: URL(literal: "https://a.example/token"), transport: transport)
        #expect(try await endpoint.send([]).accessToken == Secret(#" a~!"b"#))
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
