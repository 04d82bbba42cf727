import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import LoopbackHTTP

/// Responses whose body has no known end.
@Suite(.limitedParallelization) struct LoopbackContinuedTests {
    private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    /// A source of bytes that a test fills, and that says when it was cancelled.
    private struct Source: Sendable {
        let bytes = AsyncStream<Data>.makeStream()
        let cancelled = Promise<Bool>()

        @Sendable func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            .continued(LoopbackResponse(status: 200, body: Data("start ".utf8))) { [stream = bytes.stream, cancelled] in
                for await next in stream { return next }
                cancelled.resolve(Task.isCancelled)
                return nil
            }
        }
    }

    @Test func clientReadsWhatComesUntilTheEnd() async throws {
        let source = Source()
        let server = try LoopbackServer.start { source.answer($0) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        let head = await client.receive(until: "start ")
        #expect(head.contains("Connection: close\r\n\r\n") && !head.contains("Content-Length"))
        for word in ["one", "two"] {
            source.bytes.continuation.yield(Data(word.utf8))
            #expect(await client.receive(until: word) == word)
        }
        source.bytes.continuation.finish()
        #expect(await client.receiveAll() == "")
    }

    @Test func headAloneIsSentToHEAD() async throws {
        let source = Source()
        let server = try LoopbackServer.start { source.answer($0) }
        let answer = try await RawClient.exchange(
            "HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: server.port)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: [true, false]) func sourceIsCancelledWhenTheClientIsGone(orderly: Bool) async throws {
        let source = Source()
        let server = try LoopbackServer.start { source.answer($0) }
        var client: RawClient? = try RawClient(port: server.port)
        await client?.send(Self.get)
        _ = await client?.receive(until: "start ")
        if !orderly { await client?.reset() }
        client = nil
        #expect(await source.cancelled.value() == true)
        #expect(server.port > 0)
    }

    @Test func serverThatStopsEndsIt() async throws {
        let source = Source()
        let server = try LoopbackServer.start { source.answer($0) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        _ = await client.receive(until: "start ")
        server.stop()
        #expect(await client.receiveAll() == "")
        #expect(await source.cancelled.value() == true)
    }

    @Test func clientThatDoesNotReadIsWaitedForAndHoldsUpNoOther() async throws {
        let (calls, block) = (Lock(0), Data(count: 65_536))
        let full = Promise<Void>()
        var limits = LoopbackServer.Limits()
        limits.idleTimeout = .seconds(3_600)
        let server = try LoopbackServer.start(limits: limits) { request in
            guard request.path == "/endless" else { return .html("other") }
            return .continued(LoopbackResponse(status: 200)) {
                calls.withLock { $0 += 1 }
                full.resolve(())
                return block
            }
        }
        let client = try RawClient(port: server.port, receiveBuffer: 4_096)
        await client.send("GET /endless HTTP/1.1\r\nHost: h\r\n\r\n")
        await full.value()
        // Each answer of the other connection gives the first one a turn.
        for _ in 0..<200 {
            let other = try await RawClient.exchange(
                "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: server.port)
            #expect(other.hasSuffix("other"))
        }
        // What the system buffers is some megabytes at most.
        #expect(calls.withLock { $0 } < 1_000)
    }
}
