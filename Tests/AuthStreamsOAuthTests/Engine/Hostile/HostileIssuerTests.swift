import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// Identifiers and metadata that name another issuer than the one that is meant.
@Suite struct HostileIssuerTests {
    private func failure(
        of name: String, document: [String: AuthJSON] = [:]
    ) async throws -> (error: AuthError, requests: Int) {
        let good: [String: AuthJSON] = [
            "issuer": .string(name), "authorization_endpoint": "https://id.example/auth",
            "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
        ]
        let transport = ScriptedTransport { _ in try .json(.object(good.merging(document) { $1 })) }
        let error = try await #require(throws: AuthError.self) {
            _ = try await Issuer(name, transport: transport, clock: SignedTokens.clock).current()
        }
        return (error, transport.requests.count)
    }

    @Test(arguments: [
        "http://id.example", "http://127.0.0.2:8080", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
        "http://evil.example/127.0.0.1", "https://id.example?realm=app", "https://id.example/?", "https://id.example#a",
        "https://a:b@id.example", "//id.example", "https://",
    ])
    func identifierThatIsNoIssuersSendsNothing(name: String) async throws {
        let (error, requests) = try await failure(of: name)
        #expect(error.code == .misconfigured && requests == 0)
        #expect(error.explanation.contains("https URL without query and fragment"))
    }

    @Test(arguments: ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"])
    func issuerOnThisMachineNeedsNoHTTPS(name: String) async throws {
        let document: AuthJSON = [
            "issuer": .string(name), "authorization_endpoint": .string("\(name)/auth"),
            "token_endpoint": .string("\(name)/token"), "jwks_uri": .string("\(name)/keys"),
        ]
        let transport = ScriptedTransport { _ in try .json(document) }
        let issuer = Issuer(name, transport: transport, clock: SignedTokens.clock)
        #expect(try await issuer.current().metadata.tokenEndpoint?.absoluteString == "\(name)/token")
    }

    @Test(
        arguments: [
            ("https://id.example", "https://id.example/"), ("https://id.example/", "https://id.example"),
            ("https://id.example", "https://evil.example"), ("https://id.example", "http://id.example"),
            ("https://id.example", "https://id.example:443"), ("https://id.example", "HTTPS://id.example"),
            ("https://id.example/a", "https://id.example/A"), ("https://id.example", ""),
            ("https://id.example", nil), ("https://id.example", ["https://id.example"]), ("https://id.example", 7),
        ] as [(String, AuthJSON?)])
    func documentOfAnotherIssuerIsRefused(name: String, issuer: AuthJSON?) async throws {
        let (error, _) = try await failure(of: name, document: ["issuer": issuer ?? .null])
        #expect(error.code == .issuerMismatch && error.explanation.contains("character by character"))
    }

    @Test(
        arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"],
        [
            "http://id.example/x", "http://127.0.0.1/x", "https://a@id.example/x", "https://id.example/x#y", "/x", "",
            7, ["https://id.example/x"],
        ] as [AuthJSON])
    func endpointThatOthersCouldReadIsRefused(name: String, url: AuthJSON) async throws {
        let (error, _) = try await failure(of: "https://id.example", document: [name: url])
        #expect(error.code == .invalidResponse && error.explanation.contains("`\(name)`"))
    }

    /// Several URLs are asked before the first sign-in: the error says which one answered what.
    @Test(arguments: [
        (404, AuthError.Code.invalidResponse), (302, .invalidResponse), (200, .invalidResponse),
        (429, .rateLimited), (503, .server),
    ])
    func errorOfADocumentSaysWhereAndWhen(status: Int, code: AuthError.Code) async throws {
        let transport = ScriptedTransport { _ in .text("<html>", status: status, headers: [.retryAfter: "7"]) }
        let metadata = try await #require(throws: AuthError.self) {
            _ = try await Issuer("https://id.example/a", transport: transport, clock: SignedTokens.clock).current()
        }
        let keys = try await #require(throws: AuthError.self) {
            let keys = IssuerKeys(
                url: URL(literal: "https://id.example/keys?key=secret"), transport: transport, clock: SignedTokens.clock
            )
            if let failure = await keys.verdict(onKey: nil, algorithm: .rs256, { _ in true }).failure { throw failure }
        }
        #expect(metadata.explanation.contains("https://id.example/a/.well-known/openid-configuration"))
        #expect(keys.explanation.contains("https://id.example/keys"))
        for error in [metadata, keys] {
            #expect(error.code == code && error.explanation.contains("\(status)"))
            #expect(error.retryAfter == .seconds(7))
            expectNoLeak(of: ["secret"], in: error)
        }
    }

    @Test func documentThatNamesAMemberTwiceIsRefused() async throws {
        let text = """
            {"issuer": "https://evil.example", "authorization_endpoint": "https://id.example/auth",
            "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
            "iss\\u0075er": "https://id.example"}
            """
        let issuer = Issuer(
            "https://id.example", transport: ScriptedTransport { _ in .text(text) }, clock: SignedTokens.clock)
        let error = try await #require(throws: AuthError.self) { _ = try await issuer.current() }
        #expect(error.code == .invalidResponse && error.explanation.contains("name a member twice"))
    }
}
