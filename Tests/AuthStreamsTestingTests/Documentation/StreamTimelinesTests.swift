import AuthStreamsTesting
import Testing

/// The timelines of the article are played.
@Suite struct StreamTimelinesTests {
    private static let article = "Sources/AuthStreams/AuthStreams.docc/StreamTimelines.md"

    @Test func everyBlockIsATimelineThatIsPlayed() throws {
        let blocks = try MarkdownFile(Self.article).blocks
        #expect(blocks.allSatisfy { $0.language == "text" && $0.mark?.verb == "played" })
        #expect(Set(blocks.compactMap { $0.mark?.name }) == Set(StreamTimelines.parts.keys))
    }

    @Test(arguments: StreamTimelines.parts.keys.sorted()) func timelineGoesAsItIsDrawn(_ name: String) throws {
        let blocks = try MarkdownFile(Self.article).blocks
        let picture = try #require(blocks.first { $0.mark == .init(verb: "played", name: name) }?.text)
        let connect = try #require(StreamTimelines.parts[name])
        for reading in TimelineReading.allCases { try Timeline(picture).run(reading: reading, connect) }
    }
}
