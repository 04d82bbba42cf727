import Foundation
import TestSupport
import Testing

@Suite struct SuiteCostsTests {
    private func line(_ kind: String, _ test: String?) -> Data {
        let test = test.map { #","testID":"\#($0)""# } ?? ""
        return Data(#"{"kind":"event","payload":{"kind":"\#(kind)"\#(test)}}"#.utf8)
    }

    @Test func eachTestCostsTheTimeSinceTheOneBefore() {
        var costs = SuiteCosts(processorTime: .seconds(5))
        #expect(costs.record(line("testStarted", "M.S/a()/F.swift:1:2"), processorTime: .zero) == nil)
        #expect(
            costs.record(line("testEnded", "M.S/a()/F.swift:1:2"), processorTime: .seconds(6)) == "costs: 1000.0 M.S\n")
        #expect(costs.record(line("testEnded", "M.S"), processorTime: .milliseconds(6250)) == nil)
        #expect(
            costs.record(line("testEnded", "M.T/b()/F.swift:3:4"), processorTime: .seconds(7)) == "costs: 1000.0 M.T\n")
    }

    @Test func otherLinesCostNothing() {
        var costs = SuiteCosts(processorTime: .zero)
        #expect(costs.record(Data(#"{"kind":"test"}"#.utf8), processorTime: .seconds(1)) == nil)
        #expect(costs.record(line("runEnded", nil), processorTime: .seconds(2)) == nil)
    }

    /// The stage of all cases finds the suites by the names of their files.
    @Test func suiteWithAVolumeHasTheNameOfItsFile() throws {
        let files = try sourceFiles(below: "Tests").filter {
            $0.value.contains("TestVolume.") && !$0.key.hasPrefix("Tests/TestSupport")
        }
        #expect(!files.isEmpty)
        for (path, text) in files {
            let name = path.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? ""
            #expect(name.hasSuffix("Tests") && text.contains("struct \(name) {"), "\(path)")
            #expect(text.components(separatedBy: "@Suite").count == 2, "\(path)")
        }
    }
}
