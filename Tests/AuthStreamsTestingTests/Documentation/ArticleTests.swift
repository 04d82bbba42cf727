import AuthStreamsTesting
import Foundation
import Testing

/// What the articles show is what compiled files do, word for word, and their timelines are played.
@Suite struct ArticleTests {
    private static let article = "Sources/AuthStreams/AuthStreams.docc/Streams.md"

    private func regions() throws -> CompiledRegions {
        try CompiledRegions(of: "Streams", in: ["Tests/AuthStreamsTestingTests/Documentation"])
    }

    @Test func everySwiftBlockIsTheCodeOfACompiledFile() throws {
        let regions = try regions()
        #expect(regions.repeated == [])
        for block in try MarkdownFile(Self.article).blocks where block.language == "swift" {
            guard let mark = block.mark, mark.verb == "compiled" else {
                Issue.record("The block that ends at line \(block.line) names no compiled region.")
                continue
            }
            #expect(block.text == regions.texts[mark.name], "region \(mark.name), line \(block.line)")
        }
    }

    @Test func everyRowOfComingFromElsewhereIsTheCodeOfACompiledFile() throws {
        let regions = try regions()
        let rows = try MarkdownFile(Self.article).rows.filter { $0.mark.verb == "compiled" }
        #expect(rows.count >= 30)
        for row in rows {
            #expect(row.code == regions.statements(of: row.name), "region \(row.name), line \(row.line)")
        }
    }

    @Test func everyCompiledRegionIsShown() throws {
        let article = try MarkdownFile(Self.article)
        let shown = Set(article.blocks.compactMap { $0.mark?.name } + article.rows.map(\.name))
        #expect(try regions().texts.keys.filter { !shown.contains($0) } == [])
    }

    @Test func everyOtherBlockIsATimelineThatIsPlayed() throws {
        let others = try MarkdownFile(Self.article).blocks.filter { $0.language != "swift" }
        #expect(others.allSatisfy { $0.language == "text" && $0.mark?.verb == "played" })
        #expect(Set(others.compactMap { $0.mark?.name }) == Set(StreamsTimelines.parts.keys))
    }

    @Test(arguments: StreamsTimelines.parts.keys.sorted()) func timelineGoesAsItIsDrawn(_ name: String) throws {
        let blocks = try MarkdownFile(Self.article).blocks
        let picture = try #require(blocks.first { $0.mark == .init(verb: "played", name: name) }?.text)
        let connect = try #require(StreamsTimelines.parts[name])
        for reading in TimelineReading.allCases { try Timeline(picture).run(reading: reading, connect) }
    }
}
