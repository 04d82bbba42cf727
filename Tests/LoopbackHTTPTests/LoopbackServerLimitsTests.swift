import Foundation
import TestSupport
import Testing

@testable import LoopbackHTTP

/// Lets this process open that many descriptors, sockets among them.
private func raiseDescriptorLimit(to count: rlim_t) {
    #if canImport(Glibc)
        let descriptors = Int32(RLIMIT_NOFILE.rawValue)
    #else
        let descriptors = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    getrlimit(descriptors, &limit)
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, count))
    setrlimit(descriptors, &limit)
}

/// What a client may not use up.
@Suite(.limitedParallelization) struct LoopbackServerLimitsTests {
    private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    /// Apart from the change no client is slow, however long this machine takes.
    private func server(_ change: (inout LoopbackServer.Limits) -> Void) throws -> LoopbackServer {
        var limits = LoopbackServer.Limits()
        (limits.idleTimeout, limits.requestTimeout) = (.seconds(3_600), .seconds(3_600))
        (limits.lingerTimeout, limits.crowdedTimeout) = (.seconds(3_600), .seconds(3_600))
        change(&limits)
        return try LoopbackServer.start(limits: limits) { _ in .html("answer") }
    }

    @Test(arguments: ["G", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab"])
    func requestThatDoesNotArriveInTimeIsGivenUp(text: String) async throws {
        let server = try server { $0.requestTimeout = .milliseconds(20) }
        let client = try RawClient(port: server.port)
        await client.send(text)
        #expect(await client.receiveAll().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    }

    @Test func idleConnectionIsClosed() async throws {
        let server = try server { $0.idleTimeout = .milliseconds(20) }
        #expect(await (try RawClient(port: server.port)).receiveAll() == "")
    }

    @Test func connectionThatIsIdleAfterAnAnswerIsClosed() async throws {
        let server = try server { $0.idleTimeout = .milliseconds(20) }
        var answer = ""
        // On a busy machine the time may pass before the request is sent, which is the case above.
        while answer.isEmpty {
            let client = try RawClient(port: server.port)
            await client.send(Self.get)
            answer = await client.receiveAll()
        }
        #expect(answer.hasSuffix("Connection: keep-alive\r\n\r\nanswer"))
    }

    @Test func readerThatTakesNothingIsGivenUp() async throws {
        var limits = LoopbackServer.Limits()
        limits.idleTimeout = .milliseconds(20)
        let server = try LoopbackServer.start(limits: limits) { _ in
            LoopbackResponse(status: 200, body: Data(count: 50_000_000))
        }
        var client = try RawClient(port: server.port, receiveBuffer: 4_096)
        await client.send(Self.get)
        // On a busy machine the time may pass before the request is read. Then the connection ends without an answer.
        while await client.receive(until: "200 OK").isEmpty {
            client = try RawClient(port: server.port, receiveBuffer: 4_096)
            await client.send(Self.get)
        }
        // Given up, it stops counting; otherwise this would wait for ever.
        try await wait(for: "the server to give the connection up") { server.connectionCount == 0 }
        #expect(await client.receiveAllBytes().count < 50_000_000 - 65_536)
    }

    @Test func refusalReachesAClientThatIsStillSending() async throws {
        let server = try server {
            $0.maxBodyBytes = 1_000
            // No time-out may end what this is about, however slow the machine.
            $0.lingerTimeout = .seconds(3_600)
        }
        let client = try RawClient(port: server.port)
        await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n")
        // Cut short while it sends, a client may lose the answer that it has not read yet.
        #expect(await client.send([UInt8](repeating: 1, count: 3_000_000)))
        #expect(await client.receiveAll().hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
    }

    @Test func clientThatSendsFarAheadIsHeldBackAndThenAnswered() async throws {
        let server = try LoopbackServer.start { _ in LoopbackResponse(status: 200, body: Data("#".utf8)) }
        let client = try RawClient(port: server.port)
        // More than one read and more than the bound on what is kept ahead.
        let request = "GET /\(String(repeating: "x", count: 4_000)) HTTP/1.1\r\nHost: h\r\n\r\n"
        await client.send(String(repeating: request, count: 200))
        let answer = await client.receive(until: "\r\n\r\n#", times: 200)
        #expect(answer.components(separatedBy: "\r\n\r\n#").count == 201)
    }

    // MARK: More clients than connections

    /// In a process of its own, which may open more descriptors than the tests' usually may.
    @Test func thousandClientsAtOnceAreAllAnswered() async {
        await #expect(processExitsWith: .success) {
            raiseDescriptorLimit(to: 4_096)
            var limits = LoopbackServer.Limits()
            // No client is slow, however long this machine takes.
            (limits.crowdedTimeout, limits.idleTimeout) = (.seconds(3_600), .seconds(3_600))
            let server = try LoopbackServer.start(limits: limits) { _ in .html("answer") }
            let clients = try (0..<1_000).map { _ in try RawClient(port: server.port) }
            for client in clients { await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n") }
            for client in clients { #expect(await client.receiveAll().hasSuffix("\r\n\r\nanswer")) }
        }
    }

    @Test func clientWaitsWhileAllConnectionsAreBusy() async throws {
        let begun = AsyncStream<Void>.makeStream()
        let gate = AsyncStream<Void>.makeStream()
        var limits = LoopbackServer.Limits()
        (limits.maxConnections, limits.crowdedTimeout) = (1, .zero)
        let server = try LoopbackServer.start(limits: limits) { _ in
            begun.continuation.yield()
            for await _ in gate.stream { break }
            return .html("answer")
        }
        let first = try RawClient(port: server.port)
        await first.send(Self.get)
        for await _ in begun.stream { break }
        let second = try RawClient(port: server.port)
        await second.send(Self.get)
        for client in [first, second] {
            gate.continuation.yield()
            #expect(await client.receive(until: "answer").hasSuffix("answer"))
        }
    }

    @Test func responseEndsItsConnectionWhileClientsWait() async throws {
        let server = try server { ($0.maxConnections, $0.crowdedTimeout) = (1, .seconds(3_600)) }
        let first = try RawClient(port: server.port)
        await first.send(Self.get)
        #expect(await first.receive(until: "answer").contains("Connection: keep-alive\r\n"))
        let second = try RawClient(port: server.port)
        await second.send(Self.get)
        var answer = ""
        // The server may take a moment to see the second client.
        while !answer.contains("Connection: close\r\n") {
            await first.send(Self.get)
            answer = await first.receive(until: "answer")
            try #require(answer.hasSuffix("answer"))
        }
        #expect(await second.receive(until: "answer").hasSuffix("answer"))
    }

    @Test(arguments: ["", "GET / HTTP/1.1\r\nHo"])
    func clientWithoutACompleteRequestGivesWay(part: String) async throws {
        let server = try server { ($0.maxConnections, $0.crowdedTimeout) = (3, .zero) }
        let slow = try (0..<3).map { _ in try RawClient(port: server.port) }
        for client in slow { await client.send(part) }
        let next = try RawClient(port: server.port)
        await next.send(Self.get)
        #expect(await next.receive(until: "answer").hasSuffix("answer"))
        var refusals: [String] = []
        for client in slow {
            await client.send(Self.get.dropFirst(part.count).description)
            let answer = await client.receive(until: "\r\n\r\n")
            if !answer.hasPrefix("HTTP/1.1 200 OK\r\n") { refusals.append(answer) }
        }
        // One gave way, and no other.
        let refusal = try #require(refusals.first)
        #expect(refusals.count == 1)
        #expect(refusal.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(refusal.contains("Retry-After: 1\r\n") && refusal.contains("Connection: close\r\n"))
    }

    @Test func connectionThatIsIdleForLongestGivesWay() async throws {
        let server = try server { ($0.maxConnections, $0.crowdedTimeout) = (2, .zero) }
        let first = try RawClient(port: server.port)
        let second = try RawClient(port: server.port)
        for client in [first, second, first] {
            await client.send(Self.get)
            #expect(await client.receive(until: "answer").hasSuffix("answer"))
        }
        let third = try RawClient(port: server.port)
        await third.send(Self.get)
        #expect(await third.receive(until: "answer").hasSuffix("answer"))
        // A response would be taken for the next request's.
        #expect(await second.receiveAll() == "")
        await first.send(Self.get)
        #expect(await first.receive(until: "answer").hasSuffix("answer"))
    }
}
