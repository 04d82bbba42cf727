import Foundation
import Testing

/// Sentences of a page are in two languages, and what they say things about is the same.
@Suite struct TranslationTests {
    @Test(arguments: Translation.all) func theTranslationIsOfThisPage(_ translation: Translation) {
        #expect(translation.differences() == [])
    }

    @Test(arguments: Translation.all) func bothLanguagesLeadToTheOther(_ translation: Translation) {
        let (english, korean) = (translation.english, translation.korean)
        #expect(english.lines.flatMap(\.cells).flatMap(\.links).count { $0 == MarkdownLink(target: korean.path) } == 1)
        #expect(korean.lines.flatMap(\.cells).flatMap(\.links).count { $0 == MarkdownLink(target: english.path) } == 1)
    }

    @Test func whatPeopleReadFirstIsTranslated() {
        let pages = [
            "README", "SigningIn", "Testing", "TestWithTheEmulator", "YourServerIsDifferent", "ContractExamples",
            "IOSInTenMinutes",
        ]
        let translated = Translation.all.map { String($0.english.path.split(separator: "/").last ?? "") }
        #expect(Set(translated) == Set(pages.map { $0 + ".md" }))
    }

    /// After the README's first screen, the Korean page lists the others.
    @Test func theFirstKoreanPageLeadsToEachOther() throws {
        let start = try #require(Translation.all.first { $0.english.path == "README.md" }?.korean.path)
        let list = try packageFile(start).components(separatedBy: "\n## ").dropFirst().joined(separator: "\n")
        let items = TranslatedPage(path: start.replacing("Start", with: "List"), text: list).lines
            .filter { $0.shape == "paragraph- " }.flatMap(\.cells)
        let others = Translation.all.map(\.korean.path).filter { $0 != start }
        #expect(items.flatMap(\.links).map(\.description).sorted() == others)
    }

    /// Each rule, and translations that break it.
    @Test(
        arguments: [
            (.count, "An app.", "앱입니다.\n"),
            (.count, "# An app\n\nIt has a store.", "# 앱\n\n- 저장소가 있습니다.\n"),
            (.shape, "## An app", "### 앱"), (.shape, "An app.", "- 앱입니다."), (.shape, "| an app | it |", "| 앱 |"),
            (.shape, "> Note: An app.", "> Important: 앱입니다."), (.shape, "An app.", ""),
            (.listing, "## Overview", "## Topics"), (.listing, "<!-- compiled: app -->", "<!-- compiled: root -->"),
            (.listing, "```swift\nlet app = 1\n```", "```swift\nlet app = 2\n```"),
            (.code, "An `app`.", "앱입니다."), (.code, "An `app`.", "`App`입니다."), (.code, "An ``app``.", "`app`입니다."),
            (.code, "| an `app` | this |", "| 앱 | `app`입니다 |"), (.code, "At `{ID}`.", "`{id}`입니다."),
            (.links, "An app: <doc:Streams>.", "앱: <doc:Composition>."), (.links, "An app: <doc:Streams>.", "앱입니다."),
            (.links, "An app: <doc:SigningIn>.", "앱: <doc:SigningIn>."),
            (.links, "An app: <doc:SigningIn#buttons>.", "앱: <doc:SigningInKorean#buttons>."),
            (.links, "An [app](https://example.com/en/a).", "[앱](https://example.com/en/b)입니다."),
            (.language, "An app.", "An app."), (.language, "| an app | `app` |", "| app | `app` |"),
        ] as [(Translation.Rule, String, String)])
    func everyRuleFindsWhatBreaksIt(_ rule: Translation.Rule, english: String, korean: String) {
        let folder = "Sources/AuthStreams/AuthStreams.docc"
        let translation = Translation(
            english: TranslatedPage(path: "\(folder)/Example.md", text: english),
            korean: TranslatedPage(path: "\(folder)/ExampleKorean.md", text: korean))
        #expect(translation.differences().map(\.rule) == [rule])
    }

    /// Words and their order differ, as do names of the app's values.
    @Test(arguments: [
        ("An `app` has a ``Store`` (<doc:SigningIn>).", "<doc:SigningInKorean>: ``Store``는 `app`에 있습니다."),
        ("Its <doc:SigningIn#buttons>.", "<doc:SigningInKorean#버튼>입니다."),
        ("At `kakao{APP KEY}://oauth`.", "`kakao{앱 키}://oauth`입니다."),
        ("An [app](https://example.com/docs/en/a).", "[앱](https://example.com/docs/ko/a)입니다."),
        ("It is [there](doc:ExampleKorean).", "[여기](doc:Example)에 있습니다."),
        ("| Kakao | an app |", "| Kakao | 앱 |"),
    ])
    func sentencesDiffer(english: String, korean: String) {
        let folder = "Sources/AuthStreams/AuthStreams.docc"
        let translation = Translation(
            english: TranslatedPage(path: "\(folder)/Example.md", text: english),
            korean: TranslatedPage(path: "\(folder)/ExampleKorean.md", text: korean))
        #expect(translation.differences() == [])
    }
}
