import Foundation
import TestSupport
import Testing

@Suite struct SuiteCostsTests {
    private func line(_ kind: String, _ test: String?) -> Data {
        let test = test.map { #","testID":"\#($0)""# } ?? ""
        return Data(#"{"kind":"event","payload":{"kind":"\#(kind)"\#(test)}}"#.utf8)
    }

    @Test func tenMostExpensiveSuitesAreNamedWhenTheRunEnds() {
        var costs = SuiteCosts(processorTime: .seconds(5))
        var time = Duration.seconds(5)
        for round in 1...2 {
            for suite in 1...11 {
                time += .seconds(suite)
                let test = "M.S\(suite)/test\(round)()/F.swift:1:2"
                #expect(costs.record(line("testStarted", test), processorTime: .zero) == nil)
                #expect(costs.record(line("testEnded", test), processorTime: time) == nil)
            }
            #expect(costs.record(line("testEnded", "M.S1"), processorTime: time) == nil)
        }
        let report = costs.record(line("runEnded", nil), processorTime: time)
        #expect(report == (2...11).reversed().map { "costs: \($0 * 2) s M.S\($0)\n" }.joined())
    }

    @Test func otherLinesCostNothing() {
        var costs = SuiteCosts(processorTime: .zero)
        #expect(costs.record(Data(#"{"kind":"test"}"#.utf8), processorTime: .seconds(1)) == nil)
        #expect(costs.record(line("runEnded", nil), processorTime: .seconds(2)) == "")
    }

    /// The check of all cases finds the suites by the names of their files.
    @Test func suiteWithAVolumeHasTheNameOfItsFile() throws {
        let files = try sourceFiles(below: "Tests").filter {
            $0.value.contains("TestVolume.") && !$0.key.hasPrefix("Tests/TestSupport")
        }
        #expect(!files.isEmpty)
        for (path, text) in files {
            let name = path.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? ""
            #expect(name.hasSuffix("Tests") && text.contains("struct \(name) {"), "\(path)")
        }
    }
}
