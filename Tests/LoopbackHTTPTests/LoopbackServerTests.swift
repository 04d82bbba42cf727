import Foundation
import TestSupport
import Testing

@testable import LoopbackHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a client sees that behaves.
@Suite(.limitedParallelization) struct LoopbackServerTests {
    private static let get = "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

    /// Answers with what it was asked.
    private func echo(on port: UInt16 = 0, limits: LoopbackServer.Limits = .patient) throws -> LoopbackServer {
        try LoopbackServer.start(port: port, limits: limits) { request in
            LoopbackResponse(status: 200, body: Data("\(request.method) \(request.target) ".utf8) + request.body)
        }
    }

    @Test func answersARequest() async throws {
        let server = try LoopbackServer.start { _ in .html("<p>hello", status: 201) }
        let answer = try await RawClient.exchange(Self.get, port: server.port)
        #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\nContent-Type: text/html; charset=utf-8\r\nDate: "))
        #expect(answer.hasSuffix("Content-Length: 8\r\nConnection: close\r\n\r\n<p>hello"))
    }

    @Test func systemClientUnderstandsIt() async throws {
        let server = try LoopbackServer.start { request in
            request.path == "/go" ? .redirect(to: "/there?a=b") : .json(Data(request.target.utf8))
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/go"))
        let (body, response) = try await URLSession.shared.data(from: url)
        #expect(String(decoding: body, as: UTF8.self) == "/there?a=b")
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Cache-Control") == "no-store")
    }

    @Test func connectionIsKeptForTheNextRequest() async throws {
        let server = try echo()
        let client = try RawClient(port: server.port)
        for number in 1...3 {
            await client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await client.receive(until: "GET /\(number) ").contains("Connection: keep-alive\r\n"))
        }
        #expect(server.connectionCount == 1)
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let server = try LoopbackServer.start { request in
            // The first takes longest.
            if request.path == "/0" { for _ in 0..<100 { await Task.yield() } }
            return LoopbackResponse(status: 200, body: Data("<\(request.path)>".utf8))
        }
        let client = try RawClient(port: server.port)
        await client.send((0..<20).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
        let answer = await client.receive(until: "</", times: 20)
        let paths = answer.components(separatedBy: "</").dropFirst().map { $0.prefix { $0 != ">" } }
        #expect(paths == (0..<20).map { "\($0)" })
    }

    @Test func bodiesArriveByLengthAndByChunks() async throws {
        let server = try echo()
        let head = "POST /p HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
        let whole = head + "Content-Length: 5\r\n\r\nhello"
        #expect(try await RawClient.exchange(whole, port: server.port).hasSuffix("POST /p hello"))
        let chunks = head + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nT: v\r\n\r\n"
        #expect(try await RawClient.exchange(chunks, port: server.port).hasSuffix("POST /p hello"))
    }

    @Test func clientThatExpectsContinueIsToldToGoOn() async throws {
        let server = try echo()
        let client = try RawClient(port: server.port)
        await client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(await client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        await client.send("ok")
        #expect(await client.receive(until: "POST /p ok").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func headGetsTheHeadAlone() async throws {
        let server = try echo()
        let answer = try await RawClient.exchange(
            Self.get.replacingOccurrences(of: "GET", with: "HEAD"), port: server.port)
        #expect(answer.contains("Content-Length: 7\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test func tenMegabytesReachAReaderThatIsSlow() async throws {
        let pattern = Data((0..<1_000).map { UInt8($0 % 251) })
        var body = Data()
        while body.count < 10_000_000 { body.append(pattern) }
        let server = try LoopbackServer.start { [body] _ in LoopbackResponse(status: 200, body: body) }
        let client = try RawClient(port: server.port, receiveBuffer: 4_096)
        await client.send(Self.get)
        let answer = Data(await client.receiveAllBytes())
        let end = try #require(answer.range(of: Data("\r\n\r\n".utf8))).upperBound
        #expect(answer[end...] == body)
    }

    @Test func droppedConnectionGivesNoByte() async throws {
        let server = try LoopbackServer.start { _ in .dropConnection }
        #expect(try await RawClient.exchange(Self.get, port: server.port) == "")
    }

    @Test func truncatedResponseDeclaresMoreThanItSends() async throws {
        let server = try LoopbackServer.start { _ in .truncated(.html("0123456789"), afterBodyBytes: 4) }
        // The client would keep the connection; it ends all the same.
        let answer = try await RawClient.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n", port: server.port)
        #expect(answer.contains("Content-Length: 10\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n0123"))
    }

    @Test func manyClientsAtOnceAreAllAnswered() async throws {
        let server = try echo()
        let port = server.port
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await RawClient.exchange(
                        "GET /\(number) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: port
                    ).hasSuffix("GET /\(number) ")
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 100)
        #expect(answers.allSatisfy { $0 })
    }

    @Test(.enabled(if: (try? LoopbackServer.start(at: .ipv6) { _ in .html("") }) != nil, "This machine has no IPv6."))
    func bothAddressesAreServedAndEachOnlyByItsOwnServer() async throws {
        let port = try UInt16.unsharedPort()
        for (address, other) in [(LoopbackAddress.ipv4, LoopbackAddress.ipv6), (.ipv6, .ipv4)] {
            let server = try LoopbackServer.start(at: address, port: port) { _ in .html("answer") }
            #expect(server.port == port)
            #expect(try await RawClient.exchange(Self.get, at: address, port: port).hasSuffix("answer"))
            // A program that another test starts may have the socket of the previous iteration, until its `exec`.
            try await wait(for: "the other address to refuse") { (try? RawClient(at: other, port: port)) == nil }
            #expect(throws: LoopbackServerError.portInUse(port)) {
                try LoopbackServer.start(at: address, port: port) { _ in .html("") }
            }
            server.stop()
            #expect(try LoopbackServer.start(at: address) { _ in .html("") }.port > 0)
        }
    }

    @Test func takenPortIsNamed() throws {
        let server = try echo()
        #expect(throws: LoopbackServerError.portInUse(server.port)) {
            try LoopbackServer.start(port: server.port) { _ in .html("") }
        }
    }

    @Test func stoppedServerFreesItsPort() async throws {
        let server = try echo(on: .unsharedPort())
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = await client.receive(until: "GET / ")
        server.stop()
        server.stop()
        #expect(await client.receiveAll() == "")
        let next = try LoopbackServer.start(port: server.port, limits: .patient) { _ in .html("next") }
        let answer = try await RawClient.exchange(Self.get, port: next.port)
        #expect(answer.hasSuffix("next"))
    }
}
