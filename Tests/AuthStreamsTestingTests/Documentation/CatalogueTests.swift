import Foundation
import Testing

/// The articles of all catalogues: each is short, has a place in its catalogue, and is in the map.
@Suite struct CatalogueTests {
    private static let map = "Sources/AuthStreams/AuthStreams.docc/TheMap.md"

    /// The articles and the root pages of the modules, by their paths from the package's root.
    private static let files = catalogued.filter { $0.hasSuffix(".md") }

    /// The tutorials, without their table of contents.
    private static let tutorials = catalogued.filter { path in
        path.hasSuffix(".tutorial") && (try? packageFile(path))?.hasPrefix("@Tutorial(") == true
    }

    private static let catalogued: [String] = {
        let sources = packageRoot.appending(path: "Sources")
        let paths = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.contains(".docc/") }.map { "Sources/\($0)" }.sorted()
    }()

    private static var articles: [String] { files.filter { $0 != root(of: $0) } }

    /// The page of the module: `Sources/Module/Module.docc/Module.md`.
    private static func root(of file: String) -> String {
        let module = file.split(separator: "/")[1]
        return "Sources/\(module)/\(module).docc/\(module).md"
    }

    private static func name(of file: String) -> String {
        URL(filePath: file).deletingPathExtension().lastPathComponent
    }

    @Test(arguments: files) func anArticleHasAtMostTwoHundredAndFiftyLines(file: String) throws {
        let lines = try packageFile(file).split(separator: "\n", omittingEmptySubsequences: false).dropLast().count
        #expect((1...250).contains(lines), "\(file): \(lines) lines")
    }

    @Test(arguments: articles) func anArticleIsATopicOfItsCatalogue(file: String) throws {
        let root = try packageFile(Self.root(of: file))
        #expect(root.contains("\n- <doc:\(Self.name(of: file))>\n"), "\(file)")
    }

    @Test func theMapHasEveryArticle() throws {
        let linked = try Set(Self.linksOfTheMap.map(\.target))
        #expect(Self.articles.filter { $0 != Self.map && !linked.contains($0) } == [])
        #expect(!Self.tutorials.isEmpty && linked.isSuperset(of: Self.tutorials))
    }

    /// A link leads to a file of the package, and to a heading there if it names one.
    @Test func everyLinkOfTheMapResolves() throws {
        for link in try Self.linksOfTheMap {
            let text = try #require(try? packageFile(link.target), "\(link)")
            if let anchor = link.anchor { #expect(MarkdownLink.anchors(of: text).contains(anchor), "\(link)") }
        }
    }

    private static var linksOfTheMap: [MarkdownLink] {
        get throws { try MarkdownLink.all(in: packageFile(map), of: map) }
    }
}
