import AuthStreamsTesting
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import AuthStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limitedParallelization) struct URLSessionTransportFailureTests {
    private func failure(
        of request: AuthHTTPRequest, by transport: URLSessionTransport = URLSessionTransport.untimed()
    ) async throws -> AuthError {
        try #require(await #expect(throws: AuthError.self) { _ = try await transport.send(request) })
    }

    @Test func anAnswerAnnouncedAsTooLargeIsRefused() async throws {
        let server = try LoopbackServer.start { _ in LoopbackResponse(status: 200, body: Data(count: 10 << 20)) }
        let error = try await failure(of: AuthHTTPRequest(.get, server.url("/")))
        #expect(error.code == .invalidResponse)
        #expect(error.explanation.contains("1048576") && error.explanation.contains("maximumResponseBytes"))
    }

    @Test func anAnswerThatGrowsTooLargeIsCutOff() async throws {
        // 100,000 zeros in 133 bytes: the announced length says nothing.
        let bomb = try #require(Data(base64Encoded: Self.hundredThousandZeros))
        let server = try LoopbackServer.start { _ in
            LoopbackResponse(status: 200, headers: [("Content-Encoding", "gzip")], body: bomb)
        }
        var request = AuthHTTPRequest(.get, server.url("/"), maximumResponseBytes: 100_000)
        #expect(try await URLSessionTransport.untimed().send(request).body.count == 100_000)
        request.maximumResponseBytes = 99_999
        let error = try await failure(of: request)
        #expect(error.code == .invalidResponse)
        #expect(error.explanation.contains("99999") && error.explanation.contains("maximumResponseBytes"))
    }

    @Test func anAnswerOfExactlyTheLimitIsAccepted() async throws {
        let server = try LoopbackServer.start { _ in LoopbackResponse(status: 200, body: Data(count: 1_000)) }
        let request = AuthHTTPRequest(.get, server.url("/"), maximumResponseBytes: 1_000)
        #expect(try await URLSessionTransport.untimed().send(request).body.count == 1_000)
        let smaller = AuthHTTPRequest(.get, server.url("/"), maximumResponseBytes: 999)
        #expect(try await failure(of: smaller).code == .invalidResponse)
    }

    @Test(arguments: [
        LoopbackResponse.dropConnection, .truncated(.html("half of it"), afterBodyBytes: 4),
        .truncated(.html("none of it"), afterBodyBytes: 0),
    ])
    func aCutConnectionIsNetworkTrouble(response: LoopbackResponse) async throws {
        let server = try LoopbackServer.start { _ in response }
        let error = try await failure(of: AuthHTTPRequest(.post, server.url("/"), body: Data("x".utf8)))
        #expect(error.code == .network)
        #expect(error.isRetryable)
    }

    @Test func failuresOfAConnectionHaveExplanationsOfTheirOwn() async throws {
        let words: [(URLError.Code, String)] = [
            (.cannotFindHost, "host's name"), (.dnsLookupFailed, "host's name"),
            (.cannotConnectToHost, "could not be connected to"), (.serverCertificateUntrusted, "certificate"),
            (.serverCertificateHasBadDate, "certificate"), (.notConnectedToInternet, "no connection"),
            (.networkConnectionLost, "ended before"),
        ]
        for (code, word) in words {
            let error = AuthError(transportFailure: URLError(code))
            #expect(error.code == .network && error.explanation.contains(word), "\(code)")
        }
        // A server without TLS, which the client takes for one with it.
        let server = try LoopbackServer.start { _ in .html("") }
        var url = try #require(URLComponents(url: server.url("/"), resolvingAgainstBaseURL: false))
        url.scheme = "https"
        let error = try await failure(of: AuthHTTPRequest(.get, try #require(url.url)))
        #expect(error.code == .network && error.explanation.contains("certificate"), "\(error.debugDescription)")
    }

    @Test func nobodyListeningIsNetworkTroubleAndTheErrorHasNoQuery() async throws {
        let port = try UInt16.unsharedPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/token?code=s3cr3t#s3cr3t"))
        let error = try await failure(of: AuthHTTPRequest(.get, url, headers: [.authorization: "Bearer s3cr3t"]))
        #expect(error.code == .network)
        #expect(error.cause?.domain == "NSURLErrorDomain")
        #expect(error.explanation.contains("could not be connected to"))
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!(dumped + error.debugDescription + "\(error)").contains("s3cr3t"))
    }

    @Test func anAnswerThatDoesNotComeInTimeIsTimedOut() async throws {
        let clock = ManualClock()
        let server = try LoopbackServer.start { _ in
            _ = await Promise<Void>().value()
            return .dropConnection
        }
        let transport = URLSessionTransport(clock: clock.authClock(startingAt: .distantPast))
        async let error = failure(of: AuthHTTPRequest(.get, server.url("/"), timeout: .seconds(70)), by: transport)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(70))
        #expect(try await error.code == .timedOut)
    }

    @Test func anAnswerInTimeLeavesNoTimerBehind() async throws {
        let clock = ManualClock()
        let server = try LoopbackServer.start { _ in .html("") }
        let transport = URLSessionTransport(clock: clock.authClock(startingAt: .distantPast))
        _ = try await transport.send(AuthHTTPRequest(.get, server.url("/")))
        #expect(clock.sleeperCount == 0)
    }

    @Test func cancellingEndsTheAttemptAndTheConnection() async throws {
        let (arrived, gone) = (Promise<Void>(), Promise<Void>())
        let server = try LoopbackServer.start { _ in
            arrived.resolve(())
            // Cancelled when the client goes away.
            _ = await Promise<Void>().value()
            gone.resolve(())
            return .dropConnection
        }
        let transport = URLSessionTransport.untimed()
        let attempt = Task { try await failure(of: AuthHTTPRequest(.get, server.url("/")), by: transport) }
        await arrived.value()
        attempt.cancel()
        #expect(try await attempt.value.code == .cancelled)
        await gone.value()
        #expect(gone.current != nil)
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let count = Lock(0)
        let server = try LoopbackServer.start { _ in
            count.withLock { $0 += 1 }
            return .html("")
        }
        let attempt = Task {
            _ = await Promise<Void>().value()
            return try await failure(of: AuthHTTPRequest(.get, server.url("/")))
        }
        attempt.cancel()
        #expect(try await attempt.value.code == .cancelled)
        #expect(count.withLock { $0 } == 0)
    }

    @Test func lettingGoOfATransportEndsItsSession() async throws {
        let server = try LoopbackServer.start { _ in .html("") }
        var transport: URLSessionTransport? = URLSessionTransport.untimed()
        weak let reference = transport
        _ = try await transport?.send(AuthHTTPRequest(.get, server.url("/")))
        let invalidated = try #require(transport?.invalidated)
        transport = nil
        await invalidated.value()
        #expect(reference == nil)
        #expect(invalidated.current != nil)
    }

    @Test func aTransportThatSentNothingHasNoSessionToEnd() throws {
        var transport: URLSessionTransport? = URLSessionTransport.untimed()
        let invalidated = try #require(transport?.invalidated)
        transport = nil
        #expect(invalidated.current != nil)
    }

    private static let hundredThousandZeros =
        "H4sIAAAAAAACA+3BMQEAAADCoErrn84aHkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAArwaFwk3FoIYBAA=="
}
