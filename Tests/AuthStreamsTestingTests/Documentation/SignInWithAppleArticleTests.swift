import Foundation
import Testing

/// What the article about native Sign in with Apple shows is compiled, by the builds with stubs of Apple's frameworks.
@Suite struct SignInWithAppleArticleTests {
    private static let article = "Sources/AuthStreamsApple/AuthStreamsApple.docc/SignInWithApple.md"

    @Test func everySwiftBlockIsTheCodeOfACompiledFile() throws {
        let regions = try CompiledRegions(of: "SignInWithApple", in: ["Tests/AuthStreamsAppleTests/AppleID"])
        let blocks = try MarkdownFile(Self.article).blocks.filter { $0.language == "swift" }
        #expect(regions.repeated == [])
        #expect(Set(blocks.compactMap { $0.mark?.name }) == Set(regions.texts.keys))
        for block in blocks { #expect(block.text == regions.texts[block.mark?.name ?? ""], "line \(block.line)") }
    }
}
