import Testing

/// The code that replaces a vendor's call is compiled.
@Suite struct ComingFromVendorSDKsTests {
    @Test func everyRowAndBlockIsTheCodeOfACompiledFile() throws {
        let regions = try CompiledRegions(
            of: "ComingFromVendorSDKs", in: ["Tests/AuthStreamsTestingTests/Documentation"])
        let article = try MarkdownFile("Sources/AuthStreams/AuthStreams.docc/ComingFromVendorSDKs.md")
        let rows = article.rows.filter { $0.mark.verb == "compiled" }
        let blocks = article.blocks.compactMap { block in block.mark.map { ($0.name, block) } }
        #expect(regions.repeated == [])
        #expect(
            Set(rows.filter { !$0.code.isEmpty }.map(\.name) + blocks.map(\.0)) == Set(regions.texts.keys))
        for (name, block) in blocks { #expect(block.text == regions.texts[name], "line \(block.line)") }
        for row in rows where !row.code.isEmpty {
            #expect(row.code == regions.statements(of: row.name), "region \(row.name), line \(row.line)")
        }
    }
}
