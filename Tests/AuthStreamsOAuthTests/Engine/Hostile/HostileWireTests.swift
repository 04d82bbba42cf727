import AuthStreams
import AuthStreamsTesting
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// Hostile answers of every endpoint that a sign-in asks, over real sockets.
@Suite(.limitedParallelization, .enabled(if: Signatures.isAvailable)) struct HostileWireTests {
    typealias Endpoint = HostileIssuer.Endpoint

    /// What makes the failures of the others mean something.
    @Test func goodIssuerSignsInAndTheSessionIsStored() async throws {
        let issuer = try HostileIssuer(nil)
        #expect(try await issuer.signIn().id == "hostile:1001")
        #expect(try await issuer.store.read(.session).data != nil)
    }

    @Test(arguments: Endpoint.allCases) func pageInPlaceOfJSONIsRefused(endpoint: Endpoint) async throws {
        let issuer = try HostileIssuer(endpoint) { _ in .html("<!doctype html><p>secret-page") }
        try await issuer.expectFailure(.invalidResponse, saying: "not a JSON object")
    }

    @Test(arguments: Endpoint.allCases, [301, 302, 303, 307, 308])
    func redirectIsNotFollowed(endpoint: Endpoint, status: Int) async throws {
        let reached = Lock(0)
        let elsewhere = try LoopbackServer.start { _ in
            reached.withLock { $0 += 1 }
            return .json(Data("{}".utf8))
        }
        let issuer = try HostileIssuer(endpoint) { [port = elsewhere.port] _ in
            .redirect(to: "http://127.0.0.1:\(port)/secret-place", status: status)
        }
        try await issuer.expectFailure(.invalidResponse, saying: "which is never followed")
        #expect(reached.withLock { $0 } == 0 && issuer.count == 1)
    }

    @Test(arguments: Endpoint.allCases) func redirectLoopIsAskedOnce(endpoint: Endpoint) async throws {
        let issuer = try HostileIssuer(endpoint) { .redirect(to: $0.target, status: 307) }
        try await issuer.expectFailure(.invalidResponse, saying: "which is never followed")
        #expect(issuer.count == 1)
    }

    @Test(arguments: Endpoint.allCases) func tenMegabytesAreNotRead(endpoint: Endpoint) async throws {
        let issuer = try HostileIssuer(endpoint) { _ in .json(Data(repeating: UInt8(ascii: " "), count: 10 << 20)) }
        try await issuer.expectFailure(.invalidResponse, saying: "larger than the 1048576 bytes")
    }

    @Test(arguments: Endpoint.allCases, [(#"{"a":"#, "}"), ("[", "]")])
    func documentNestedAHundredThousandDeepIsRefused(endpoint: Endpoint, brackets: (open: String, close: String))
        async throws
    {
        let (open, close) = brackets
        let text = String(repeating: open, count: 100_000) + "1" + String(repeating: close, count: 100_000)
        let issuer = try HostileIssuer(endpoint) { _ in .json(Data(text.utf8)) }
        try await issuer.expectFailure(.invalidResponse, saying: "JSON object of at most 64 levels")
    }

    @Test(arguments: Endpoint.allCases) func cutAnswerIsRefused(endpoint: Endpoint) async throws {
        let issuer = try HostileIssuer(endpoint) { _ in
            .truncated(.json(Data(#"{"access_token":"secret-access"}"#.utf8)), afterBodyBytes: 20)
        }
        try await issuer.expectFailure(.network, saying: "No complete answer")
    }

    @Test(arguments: Endpoint.allCases) func hangingAnswerEndsAtTheTimeLimit(endpoint: Endpoint) async throws {
        let (arrived, left) = (Promise<Void>(), Promise<Void>())
        let issuer = try HostileIssuer(endpoint) { _ in
            arrived.resolve(())
            // Cancelled when the client leaves.
            _ = await Promise<Void>().value()
            left.resolve(())
            return .dropConnection
        }
        async let failure: Void = issuer.expectFailure(.timedOut, saying: "within 30.0 seconds")
        await arrived.value()
        await issuer.time.waitForSleepers(count: 1)
        issuer.time.advance(by: .seconds(30))
        try await failure
        await left.value()
    }

    #if !AUTH_DARWIN
        /// The limit is that of the whole exchange: bytes that keep coming do not extend it.
        @Test(arguments: Endpoint.allCases) func drippingAnswerEndsAtTheTimeLimit(endpoint: Endpoint) async throws {
            let dripping = try DrippingServer()
            let issuer = try HostileIssuer(endpoint, at: "http://127.0.0.1:\(dripping.port)")
            async let failure: Void = issuer.expectFailure(.timedOut, saying: "within 30.0 seconds")
            await dripping.dripped.value()
            await issuer.time.waitForSleepers(count: 1)
            issuer.time.advance(by: .seconds(29))
            issuer.time.advance(by: .seconds(1))
            try await failure
            await dripping.left.value()
        }

        /// In a process of its own, because the proxy is named in the environment.
        @Test func plainHTTPToThisMachineDoesNotGoToAProxy() async {
            await #expect(processExitsWith: .success) {
                let asked = Lock(0)
                let server = try LoopbackServer.start { _ in
                    asked.withLock { $0 += 1 }
                    return .json(Data("{}".utf8))
                }
                setenv("http_proxy", "http://127.0.0.1:\(server.port)", 1)
                setenv("no_proxy", "", 1)
                let base = "http://127.0.0.1:\(server.port)"
                let transport = URLSessionTransport.untimed()
                let keys = IssuerKeys(url: URL(literal: "http://[::1]:1/keys"), transport: transport, clock: .system)
                let token = TokenEndpoint(url: URL(literal: "http://localhost:1/token"), transport: transport)
                func expectRefusal(_ body: () async throws -> Void) async throws {
                    let error = try await #require(throws: AuthError.self) { try await body() }
                    #expect(error.code == .misconfigured && error.explanation.contains("http_proxy"))
                    expectNoLeak(of: ["secret-code"], in: error)
                }
                try await expectRefusal {
                    _ = try await Issuer(base, transport: transport, clock: .system).current()
                }
                try await expectRefusal {
                    if let failure = await keys.verdict(onKey: nil, algorithm: .rs256, { _ in true }).failure {
                        throw failure
                    }
                }
                try await expectRefusal { _ = try await token.send([("code", "secret-code")]) }
                #expect(asked.withLock { $0 } == 0)
            }
        }
    #endif
}
