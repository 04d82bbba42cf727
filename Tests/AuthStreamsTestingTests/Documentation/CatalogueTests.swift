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
        let linked = try Set(links().map(\.file))
        #expect(Self.articles.filter { $0 != Self.map && !linked.contains($0) } == [])
        #expect(!Self.tutorials.isEmpty && linked.isSuperset(of: Self.tutorials))
    }

    /// A link leads to a file of the package, and to a heading there if it names one.
    @Test func everyLinkOfTheMapResolves() throws {
        for link in try links() {
            let text = try #require(try? packageFile(link.file), "\(link.file)")
            let headings = text.components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map(Self.anchor(of:))
            if let anchor = link.anchor { #expect(headings.contains(anchor), "\(link.file)#\(anchor)") }
        }
    }

    /// The links of the map: of DocC to an article of its own catalogue, otherwise to a file.
    private func links() throws -> [(file: String, anchor: String?)] {
        let folder = packageRoot.appending(path: Self.map).deletingLastPathComponent()
        let link = /<doc:([^>#]+)(?:#([^>]+))?>|\]\(([^)#]+)(?:#([^)]+))?\)/
        return try packageFile(Self.map).matches(of: link).map { match in
            let path = match.1.map { "\($0).md" } ?? String(match.3 ?? "")
            let file = folder.appending(path: path).standardizedFileURL.path
            let anchor = (match.2 ?? match.4).map { $0.lowercased() }
            return (String(file.dropFirst(packageRoot.standardizedFileURL.path.count).drop { $0 == "/" }), anchor)
        }
    }

    /// How links write a heading: small letters, and hyphens between words.
    private static func anchor(of heading: String) -> String {
        heading.drop { "# ".contains($0) }.lowercased().filter { $0.isLetter || $0.isNumber || " -".contains($0) }
            .replacing(" ", with: "-")
    }
}
