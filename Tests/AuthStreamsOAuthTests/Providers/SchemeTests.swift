import Testing

@testable import AuthStreamsOAuth

@Suite struct SchemeTests {
    @Test(arguments: ["a", "myapp", "MyApp", "my-app.2+x"]) func schemeIsOne(text: String) { #expect(text.isURLScheme) }

    @Test(arguments: ["", "1app", "-app", "my app", "my_app", "myapp:", "앱", "a\u{301}", "[", "@", "{"])
    func otherTextIsNone(text: String) { #expect(!text.isURLScheme) }

    @Test(arguments: [
        ("a1B2", true), ("0", true), ("", false), ("a-1", false), ("a 1", false), ("١", false), ("é", false),
        ("a`", false),
    ])
    func keyIsOfLettersAndDigits(text: String, isOne: Bool) { #expect(text.isASCIILettersAndDigits == isOne) }
}
