import Testing

/// The code that replaces a vendor's call is compiled.
@Suite struct ComingFromVendorSDKsTests {
    @Test func everyRowIsTheCodeOfACompiledFile() throws {
        let regions = try CompiledRegions(
            of: "ComingFromVendorSDKs", in: ["Tests/AuthStreamsTestingTests/Documentation"])
        let rows = try MarkdownFile("Sources/AuthStreams/AuthStreams.docc/ComingFromVendorSDKs.md").rows
            .filter { $0.mark.verb == "compiled" }
        #expect(regions.repeated == [])
        #expect(Set(rows.filter { !$0.code.isEmpty }.map(\.name)) == Set(regions.texts.keys))
        for row in rows where !row.code.isEmpty {
            #expect(row.code == regions.statements(of: row.name), "region \(row.name), line \(row.line)")
        }
    }
}
