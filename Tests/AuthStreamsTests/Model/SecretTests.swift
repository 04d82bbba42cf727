import AuthStreams
import Testing

@Suite struct SecretTests {
    @Test func equalityIsOfBytesAndNotOfCharacters() {
        #expect(Secret("abc") == Secret("abc"))
        #expect(Secret("abc") != Secret("abd"))
        #expect(Secret("abc") != Secret("xbc"))
        #expect(Secret("abc") != Secret("ab"))
        #expect(Secret("") == Secret(""))
        // One é is a character of its own, the other an e with an accent: equal strings, other bytes.
        #expect(Secret("\u{e9}") != Secret("e\u{301}"))
        #expect(Set([Secret("\u{e9}"), Secret("e\u{301}"), Secret("\u{e9}")]).count == 2)
    }

    @Test func revealsWhatWasPutIn() {
        #expect(Secret("토큰+/=").reveal() == "토큰+/=")
        #expect(Secret("").isEmpty && !Secret(" ").isEmpty)
    }
}
