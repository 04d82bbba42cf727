import Foundation
import Testing

@testable import LoopbackHTTP

@Suite struct LoopbackResponseTests {
    private func text(_ response: LoopbackResponse, method: String = "GET", keepsAlive: Bool = true) -> String? {
        response.wire(method: method, keepsAlive: keepsAlive, date: "D").map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    @Test func headAndBodyAreOneBuffer() {
        #expect(
            text(.redirect(to: "/x"), keepsAlive: false)
                == "HTTP/1.1 303 See Other\r\nLocation: /x\r\nDate: D\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
    }

    @Test func handlerCannotBreakTheFraming() throws {
        let response = LoopbackResponse(
            status: 200,
            headers: [
                ("Content-Length", "9"), ("transfer-encoding", "chunked"), ("Location", "/a\r\nSet-Cookie: x=y\0"),
                ("bad name", "v"), ("", "v"), ("Date", "mine"),
            ],
            body: Data("b".utf8)
        )
        #expect(
            text(response)
                == "HTTP/1.1 200 OK\r\nLocation: /a  Set-Cookie: x=y \r\nDate: mine\r\nContent-Length: 1\r\n"
                + "Connection: keep-alive\r\n\r\nb")
    }

    @Test(arguments: [204, 304]) func statusWithoutBodyHasNone(status: Int) throws {
        let wire = try #require(text(LoopbackResponse(status: status, body: Data("b".utf8))))
        #expect(!wire.contains("Content-Length"))
        #expect(wire.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: [-1, 0, 100, 600]) func statusThatIsNoneIsTheServersFault(status: Int) throws {
        #expect(
            try #require(text(LoopbackResponse(status: status))).hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
    }

    @Test func handlerMayEndTheConnection() throws {
        let response = LoopbackResponse(status: 200, headers: [("connection", "Close")])
        #expect(try #require(response.wire(method: "GET", keepsAlive: true, date: "D")).closes)
    }

    @Test(arguments: [(-1, ""), (0, ""), (2, "ab"), (3, "abc"), (9, "abc")])
    func truncationSendsThatMuchAndCloses(count: Int, sent: String) throws {
        let response = LoopbackResponse.truncated(.html("abc"), afterBodyBytes: count)
        #expect(try #require(text(response)).hasSuffix("Content-Length: 3\r\nConnection: close\r\n\r\n\(sent)"))
        #expect(text(.truncated(.dropConnection, afterBodyBytes: count)) == nil)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
        (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func dateIsInTheOneFormAllowed(seconds: Int, expected: String) {
        #expect(LoopbackDate.string(secondsSince1970: seconds) == expected)
    }
}
