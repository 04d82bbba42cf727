import Foundation
import Testing

/// The article about view models and root screens shows code that the tests with stubs of Apple's frameworks compile.
@Suite struct FollowTheStateArticleTests {
    private static let article = "Sources/AuthStreamsApple/AuthStreamsApple.docc/FollowTheState.md"

    @Test func everySwiftBlockIsTheCodeOfACompiledFile() throws {
        let regions = try CompiledRegions(of: "FollowTheState", in: ["Tests/AuthStreamsAppleTests/Documentation"])
        let blocks = try MarkdownFile(Self.article).blocks.filter { $0.language == "swift" }
        #expect(regions.repeated == [])
        #expect(Set(blocks.compactMap { $0.mark?.name }) == Set(regions.texts.keys))
        for block in blocks { #expect(block.text == regions.texts[block.mark?.name ?? ""], "line \(block.line)") }
    }
}
