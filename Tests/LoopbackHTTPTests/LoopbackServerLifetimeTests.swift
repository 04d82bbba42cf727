import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import LoopbackHTTP

/// How connections, handlers and servers end.
@Suite(.limitedParallelization) struct LoopbackServerLifetimeTests {
    private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    /// A handler that tells when it has begun and when it was cancelled, and ends with an answer then.
    private struct Waiting: Sendable {
        let begun = AsyncStream<Void>.makeStream()
        let cancelled = AsyncStream<Void>.makeStream()
        private let never = AsyncStream<Never>.makeStream()

        @Sendable func handle(_ request: LoopbackRequest) async -> LoopbackResponse {
            begun.continuation.yield()
            for await _ in never.stream {}
            if Task.isCancelled { cancelled.continuation.yield() }
            return .html("cancelled")
        }
    }

    /// Waits until the signal is given.
    ///
    /// - Returns: Whether it was given before the test was cancelled.
    @discardableResult
    private static func first(
        _ signal: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    ) async -> Bool {
        for await _ in signal.stream { return true }
        return false
    }

    @Test(arguments: [true, false]) func handlerIsCancelledWhenItsClientGoes(orderly: Bool) async throws {
        let waiting = Waiting()
        let server = try LoopbackServer.start { await waiting.handle($0) }
        var client: RawClient? = try RawClient(port: server.port)
        await client?.send(Self.get)
        await Self.first(waiting.begun)
        if !orderly { await client?.reset() }
        client = nil
        #expect(await Self.first(waiting.cancelled))
    }

    @Test func handlerIsCancelledWhenTheServerStops() async throws {
        let waiting = Waiting()
        let server = try LoopbackServer.start { await waiting.handle($0) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        await Self.first(waiting.begun)
        server.stop()
        #expect(await Self.first(waiting.cancelled))
        #expect(await client.receiveAll() == "")
    }

    @Test func clientThatOnlyStopsSendingStillGetsItsAnswer() async throws {
        let server = try LoopbackServer.start { _ in .html("answer") }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        await client.endOutput()
        #expect(await client.receiveAll().hasSuffix("\r\n\r\nanswer"))
    }

    @Test func releasingTheServerStopsItAndFreesTheHandler() async throws {
        final class Witness: Sendable {
            let freed = Promise<Void>()
            deinit { freed.resolve(()) }
        }
        weak var witness: Witness?
        let freed: Promise<Void>
        var server: LoopbackServer?
        do {
            let captured = Witness()
            witness = captured
            freed = captured.freed
            server = try LoopbackServer.start(port: .unsharedPort()) { [captured] _ in .html("\(captured)") }
        }
        let port = try #require(server).port
        let client = try RawClient(port: port)
        await client.send(Self.get)
        _ = await client.receive(until: "Witness")
        #expect(witness != nil)
        server = nil
        #expect(await client.receiveAll() == "")
        await freed.value()
        #expect(throws: RawClient.ConnectError.self) { try RawClient(port: port) }
    }

    @Test func stoppingFreesAHandlerThatHoldsItsServer() throws {
        weak var weakServer: LoopbackServer?
        do {
            let holder = Lock<LoopbackServer?>(nil)
            let server = try LoopbackServer.start { _ in
                holder.withLock { .html("\($0 == nil)") }
            }
            holder.withLock { $0 = server }
            weakServer = server
        }
        #expect(weakServer != nil)
        weakServer?.stop()
        #expect(weakServer == nil)
    }

    @Test func responsesUnderWayGoOutBeforeTheServerStops() async throws {
        let begun = AsyncStream<Void>.makeStream()
        let gate = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer.start(port: .unsharedPort()) { request in
            guard request.path == "/slow" else { return .html("quick") }
            begun.continuation.yield()
            for await _ in gate.stream { break }
            return .html("slow")
        }
        let idle = try RawClient(port: server.port)
        await idle.send(Self.get)
        _ = await idle.receive(until: "quick")
        let slow = try RawClient(port: server.port)
        await slow.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
        await Self.first(begun)

        async let stopped: Void = server.stopAfterResponses()
        #expect(await idle.receiveAll() == "")
        #expect(throws: RawClient.ConnectError.self) { try RawClient(port: server.port) }
        gate.continuation.yield()
        #expect(await slow.receiveAll().hasSuffix("Connection: close\r\n\r\nslow"))
        await stopped
        #expect(server.connectionCount == 0)
        await server.stopAfterResponses()
    }

    @Test func largeResponseBeingWrittenGoesOutBeforeTheServerStops() async throws {
        let server = try LoopbackServer.start { _ in
            LoopbackResponse(status: 200, body: Data(repeating: 7, count: 10_000_000))
        }
        let client = try RawClient(port: server.port, receiveBuffer: 4_096)
        await client.send(Self.get)
        let head = await client.receive(until: "\r\n\r\n")
        async let stopped: Void = server.stopAfterResponses()
        let rest = await client.receiveAllBytes()
        // The first read may have brought some of the body with the head.
        #expect(head.utf8.filter { $0 == 7 }.count + rest.count == 10_000_000)
        await stopped
    }

    @Test func stoppingAfterResponsesEndsWithItsCallersTask() async throws {
        let waiting = Waiting()
        let server = try LoopbackServer.start { await waiting.handle($0) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        await Self.first(waiting.begun)
        let stopping = Task { await server.stopAfterResponses() }
        stopping.cancel()
        await stopping.value
        #expect(await client.receiveAll() == "")
    }

    @Test func stoppingAfterResponsesIsBounded() async throws {
        let waiting = Waiting()
        var limits = LoopbackServer.Limits()
        limits.requestTimeout = .milliseconds(20)
        let server = try LoopbackServer.start(limits: limits) { await waiting.handle($0) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        await Self.first(waiting.begun)
        await server.stopAfterResponses()
        #expect(await Self.first(waiting.cancelled))
    }
}
