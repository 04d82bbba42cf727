import AuthStreamsTesting
import Foundation
import Testing

/// The article about a provider of one's own shows the package that is built outside of this one.
@Suite struct AddAProviderArticleTests {
    private static let article = "Sources/AuthStreamsOAuth/AuthStreamsOAuth.docc/AddAProvider.md"

    private func regions() throws -> CompiledRegions {
        try CompiledRegions(
            of: "AddAProvider", in: ["Examples/AddAProvider/Sources", "Examples/AddAProvider/Tests"])
    }

    @Test func everySwiftBlockIsTheCodeOfACompiledFile() throws {
        let regions = try regions()
        let blocks = try MarkdownFile(Self.article).blocks.filter { $0.language == "swift" }
        #expect(regions.repeated == [])
        #expect(Set(blocks.compactMap { $0.mark?.name }) == Set(regions.texts.keys))
        for block in blocks { #expect(block.text == regions.texts[block.mark?.name ?? ""], "line \(block.line)") }
    }

    @Test(arguments: ["LINE", "GitHub"]) func aProviderTakesAtMostThirtyLines(name: String) throws {
        let text = try #require(regions().texts[name])
        let code = text.components(separatedBy: "\n").filter { line in
            let line = line.drop { $0 == " " }
            return !line.isEmpty && !line.hasPrefix("//")
        }
        #expect((1...30).contains(code.count))
    }

    @Test func thePromisesAreThoseOfTheContract() throws {
        let rows = try MarkdownFile(Self.article).rows.filter { $0.mark == .init(verb: "table", name: "promises") }
        #expect(rows.map(\.name) == AuthProviderContract.checks.map(\.name))
    }
}
