import AuthStreams
import Testing

@Suite struct SecretTests {
    @Test func equalityIsOfBytesAndNotOfCharacters() {
        #expect(Secret("abc") == Secret("abc"))
        #expect(Secret("abc") != Secret("abd"))
        #expect(Secret("abc") != Secret("xbc"))
        #expect(Secret("abc") != Secret("ab"))
        #expect(Secret("") == Secret(""))
        // Two marks in either order are equal strings of equal length, and other bytes.
        let (one, other) = ("e\u{301}\u{323}", "e\u{323}\u{301}")
        #expect(one == other)
        #expect(Secret(one) != Secret(other))
        #expect(Set([Secret(one), Secret(other), Secret(one)]).count == 2)
    }

    @Test func revealsWhatWasPutIn() {
        #expect(Secret("토큰+/=").reveal() == "토큰+/=")
        #expect(Secret("").isEmpty && !Secret(" ").isEmpty)
    }
}
