import AuthStreams
import Foundation
import Testing

/// What a name is made of, and in which order it is shown.
@Suite struct PersonNameTests {
    @Test(
        arguments: [
            ("민지", "김", "김민지"), ("민수", "남궁", "남궁민수"), ("志玲", "林", "林志玲"), ("太郎", "山田", "山田太郎"),
            ("みなみ", "高橋", "高橋みなみ"), ("美ゆき", "佐々木", "佐々木美ゆき"), ("はなこ", "さとう", "さとう はなこ"),
            ("タロー", "タナカ", "タナカ タロー"), ("Alex", "Morgan", "Alex Morgan"), ("Nguyễn", "Văn A", "Nguyễn Văn A"),
            ("Иван", "Петров", "Иван Петров"), ("سارا", "محمدی", "سارا محمدی"), ("Minji", "김", "Minji 김"),
            ("민지", "Kim", "민지 Kim"), ("민지 A", "김", "민지 A 김"), ("1", "2", "1 2"), ("민지", "👑", "민지 👑"),
        ])
    func aNameIsShownInTheOrderOfItsScript(given: String, family: String, shown: String) {
        #expect(PersonName(givenName: given, familyName: family)?.displayName == shown)
        let decomposed = PersonName(
            givenName: given.decomposedStringWithCanonicalMapping,
            familyName: family.decomposedStringWithCanonicalMapping)
        #expect(decomposed?.displayName == shown, "The same in both forms of Unicode.")
    }

    @Test func onePartIsShownAlone() {
        #expect(PersonName(givenName: "민지")?.displayName == "민지")
        #expect(PersonName(familyName: "김")?.displayName == "김")
        #expect(PersonName(givenName: " ", familyName: "Morgan")?.displayName == "Morgan")
    }

    @Test(
        arguments: ["", " ", "\t\r\n", "\u{3000}\u{A0}", "\0", "\u{7F}", "\u{200B}\u{FEFF}", "\u{200D}", "\u{FE0F}"])
    func aPartWithoutAVisibleCharacterIsAbsent(part: String) {
        #expect(PersonName(givenName: part, familyName: part) == nil)
        let name = PersonName(givenName: "민지", familyName: part)
        #expect(name?.familyName == nil && name == PersonName(givenName: "민지"))
    }

    @Test(
        arguments: [
            (" 민지 ", "민지"), ("Mary\n\t Jane", "Mary Jane"), ("Mar\0y\u{1B}[31m", "Mary[31m"),
            ("\u{202E}yraM\u{202C}", "yraM"), ("Ma\u{200B}ry", "Mary"), ("Jean-Luc O’Brien", "Jean-Luc O’Brien"),
            // Joiners of Persian, variants of ideographs and joined emoji are part of what is shown.
            ("می\u{200C}لاد", "می\u{200C}لاد"), ("葛\u{E0100}城", "葛\u{E0100}城"), ("👩\u{200D}🚀", "👩\u{200D}🚀"),
        ])
    func aPartIsCleaned(part: String, cleaned: String) {
        let name = PersonName(givenName: part)
        #expect(name?.givenName.map { Array($0.unicodeScalars) } == Array(cleaned.unicodeScalars))
    }

    @Test func anOverlongPartIsCutOffBetweenTwoCharacters() {
        let limit = PersonName.maximumLength
        #expect(PersonName(givenName: String(repeating: "a", count: limit))?.givenName?.utf8.count == limit)
        let hangul = PersonName(givenName: String(repeating: "민", count: 1_000_000))?.givenName
        #expect(hangul == String(repeating: "민", count: limit / 3))
        let words = PersonName(givenName: String(repeating: "b", count: limit - 1) + " c")?.givenName
        #expect(words == String(repeating: "b", count: limit - 1), "No space is left at the end.")
        let mixed = PersonName(givenName: String(repeating: "b", count: limit - 1) + "민c")?.givenName
        #expect(mixed == String(repeating: "b", count: limit - 1), "Nothing follows the character that is cut off.")
        // One character of more than the limit.
        #expect(PersonName(givenName: "e" + String(repeating: "\u{301}", count: limit)) == nil)
    }

    @Test func aNameIsStoredAndReadAgain() throws {
        let name = try #require(PersonName(givenName: "민지", familyName: "김"))
        let stored = try JSONEncoder().encode(name)
        #expect(try JSONDecoder().decode(AuthJSON.self, from: stored) == ["givenName": "민지", "familyName": "김"])
        #expect(try JSONDecoder().decode(PersonName.self, from: stored) == name)
    }

    @Test(arguments: ["{}", #"{"givenName":" "}"#, #"{"givenName":null,"familyName":""}"#])
    func aStoredNameWithoutAVisibleCharacterIsNone(stored: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PersonName.self, from: Data(stored.utf8)) }
    }
}
