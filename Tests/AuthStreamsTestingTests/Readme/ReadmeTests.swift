import Testing

/// The README's code is the code of compiled files, word for word.
@Suite struct ReadmeTests {
    @Test func everyBlockIsTheCodeOfACompiledFile() throws {
        // The tests with stubs of Apple's frameworks compile it. The service is that of the article about making one.
        let folder = "Tests/AuthStreamsAppleTests/Documentation"
        let regions = try CompiledRegions(of: "README", in: [folder])
        let texts = try CompiledRegions(of: "Composition", in: [folder]).texts.merging(regions.texts) { _, own in own }
        let blocks = try MarkdownFile("README.md").blocks.filter { $0.language == "swift" }
        #expect(blocks.map { $0.mark?.name } == ["app", "screen", "root", "states"])
        for block in blocks { #expect(block.text == texts[block.mark?.name ?? ""], "README line \(block.line)") }
    }

    @Test func itHasAtMostTwoHundredLines() throws {
        #expect(try packageFile("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
    }

    @Test func theProductsAreThoseOfTheManifest() throws {
        let (manifest, readme) = (try packageFile("Package.swift"), try packageFile("README.md"))
        let products = manifest.matches(of: /\.library\(name: "(\w+)", targets/).map(\.1)
        #expect(products.count == 6)
        for product in products { #expect(readme.contains("`\(product)`"), "\(product)") }
    }
}
