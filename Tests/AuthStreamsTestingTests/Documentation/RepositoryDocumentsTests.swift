import Foundation
import Testing

/// What the documents around the code name exists: the README, those beside examples and stubs, and the files of `.github`.
///
/// The links of articles are those of DocC, which the stage 'docs' of .ci/run checks.
@Suite struct RepositoryDocumentsTests {
    private static let contributing = ".github/CONTRIBUTING.md"

    /// Markdown alone.
    static let documents = files.filter { $0.hasSuffix(".md") }

    /// Their paths, from the package's root.
    static let files: [String] = {
        func below(_ folder: String) -> [String] {
            let root = packageRoot.appending(path: folder).path
            let paths = (FileManager.default.enumerator(atPath: root)?.allObjects ?? []).compactMap { $0 as? String }
            return paths.filter { $0.contains(".") }.map { "\(folder)/\($0)" }
        }
        let readMes = (below("Examples") + below("Tests")).filter { $0.hasSuffix("/README.md") }
        return (["README.md", ".spi.yml"] + readMes + below(".github")).sorted()
    }()

    @Test func theyAreThere() {
        let expected = [
            "README.md", "Tests/AppleStubs/README.md", "Examples/PulseBoardApp/README.md", Self.contributing,
            ".github/SECURITY.md", ".github/CHANGELOG.md", ".github/ISSUE_TEMPLATE/bug.yml",
            ".github/workflows/linux.yml", ".github/workflows/macos.yml",
        ]
        #expect(Set(expected).isSubset(of: Self.files))
    }

    @Test(arguments: documents) func linksLeadToFilesAndHeadings(document: String) throws {
        for link in try MarkdownLink.all(in: packageFile(document), of: document) where !link.isAddress {
            #expect(Self.exists(link.target), "\(link)")
            guard let anchor = link.anchor else { continue }
            #expect(try MarkdownLink.anchors(of: packageFile(link.target)).contains(anchor), "\(link)")
        }
    }

    @Test(arguments: files) func pathsThatAreNamedExist(file: String) throws {
        let paths = try packageFile(file).matches(
            of: /(?:^|[^\w.\/-])(?:\.\.\/)*((?:Sources|Tests|Examples|\.ci|\.github)\/[\w.\/+~-]*\w)/)
        for path in paths.map({ String($0.1) }) {
            #expect(Self.exists(path) || Self.exists(packagePath(path, from: file)), "\(path)")
        }
    }

    @Test(arguments: files) func stagesThatAreNamedExist(file: String) throws {
        let known = try Self.stages().union(["quick", "list"])
        for call in try packageFile(file).matches(of: /\.ci\/run((?: [a-z][a-z-]*)+)/) {
            #expect(Set(call.1.split(separator: " ").map(String.init)).subtracting(known) == [])
        }
    }

    @Test func everyStageIsExplainedToContributors() throws {
        let rows = try MarkdownFile(Self.contributing).rows.filter { $0.mark == .init(verb: "table", name: "stages") }
        let explained = rows.flatMap { ($0.cells.first ?? "").matches(of: /`([^`]+)`/).map { String($0.1) } }
        #expect(try Set(explained) == Self.stages())
    }

    /// Packages, products and targets that the workflows, the forms and the Swift Package Index's manifest name.
    @Test(arguments: files.filter { $0.hasSuffix(".yml") }) func modulesThatAreNamedExist(file: String) throws {
        let manifests = try packageFile("Package.swift") + packageFile("Examples/PulseBoardApp/Package.swift")
        for name in try packageFile(file).matches(of: /\b(?:AuthStreams|PulseBoard)\w*/).map(\.output) {
            #expect(manifests.contains("\"\(name)\""), "\(name)")
        }
    }

    @Test func documentationIsMadeOfEveryProduct() throws {
        let products = try packageFile("Package.swift").matches(of: /\.library\(name: "(\w+)", targets/).map { $0.1 }
        let manifest = try packageFile(".spi.yml")
        #expect(manifest.matches(of: /(?m)^ {8}- (\w+)$/).map { $0.1 } == products)
        #expect(manifest.utf8.count <= 1000)
    }

    /// The README says with which Swift the package is tested.
    @Test func theImageHasTheSwiftOfTheReadme() throws {
        let image = try #require(packageFile(".github/workflows/linux.yml").firstMatch(of: /image: swift:([\d.]+)/))
        #expect(try packageFile("README.md").contains("on Linux with Swift \(image.1),"))
    }

    // MARK: Reading

    /// The stages of .ci/run, from its lists `quick=(…)`, `whole=(…)` and `long=(…)`.
    private static func stages() throws -> Set<String> {
        let lists = try packageFile(".ci/run").matches(of: /(?m)^(?:quick|whole|long)=\((.*)\)$/)
        #expect(lists.count == 3)
        return Set(lists.flatMap { $0.1.split(separator: " ") }.filter { !$0.contains("$") }.map(String.init))
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: packageRoot.appending(path: path).path)
    }
}
