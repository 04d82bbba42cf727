import AuthStreams
import TestSupport
import Testing

@Suite struct FormCodingTests {
    @Test(arguments: [
        ("", ""), ("AZaz09-._~", "AZaz09-._~"), (" ", "%20"), ("+", "%2B"), ("%", "%25"),
        ("a+b c%20", "a%2Bb%20c%2520"),
        ("&=?#/:@!$'()*,;[]", "%26%3D%3F%23%2F%3A%40%21%24%27%28%29%2A%2C%3B%5B%5D"), ("한", "%ED%95%9C"),
        ("🔑", "%F0%9F%94%91"), ("\r\n\0", "%0D%0A%00"), ("\u{feff}", "%EF%BB%BF"), ("e\u{301}", "e%CC%81"),
    ])
    func onlyUnreservedCharactersStayAsTheyAre(text: String, escaped: String) throws {
        #expect(FormCoding.escape(text) == escaped)
        let fields = try #require(FormCoding.decode("v=\(escaped)"))
        #expect(fields.count == 1)
        #expect(fields.first.map { Array($0.value.utf8) } == Array(text.utf8))
    }

    @Test func fieldsKeepTheirOrderAndRepeats() throws {
        let text = FormCoding.encode([("code", "a b"), ("state", "&="), ("code", "")])
        #expect(text == "code=a%20b&state=%26%3D&code=")
        let fields = try #require(FormCoding.decode(text))
        #expect(fields.map(\.name) == ["code", "state", "code"])
        #expect(fields.map(\.value) == ["a b", "&=", ""])
        #expect(FormCoding.encode([]) == "")
    }

    @Test(arguments: [
        ("", []), ("a", ["a", ""]), ("a=", ["a", ""]), ("=b", ["", "b"]), ("a=b=c", ["a", "b=c"]),
        ("a+b=c+d", ["a b", "c d"]),
        ("&&a=1&&", ["a", "1"]), ("a=%2b%2B", ["a", "++"]), ("a=%41&b=%ed%95%9c", ["a", "A", "b", "한"]),
        ("a=한", ["a", "한"]), ("a=1&\u{301}b=\u{301}2+\u{301}", ["a", "1", "\u{301}b", "\u{301}2 \u{301}"]),
        ("a=1\r\n&b=2", ["a", "1\r\n", "b", "2"]),
    ])
    func decodesWhatOthersWrite(text: String, flat: [String]) throws {
        let fields = try #require(FormCoding.decode(text))
        #expect(fields.flatMap { [$0.name, $0.value] } == flat)
    }

    @Test(arguments: [
        "a=%", "a=%4", "a=%GG", "a=%4G", "%=1", "a=%E0%A4", "a=%FF", "a=%C0%80", "a=%ED%A0%80", "a=% 41", "a=%+41",
    ])
    func brokenEscapesAreRefused(text: String) {
        #expect(FormCoding.decode(text) == nil)
    }

    /// The names of the fields that a callback with a broken description still has; `nil` if it has none.
    @Test(
        arguments: [
            ("error=e&error_description=%B0%C5%BA%CE&state=s", ["error", "state"]),
            ("error=e&error_description=100%", ["error"]), ("error_description=%", []),
            ("error=e&error_description=%EA%B1%B0", ["error", "error_description"]), ("error=%B0%C5", nil),
            ("error=e&state=%", nil), ("error=e&error_descriptio%6E=%B0", ["error"]), ("%B0=e", nil),
        ] as [(String, [String]?)])
    func descriptionOfACallbackMayBeBroken(query: String, names: [String]?) {
        #expect(FormCoding.decodeCallback(query)?.map(\.name) == names)
        #expect((FormCoding.decode(query) == nil) == (names?.contains("error_description") != true))
    }

    @Test func randomFieldsSurviveTheRoundTrip() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            let fields = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                (name: randomText(&generator), value: randomText(&generator))
            }
            let text = FormCoding.encode(fields)
            #expect(text.utf8.allSatisfy { $0 < 0x80 })
            let decoded = try #require(FormCoding.decode(text))
            #expect(decoded.map { Array($0.name.utf8) } == fields.map { Array($0.name.utf8) })
            #expect(decoded.map { Array($0.value.utf8) } == fields.map { Array($0.value.utf8) })
        }
    }

    /// Any scalars at all, with a liking for those that mean something here.
    private func randomText(_ generator: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            let special = "&=+% \r\n\u{301}\u{feff}한🔑".unicodeScalars.randomElement(using: &generator)
            let any = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator))
            if let scalar = Bool.random(using: &generator) ? special : any { text.append(scalar) }
        }
        return String(text)
    }
}
