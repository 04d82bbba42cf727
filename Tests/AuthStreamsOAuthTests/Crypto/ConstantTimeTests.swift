import Testing

@testable import AuthStreamsOAuth

@Suite struct ConstantTimeTests {
    @Test(arguments: [
        ("", "", true), ("a", "a", true), ("상태", "상태", true),
        ("a", "b", false), ("ab", "aa", false), ("ba", "aa", false), ("a", "", false), ("a", "aa", false),
        // Each bit counts, the highest too.
        ("\u{40}", "\u{00}", false), ("\u{E9}", "\u{E8}", false),
        // The same character to a reader, not the same bytes.
        ("\u{E9}", "e\u{301}", false),
    ])
    func onlyTheSameBytesAreEqual(left: String, right: String, expected: Bool) {
        #expect(ConstantTime.equals(left, right) == expected)
        #expect(ConstantTime.equals(right, left) == expected)
    }
}
