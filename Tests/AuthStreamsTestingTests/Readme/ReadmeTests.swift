import Testing

/// The README's code is the code of compiled files, word for word.
@Suite struct ReadmeTests {
    @Test func everyBlockIsTheCodeOfACompiledFile() throws {
        let regions = try CompiledRegions(of: "README", in: ["Examples", "Tests/AuthStreamsTestingTests/Readme"])
        // The manifest is built by the check, in a package of its own.
        let blocks = try MarkdownFile("README.md").blocks.filter {
            $0.language == "swift" && $0.mark?.verb != "package"
        }
        #expect(blocks.count >= 4)
        for block in blocks {
            guard let mark = block.mark, mark.verb == "compiled" else {
                Issue.record("The block that ends at line \(block.line) names no compiled region.")
                continue
            }
            #expect(block.text == regions.texts[mark.name], "region \(mark.name), README line \(block.line)")
        }
    }

    @Test func theProductsAreThoseOfTheManifest() throws {
        let (manifest, readme) = (try packageFile("Package.swift"), try packageFile("README.md"))
        let products = manifest.matches(of: /\.library\(name: "(\w+)", targets/).map(\.1)
        #expect(products.count == 5)
        for product in products { #expect(readme.contains("`\(product)`"), "\(product)") }
    }

    @Test func aFurtherProviderTakesLessThanFortyLines() throws {
        let regions = try CompiledRegions(of: "README", in: ["Tests/AuthStreamsTestingTests/Readme"])
        let lines = try #require(regions.texts["a provider"]).split(separator: "\n", omittingEmptySubsequences: false)
        #expect((1..<40).contains(lines.count))
    }
}
