import Foundation
import Testing

@testable import AuthStreams

@Suite struct JSONDepthTests {
    private static func nested(_ depth: Int, _ open: String, _ close: String) -> Data {
        Data((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")])
    func textThatIsNestedTooDeepIsRefused(open: String, close: String) {
        let levels = open == #"[{"a":"# ? 2 : 1
        #expect(AuthJSON(json: Self.nested(64 / levels, open, close)) != nil)
        #expect(AuthJSON(json: Self.nested(64 / levels + 1, open, close)) == nil)
    }

    /// A text that would overflow the stack of a thread if it were decoded: 512 KiB on Apple platforms.
    @Test(arguments: [300, 511, 100_000]) func noDepthOverflowsASmallStack(depth: Int) async {
        let done = Promise<Bool>()
        let thread = Thread {
            done.resolve(
                AuthJSON(json: Self.nested(depth, #"{"a":"#, "}")) == nil
                    && AuthHTTPResponse(status: 200, body: Self.nested(depth, #"{"a":"#, "}")).jsonObject == nil)
        }
        thread.stackSize = 512 << 10
        thread.start()
        #expect(await done.value() == true)
    }

    @Test func bracketsWithinStringsAreNoLevels() {
        let brackets = String(repeating: "[{", count: 100)
        #expect(AuthJSON(json: Data(#"["\#(brackets)\"\#(brackets)\\"]"#.utf8))?.array?.count == 1)
        // A string that does not end hides nothing: the text is no JSON.
        #expect(AuthJSON(json: Data(#"["\#(brackets)"#.utf8)) == nil)
    }

    /// In UTF-16 a character may have the byte of a quotation mark, which would hide what follows.
    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian])
    func otherEncodingsAreRefused(encoding: String.Encoding) throws {
        let text = try #require("[\"\u{2200}\"]".data(using: encoding))
        #expect(AuthJSON(json: text) == nil)
    }
}
