import AuthStreamsTesting
import Foundation
import Testing

/// The articles about a provider of one's own show the package that is built outside of this one.
@Suite struct AddAProviderArticleTests {
    private static func article(_ name: String) throws -> MarkdownFile {
        try MarkdownFile("Sources/AuthStreamsOAuth/AuthStreamsOAuth.docc/\(name).md")
    }

    private func regions(of article: String = "AddAProvider") throws -> CompiledRegions {
        try CompiledRegions(of: article, in: ["Examples/AddAProvider/Sources", "Examples/AddAProvider/Tests"])
    }

    @Test(arguments: ["AddAProvider", "ProviderPromises", "SecretOnTheServer"])
    func everySwiftBlockIsTheCodeOfACompiledFile(article: String) throws {
        let regions = try regions(of: article)
        let blocks = try Self.article(article).blocks.filter { $0.language == "swift" }
        #expect(!blocks.isEmpty)
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
        let rows = try Self.article("ProviderPromises").rows
            .filter { $0.mark == .init(verb: "table", name: "promises") }
        #expect(rows.map(\.name) == AuthProviderContract.checks.map(\.name))
    }
}
