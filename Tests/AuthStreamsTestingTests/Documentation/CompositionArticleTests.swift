import Foundation
import Testing

/// The article about making a service shows code that is compiled, here and with the stubs of Apple's frameworks.
@Suite struct CompositionArticleTests {
    private static let article = "Sources/AuthStreams/AuthStreams.docc/Composition.md"

    @Test func everySwiftBlockIsTheCodeOfACompiledFile() throws {
        let regions = try CompiledRegions(
            of: "Composition",
            in: ["Tests/AuthStreamsTestingTests/Documentation", "Tests/AuthStreamsAppleTests/Documentation"])
        let blocks = try MarkdownFile(Self.article).blocks.filter { $0.language == "swift" }
        #expect(regions.repeated == [])
        #expect(Set(blocks.compactMap { $0.mark?.name }) == Set(regions.texts.keys))
        for block in blocks { #expect(block.text == regions.texts[block.mark?.name ?? ""], "line \(block.line)") }
    }
}
