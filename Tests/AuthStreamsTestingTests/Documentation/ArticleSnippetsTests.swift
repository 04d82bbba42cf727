import AuthStreamsTesting
import Foundation
import Testing

/// An article shows the code of compiled files, word for word, and all of it.
@Suite struct ArticleSnippetsTests {
    @Test(arguments: Article.all) func everySwiftBlockIsTheCodeOfACompiledFile(_ article: Article) throws {
        let regions = try CompiledRegions(of: article.word, in: article.folders)
        // A manifest is built by the check, in a package of its own.
        let blocks = try MarkdownFile(article.path).blocks.filter {
            $0.language == "swift" && $0.mark?.verb != "package"
        }
        #expect(regions.repeated == [])
        #expect(Set(blocks.compactMap { $0.mark?.name }) == Set(regions.texts.keys))
        for block in blocks { #expect(block.text == regions.texts[block.mark?.name ?? ""], "line \(block.line)") }
    }

    @Test func aFurtherProviderTakesLessThanFortyLines() throws {
        let regions = try CompiledRegions(of: "YourOwnParts", in: ["Tests/AuthStreamsTestingTests/Documentation"])
        let lines = try #require(regions.texts["a provider"]).split(separator: "\n", omittingEmptySubsequences: false)
        #expect((1..<40).contains(lines.count))
    }

    /// The events to measure are kinds of events.
    @Test func everyEventOfTheArticleExists() throws {
        let kinds = try packageFile("Sources/AuthStreams/Streams/AuthEvent.swift")
            .matches(of: /static let (\w+) = Self\("(\w+)"\)/).map { String($0.2) }
        let rows = try MarkdownFile("Sources/AuthStreams/AuthStreams.docc/LogAndMeasure.md").rows
            .filter { $0.mark == .init(verb: "table", name: "events") }
        #expect(rows.count > 8)
        for row in rows {
            // After 'with' come codes of errors.
            let named = row.cells[1].components(separatedBy: " with ")[0].matches(of: /`(\w+)`/).map { String($0.1) }
            #expect(!named.isEmpty && Set(named).isSubset(of: kinds), "line \(row.line)")
        }
    }
}
