import Foundation
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

    @Test func bothLanguagesShowTheSameProperties() throws {
        let files = try Self.articles.map { try MarkdownFile($0) }
        let shown = files.map { file in file.blocks.filter { $0.language == "xml" }.map(\.text) }
        #expect(shown.allSatisfy { $0 == shown[0] && !$0.isEmpty })
    }

    /// Sentences differ, and the code in them does not: symbols, keys and links, by section.
    @Test func bothLanguagesNameTheSame() throws {
        let sections = try Self.articles.map { path in
            try packageFile(path).components(separatedBy: "\n## ").map { section in
                let prose = section.replacing(/```[^`]*```/, with: "")
                let rows = prose.components(separatedBy: "\n").count { $0.hasPrefix("| ") || $0.hasPrefix("- ") }
                return prose.matches(of: /`+([^`]+)`+|<doc:(\w+)>/).map { match in
                    // What stands for a value of the app's is in the language of the article.
                    String(match.1 ?? match.2 ?? "").replacing(/\{[^}]*\}/, with: "{}")
                }.sorted() + ["\(rows) rows"]
            }
        }
        #expect(sections[0].count > 5)
        #expect(sections[0] == sections[1])
    }
}
