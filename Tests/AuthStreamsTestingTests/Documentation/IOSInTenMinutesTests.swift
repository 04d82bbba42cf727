import Testing

/// The article about the first app, in English and in Korean: its listing is compiled and short.
@Suite struct IOSInTenMinutesTests {
    private static let articles = ["IOSInTenMinutes", "IOSInTenMinutesKorean"].map {
        "Sources/AuthStreamsApple/AuthStreamsApple.docc/\($0).md"
    }

    /// The listing, by file: the service is that of the article about making one.
    private func listing() throws -> [String: String] {
        let folder = "Tests/AuthStreamsAppleTests/Documentation"
        let service = try CompiledRegions(of: "Composition", in: [folder]).texts
        return service.merging(try CompiledRegions(of: "IOSInTenMinutes", in: [folder]).texts) { first, _ in first }
    }

    @Test(arguments: articles) func everySwiftBlockIsTheCodeOfACompiledFile(path: String) throws {
        let blocks = try MarkdownFile(path).blocks.filter { $0.language == "swift" }
        let listing = try listing()
        #expect(blocks.map { $0.mark?.name } == ["app", "view", "delegate"])
        for block in blocks { #expect(block.text == listing[block.mark?.name ?? ""], "line \(block.line)") }
    }

    @Test func theListingHasAtMostFortyLines() throws {
        let listing = try listing()
        let lines = try ["app", "view"].flatMap {
            try #require(listing[$0]).split(separator: "\n").filter { !$0.isEmpty }
        }
        #expect((20...40).contains(lines.count), "\(lines.count) lines")
    }

    @Test func bothLanguagesShowTheSameProperties() throws {
        let files = try Self.articles.map { try MarkdownFile($0) }
        let shown = files.map { file in file.blocks.filter { $0.language == "xml" }.map(\.text) }
        #expect(shown.allSatisfy { $0 == shown[0] && !$0.isEmpty })
    }
}
