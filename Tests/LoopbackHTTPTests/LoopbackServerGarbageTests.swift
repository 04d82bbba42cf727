import Foundation
import TestSupport
import Testing

@testable import LoopbackHTTP

/// Clients that send anything at all.
@Suite(.limitedParallelization) struct LoopbackServerGarbageTests {
    private static let samples = [
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        "GET http://[::1 HTTP/1.1\r\nHost: h\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n", "\n\n\n\n", "\0",
        "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 5_000) + "\r\n",
    ].map { Array($0.utf8) }

    /// Opens connections that send a well-known mistake or random bytes, and leave in each possible way.
    private static func sendGarbage(connections: Int, port: UInt16) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<connections {
                if number >= 16 { try await group.next() }
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(number))
                    let bytes =
                        number.isMultiple(of: 2)
                        ? samples[number / 2 % samples.count]
                        : (0..<Int.random(in: 0...2_000, using: &random)).map { _ in
                            UInt8.random(in: .min ... .max, using: &random)
                        }
                    let client = try RawClient(port: port)
                    await client.send(bytes)
                    switch number % 3 {
                    case 0:
                        await client.endOutput()
                        _ = await client.receiveAllBytes()
                    case 1: await client.reset()
                    default: break
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func serverStillAnswersAfterFiveHundredGarbageConnections() async throws {
        var limits = LoopbackServer.Limits()
        // No time-out does the work: a connection ends because its client has left.
        limits.requestTimeout = .seconds(3_600)
        limits.idleTimeout = .seconds(3_600)
        let server = try LoopbackServer.start(limits: limits) { _ in .html("alive") }
        try await Self.sendGarbage(connections: 500, port: server.port)
        let answer = try await RawClient.exchange(
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: server.port)
        #expect(answer.hasSuffix("alive"))
        try await wait(for: "all connections to end") { server.connectionCount == 0 }
    }

    /// In a process of its own, where no other code opens descriptors.
    @Test func noDescriptorIsLeaked() async throws {
        await #expect(processExitsWith: .success) {
            func openDescriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
            }
            func round() async throws {
                let server = try LoopbackServer.start { _ in .html("alive") }
                let idle = try RawClient(port: server.port)
                try await LoopbackServerGarbageTests.sendGarbage(connections: 60, port: server.port)
                server.stop()
                withExtendedLifetime(idle) {}
            }
            // The first round also opens what the runtime keeps for good.
            try await round()
            let before = try openDescriptors()
            for _ in 0..<5 { try await round() }
            // Sockets close on queues of their own, a moment after the stop. A leak would be waited for in vain.
            try await wait(for: "the sockets of the stopped servers to be closed") { try openDescriptors() <= before }
        }
    }
}
