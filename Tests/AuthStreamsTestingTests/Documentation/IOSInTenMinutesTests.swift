import Testing

/// The article about the first app: its listing is compiled and short.
@Suite struct IOSInTenMinutesTests {
    /// The listing, by file: the service is that of the article about making one.
    private func listing() throws -> [String: String] {
        let folder = "Tests/AuthStreamsAppleTests/Documentation"
        let service = try CompiledRegions(of: "Composition", in: [folder]).texts
        return service.merging(try CompiledRegions(of: "IOSInTenMinutes", in: [folder]).texts) { first, _ in first }
    }

    @Test func everySwiftBlockIsTheCodeOfACompiledFile() throws {
        let article = try MarkdownFile("Sources/AuthStreamsApple/AuthStreamsApple.docc/IOSInTenMinutes.md")
        let blocks = article.blocks.filter { $0.language == "swift" }
        let listing = try listing()
        #expect(blocks.map { $0.mark?.name } == ["app", "view", "root", "logos", "uikit", "delegate"])
        for block in blocks { #expect(block.text == listing[block.mark?.name ?? ""], "line \(block.line)") }
    }

    @Test(arguments: [["app", "view", "root"], ["app", "uikit"]])
    func theListingHasAtMostFortyLines(parts: [String]) throws {
        let listing = try listing()
        let lines = try parts.flatMap {
            try #require(listing[$0]).split(separator: "\n").filter { !$0.isEmpty }
        }
        #expect((20...40).contains(lines.count), "\(lines.count) lines")
    }
}
