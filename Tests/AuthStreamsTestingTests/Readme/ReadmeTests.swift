import Foundation
import Testing

/// The README's code is the code of compiled files, word for word.
@Suite struct ReadmeTests {
    private static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// A Swift block of the README, and the region that the comment before it names.
    private struct Block {
        let region: String?
        let line: Int
        let code: String
    }

    @Test func everyBlockIsTheCodeOfACompiledFile() throws {
        let blocks = try blocks()
        #expect(blocks.count >= 4)
        for block in blocks {
            guard let name = block.region else {
                Issue.record("The block that ends at line \(block.line) names no compiled region.")
                continue
            }
            #expect(try block.code == region(name), "region \(name), README line \(block.line)")
        }
    }

    @Test func theProductsAreThoseOfTheManifest() throws {
        let (manifest, readme) = (try text(of: "Package.swift"), try text(of: "README.md"))
        let products = manifest.matches(of: /\.library\(name: "(\w+)", targets/).map(\.1)
        #expect(products.count == 4)
        for product in products { #expect(readme.contains("`\(product)`"), "\(product)") }
    }

    private func text(of file: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    }

    private func blocks() throws -> [Block] {
        var blocks: [Block] = []
        var region: String?
        var code: [String]?
        for (index, line) in try text(of: "README.md").components(separatedBy: "\n").enumerated() {
            if let lines = code {
                code = line == "```" ? nil : lines + [line]
                guard code == nil else { continue }
                blocks.append(Block(region: region, line: index + 1, code: lines.joined(separator: "\n")))
                region = nil
            } else if line == "```swift" {
                code = []
            } else if let name = line.wholeMatch(of: /<!-- compiled: (.+) -->/)?.1 {
                region = String(name)
            }
        }
        return blocks
    }

    /// The text between `// README: name` and `// README end` in a compiled file, without its common indentation.
    private func region(_ name: String) throws -> String {
        for file in try compiledFiles() {
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            let marks = lines.map { $0.trimmingCharacters(in: .whitespaces) }
            guard let first = marks.firstIndex(of: "// README: \(name)"),
                let last = marks[first...].firstIndex(of: "// README end")
            else { continue }
            let body = lines[(first + 1)..<last]
            let indent = body.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
            return body.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
        }
        throw MissingRegion(name: name)
    }

    private func compiledFiles() throws -> [URL] {
        ["Examples", "Tests/AuthStreamsTestingTests/Readme"].flatMap { folder in
            FileManager.default.enumerator(at: Self.root.appending(path: folder), includingPropertiesForKeys: nil)?
                .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
        }
    }

    private struct MissingRegion: Error {
        let name: String
    }
}
