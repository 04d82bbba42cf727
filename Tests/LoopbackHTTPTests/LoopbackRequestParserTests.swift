import Foundation
import TestSupport
import Testing

@testable import LoopbackHTTP

@Suite struct LoopbackRequestParserTests {
    private static let post = "POST /form HTTP/1.1\r\nHost: h\r\n"

    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

    private static func limits(head: Int = 512, body: Int = 64) -> LoopbackServer.Limits {
        var limits = LoopbackServer.Limits()
        limits.maxHeadBytes = head
        limits.maxBodyBytes = body
        return limits
    }

    /// Feeds the bytes in pieces and notes every outcome but `incomplete`.
    private static func outcomes(_ bytes: [UInt8], pieces: Int, limits: LoopbackServer.Limits) -> [String] {
        var parser = LoopbackRequestParser(limits: limits)
        var seen: [String] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            parser.append(bytes[start..<min(start + pieces, bytes.count)])
            advancing: while true {
                switch parser.next() {
                case .incomplete: break advancing
                case .continueExpected: break
                case .rejected(let error): return seen + ["rejected \(error.status)"]
                case .request(let request, let keepsAlive):
                    let body = String(decoding: request.body, as: UTF8.self)
                    seen.append("\(request.method) \(request.target) \(body) \(keepsAlive ? "keep" : "close")")
                }
            }
        }
        return seen
    }

    private static func outcomes(_ text: String, limits: LoopbackServer.Limits = limits()) -> [String] {
        outcomes(Array(text.utf8), limits: limits)
    }

    /// The outcomes, asserted to be the same however the bytes are cut.
    private static func outcomes(_ bytes: [UInt8], limits: LoopbackServer.Limits = limits()) -> [String] {
        let whole = outcomes(bytes, pieces: max(bytes.count, 1), limits: limits)
        for pieces in [1, 2, 3, 7] {
            let cut = outcomes(bytes, pieces: pieces, limits: limits)
            #expect(cut == whole, "cut into pieces of \(pieces)")
        }
        return whole
    }

    private static func request(_ text: String) -> LoopbackRequest? {
        var parser = LoopbackRequestParser(limits: .init())
        parser.append(text.utf8)
        if case .request(let request, _) = parser.next() { return request }
        return nil
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET /  keep"),
        ("GET / HTTP/1.1\r\nhost:h\r\nConnection: x , Close\r\n\r\n", "GET /  close"),
        ("GET / HTTP/1.0\r\n\r\n", "GET /  close"),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET /  keep"),
        ("\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET /  keep"),
        ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS *  keep"),
        ("GET http://h:80/x?y HTTP/1.1\r\nHost: h\r\n\r\n", "GET http://h:80/x?y  keep"),
        (post + "Content-Length: 3\r\n\r\nabc", "POST /form abc keep"),
        (post + "Content-Length: 003\r\n\r\nabc", "POST /form abc keep"),
        (post + "Expect: 100-Continue\r\nContent-Length: 3\r\n\r\nabc", "POST /form abc keep"),
        (
            post + "Transfer-Encoding: Chunked\r\n\r\n1;e=\"f\"\r\na\r\n0A\r\n0\r\n\r\n\0bc\r\n\r\n000\r\nT: x\r\n\r\n",
            "POST /form a0\r\n\r\n\0bc\r\n keep"
        ),
        (post + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "POST /form  keep"),
    ])
    func wellFormedRequestIsRead(text: String, expected: String) {
        #expect(Self.outcomes(text) == [expected])
        // Nothing of it is left over: the same request right behind it is read the same way.
        #expect(Self.outcomes(text + text) == [expected, expected])
    }

    @Test(arguments: [
        // Lines.
        ("GET / HTTP/1.1\nHost: h\n\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\r\n\r\n", 400),
        ("\n", 400), ("\0", 400), ("\u{16}\u{3}\u{1}\u{0}", 400),
        ("GET / HTTP/1.1\r\nHost: h\0\r\n\r\n", 400),
        // The request line.
        ("GET /\r\n\r\n", 400), (" GET / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET / HTTP/1.1 \r\nHost: h\r\n\r\n", 400),
        ("GET\t/\tHTTP/1.1\r\nHost: h\r\n\r\n", 400), ("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET / http/1.1\r\nHost: h\r\n\r\n", 400), ("GET / HTTP/1.10\r\nHost: h\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        // The target.
        ("GET * HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET x HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET ?x HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /#f HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET http:///x HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET https://h/x HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /\u{E9} HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET /% HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /%4 HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET /%-1 HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /%C3 HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET /?a=%zz HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /?%FF=a HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        // Header fields.
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nX\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\n: y\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nX : y\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nX: \u{1}\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\nX: \u{7F}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nExpect: magic\r\n\r\n", 417),
        // Framing.
        (post + "Content-Length: -1\r\n\r\n", 400), (post + "Content-Length: +1\r\n\r\n", 400),
        (post + "Content-Length: 1, 1\r\n\r\na", 400), (post + "Content-Length: 0x1\r\n\r\na", 400),
        (post + "Content-Length:\r\n\r\n", 400), (post + "Content-Length: \u{661}\r\n\r\na", 400),
        (post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na", 400),
        (post + "Content-Length: 1\r\ncontent-length: 2\r\n\r\na", 400),
        (post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (post + "Transfer-Encoding: gzip\r\n\r\n", 501), (post + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
        (post + "Transfer-Encoding: \r\n\r\n", 501),
        // Too much.
        (post + "Content-Length: 65\r\n\r\n", 413), (post + "Content-Length: 9223372036854775807\r\n\r\n", 413),
        (post + "Content-Length: 99999999999999999999999999\r\n\r\n", 413),
        (post + "Transfer-Encoding: chunked\r\n\r\n41\r\n", 413),
        (post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n", 413),
        (post + "X: " + String(repeating: "x", count: 512), 431), (String(repeating: "G", count: 513), 431),
        (String(repeating: "\r\n", count: 257), 431),
        ("GET / HTTP/1.1\r\n" + String(repeating: "a:\r\n", count: 200) + "\r\n", 431),
        // Chunks.
        (chunked + "x\r\n", 400), (chunked + "\r\n", 400), (chunked + "-1\r\n", 400), (chunked + "1 \r\na\r\n", 400),
        (chunked + "1\na\n", 400), (chunked + "1\r\nab\r\n", 400), (chunked + "ffffffffffffffffffff\r\n", 400),
        (chunked + "1;" + String(repeating: "x", count: 256), 400), (chunked + "1;\0\r\n", 400),
        (chunked + "0\r\n" + String(repeating: "T: trailer\r\n", count: 50), 431),
    ])
    func malformedRequestIsRefused(text: String, status: Int) {
        #expect(Self.outcomes(text) == ["rejected \(status)"])
        // What follows cannot bring the connection back: where it would begin is unknown.
        #expect(Self.outcomes(text + "GET / HTTP/1.1\r\nHost: h\r\n\r\n") == ["rejected \(status)"])
    }

    @Test func fieldsAboveTheNumberAllowedAreRefused() {
        let field = "a:\r\n"
        let start = "GET / HTTP/1.1\r\nHost: h\r\n"
        let limits = Self.limits(head: 4_096)
        #expect(Self.outcomes(start + String(repeating: field, count: 127) + "\r\n", limits: limits) == ["GET /  keep"])
        #expect(
            Self.outcomes(start + String(repeating: field, count: 128) + "\r\n", limits: limits) == ["rejected 431"])
    }

    @Test func bodyAtTheLimitIsRead() {
        let body = String(repeating: "b", count: 64)
        #expect(Self.outcomes(Self.post + "Content-Length: 64\r\n\r\n" + body) == ["POST /form \(body) keep"])
        #expect(Self.outcomes(Self.chunked + "40\r\n\(body)\r\n0\r\n\r\n") == ["POST /form \(body) keep"])
        #expect(Self.outcomes(Self.chunked + "3f\r\n\(body.dropLast())\r\n2\r\n") == ["rejected 413"])
    }

    @Test func pathAndQueryAreDecoded() throws {
        let request = try #require(
            Self.request("GET /a%20b/%ED%95%9C+?x=1&x=2+3&&y&=z&%26=%3D=&e= HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect(request.path == "/a b/한+")
        #expect(request.queryItems.map(\.name) == ["x", "x", "y", "", "&", "e"])
        #expect(request.queryItems.map(\.value) == ["1", "2 3", "", "z", "==", ""])
        #expect(try #require(Self.request("GET http://h?q=1 HTTP/1.1\r\nHost: h\r\n\r\n")).path == "/")
    }

    @Test func headersKeepTheirOrderAndNames() throws {
        let request = try #require(
            Self.request("GET / HTTP/1.1\r\nHost: h\r\nX-A: \t 1 2 \t\r\nx-a: 한\r\nEmpty:\r\n\r\n"))
        #expect(request.headers.map(\.name) == ["Host", "X-A", "x-a", "Empty"])
        #expect(request.headers.map(\.value) == ["h", "1 2", "한", ""])
        #expect(request.header("x-A") == "1 2")
        #expect(request.header("missing") == nil)
    }

    @Test func headerThatIsNotUTF8KeepsItsOctets() {
        let bytes = Array("GET / HTTP/1.1\r\nHost: h\r\nX: ".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
        var parser = LoopbackRequestParser(limits: .init())
        parser.append(bytes)
        guard case .request(let request, _) = parser.next() else {
            Issue.record("not read")
            return
        }
        #expect(request.header("X") == "\u{E9}")
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", "a=1+2&b=%26&a=", ["a", "1 2", "b", "&", "a", ""]),
        ("Application/X-WWW-Form-URLEncoded; charset=utf-8", "a", ["a", ""]),
        ("application/x-www-form-urlencoded", "a=%2", []),
        ("application/x-www-form-urlencoded", "a=%FF", []),
        ("application/x-www-form-urlencoded", "", []),
        ("application/x-www-form-urlencoded\t; charset=utf-8", "a=1", ["a", "1"]),
        ("text/plain", "a=1", []),
        ("application/x-www-form-urlencoded other", "a=1", []),
        ("; application/x-www-form-urlencoded", "a=1", []),
    ])
    func formIsReadFromABodyOfThatType(type: String, body: String, expected: [String]) throws {
        let head = Self.post + "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let request = try #require(Self.request(head + body))
        #expect(request.formItems.flatMap { [$0.name, $0.value] } == expected)
    }

    @Test func continuationIsAskedForOnceAndOnlyWhenTheBodyIsMissing() {
        var parser = LoopbackRequestParser(limits: .init())
        let head = Self.post + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        parser.append(head.utf8)
        guard case .continueExpected = parser.next(), case .incomplete = parser.next() else {
            Issue.record("should ask, once")
            return
        }
        parser.append("ok\(head)ok".utf8)
        guard case .request = parser.next(), case .request = parser.next() else {
            Issue.record("should not ask for what is there")
            return
        }
    }

    @Test func requestShowsNothingSecret() throws {
        let request = try #require(
            Self.request("POST /cb?code=s3cret HTTP/1.1\r\nHost: h\r\nA: s3cret\r\nContent-Length: 6\r\n\r\ns3cret"))
        var dumped = ""
        dump(request, to: &dumped)
        #expect("\(request)" == "POST /cb")
        #expect(!(dumped + String(reflecting: request)).contains("s3cret"))
    }

    /// Random bytes, and well-formed requests with random changes: the same outcome however they are cut, and no trap.
    @Test(arguments: 0..<8) func randomBytesAreReadTheSameHoweverTheyAreCut(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let samples = [
            Self.post + "Content-Length: 3\r\n\r\nabc", Self.chunked + "1\r\na\r\n2;x\r\nbc\r\n0\r\nT: v\r\n\r\n",
            "GET /a%20b?c=%26&d HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n",
        ].map { Array($0.utf8) }
        let telling = Array("\r\n\0 %:;,0123456789aAfF/?#&=".utf8) + [0x7F, 0x80, 0xFF]
        for round in 0..<50 {
            var bytes = (0..<Int.random(in: 1...300, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            if round % 4 != 0 {
                bytes = samples[Int.random(in: 0..<samples.count, using: &random)]
                for _ in 0..<Int.random(in: 0...6, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    let byte = telling.randomElement(using: &random) ?? 0
                    switch Int.random(in: 0...2, using: &random) {
                    case 0: bytes[place] = byte
                    case 1: bytes.insert(byte, at: place)
                    default: if bytes.count > 1 { bytes.remove(at: place) }
                    }
                }
            }
            let whole = Self.outcomes(bytes + bytes)
            #expect(whole.count <= 4, "seed \(seed), round \(round)")
        }
    }
}
