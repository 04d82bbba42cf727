import AuthStreamsTesting
import Foundation
import Testing

/// What the article for people who know RxSwift or Combine shows is what compiled files do, word for word.
@Suite struct ComingFromRxSwiftTests {
    private static let article = "Sources/AuthStreams/AuthStreams.docc/ComingFromRxSwift.md"

    private func regions() throws -> CompiledRegions {
        try CompiledRegions(of: "ComingFromRxSwift", in: ["Tests/AuthStreamsTestingTests/Documentation"])
    }

    @Test func everySwiftBlockIsTheCodeOfACompiledFile() throws {
        let regions = try regions()
        #expect(regions.repeated == [])
        for block in try MarkdownFile(Self.article).blocks {
            guard let mark = block.mark, mark.verb == "compiled" else {
                Issue.record("The block that ends at line \(block.line) names no compiled region.")
                continue
            }
            #expect(block.text == regions.texts[mark.name], "region \(mark.name), line \(block.line)")
        }
    }

    @Test func everyRowIsTheCodeOfACompiledFile() throws {
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
}
