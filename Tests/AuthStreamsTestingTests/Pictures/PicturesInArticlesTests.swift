import Foundation
import TestSupport
import Testing

/// Each picture is a file in light and in dark, and an article of its module shows it with an alternative text.
@Suite struct PicturesInArticlesTests {
    private static let names: [String] = {
        let folder = packageRoot.appending(path: ".ci/pictures.d").path
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".picture") }.map { String($0.dropLast(".picture".count)) }.sorted()
    }()

    /// The articles that show each picture.
    private static let articles = [
        ("auth-states", "Sources/AuthStreams/AuthStreams.docc/Sessions.md"),
        ("other-app", "Sources/AuthStreamsApple/AuthStreamsApple.docc/OnAPhone.md"),
        ("refresh-across-processes", "Sources/AuthStreams/AuthStreams.docc/Sessions.md"),
        ("refresh-across-processes", "Sources/AuthStreams/AuthStreams.docc/HowASessionIsKept.md"),
        ("sign-in-chain", "Sources/AuthStreams/AuthStreams.docc/SigningIn.md"),
    ]

    @Test func anArticleShowsEachPicture() {
        #expect(!Self.names.isEmpty && Set(Self.articles.map(\.0)) == Set(Self.names))
    }

    @Test(arguments: names) func eachPictureCanBeReadAloud(name: String) throws {
        let table = try PictureTable(name)
        let (path, title) = (try #require(table.rows("file").first?[0]), try #require(table.rows("title").first?[0]))
        for file in [path, "\(path)~dark"] {
            let picture = try packageFile("\(file).svg")
            #expect(picture.contains("role=\"img\"") && picture.contains("<title id=\"title\">\(title)</title>"))
            #expect(picture.contains("<desc id=\"description\">"))
        }
    }

    @Test(arguments: articles) func articleShowsThePictureWithAText(name: String, article: String) throws {
        let path = try #require(try PictureTable(name).rows("file").first?[0])
        // Beside the article, so that it is also seen where the Markdown file is read.
        #expect(path.split(separator: "/").dropLast() == article.split(separator: "/").dropLast())
        let images = try packageFile(article).matches(of: /!\[([^\]]*)\]\(([^)]+)\)/)
        let image = try #require(images.first { $0.2 == "\(name).svg" })
        #expect(image.1.count > 80)
    }

    @Test func readmeShowsTheChainInLightAndDark() throws {
        let path = try #require(try PictureTable("sign-in-chain").rows("file").first?[0])
        let readme = try packageFile("README.md")
        #expect(readme.contains("srcset=\"\(path)~dark.svg\"") && readme.contains("src=\"\(path).svg\" alt=\""))
    }

    /// The article about sessions lists the transitions with the numbers of the arrows.
    @Test func tableOfTheTransitionsIsThatOfThePicture() throws {
        let table = try PictureTable("auth-states")
        let parents = Dictionary(table.rows("substate").map { ($0[0], $0[1]) }) { first, _ in first }
        let arrows = table.rows("arrow").map { (from: $0[0].components(separatedBy: ", "), to: $0[1]) }
        let drawn = try table.rows("transition").map { fields in
            let from = fields[0].components(separatedBy: ", ")
            let target = String(fields[1].prefix { $0 != "(" })
            let isInside = parents[from[0]] == parents[target]
            let to = isInside ? target : parents[target] ?? target
            let arrow = try #require(
                arrows.firstIndex { $0.to == to && Set(from).isSubset(of: $0.from) }, "\(fields) has no arrow.")
            return ["\(arrow + 1)", from.map { "`\($0)`" }.joined(separator: ", "), "`\(fields[1])`", fields[2]]
        }
        let rows = try MarkdownFile("Sources/AuthStreams/AuthStreams.docc/Sessions.md").rows
        #expect(rows.filter { $0.mark == .init(verb: "drawn", name: "auth-states") }.map(\.cells) == drawn)
        #expect(Set(drawn.map { $0[0] }).count == arrows.count, "An arrow has no transition.")
    }
}
