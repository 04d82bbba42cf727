import Testing

@testable import faults

@Suite struct LineageTests {
    @Test func aSessionOfAChangeIsItsSignIns() {
        var lineage = Lineage()
        for mark in 1...2 { lineage.made(at: mark, from: nil) }
        lineage.made(at: 3, from: 1)
        lineage.made(at: 4, from: 2)
        #expect((0...3).map(lineage.root) == [0, 1, 1, 1])
        #expect((0...3).map(lineage.birth) == [1, 2, 2, 2])
    }
}
