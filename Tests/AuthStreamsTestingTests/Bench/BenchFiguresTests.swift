import AuthStreams
import Foundation
import Testing

@testable import bench

/// How samples become figures, and figures verdicts.
@Suite struct BenchFiguresTests {
    @Test(arguments: [([3.0], 3.0), ([9.0, 1, 2], 2), ([4.0, 1, 2, 100], 3)] as [([Double], Double)])
    func theMedianIsInTheMiddle(values: [Double], expected: Double) {
        #expect(values.median == expected)
    }

    @Test func noValuesHaveNoMedian() { #expect([Double]().median == nil) }

    @Test(
        arguments: [
            (.amount, 2), (.cost(beside: .newest), 0.25), (.gain(over: [.newest]), 4), (.gain(over: [.unbounded]), 3),
            (.gain(over: [.newest, .unbounded]), 3), (.cost(beside: .bare), nil), (.gain(over: [.bare]), nil),
        ] as [(Figure, Double?)])
    func figuresCompareMedians(figure: Figure, expected: Double?) {
        #expect(figure.value(of: [.ours: [1, 2, 90], .newest: [8, 0, 9], .unbounded: [6, 5, 7]]) == expected)
        #expect(figure.value(of: [.newest: [8], .unbounded: [6], .bare: [1]]) == nil)
    }

    @Test(arguments: [(2.3, Verdict.aim), (2.29, .must), (1.7, .must), (1.69, .missed)])
    func moreIsBetterThanALowerBound(figure: Double, expected: Verdict) {
        #expect(Bound.atLeast(must: 1.7, aim: 2.3).verdict(on: figure) == expected)
    }

    @Test(arguments: [(0.0, Verdict.aim), (128, .aim), (129, .must), (256, .must), (257, .missed)])
    func lessIsBetterThanAnUpperBound(figure: Double, expected: Verdict) {
        #expect(Bound.atMost(must: 256, aim: 128).verdict(on: figure) == expected)
    }

    @Test(arguments: [
        (Verdict.aim, true, true), (.must, true, true), (.missed, false, true), (.notMeasured, true, true),
        (.failed, false, false),
    ])
    func oneMissedOrFailedFigureIsEnough(verdict: Verdict, isOK: Bool, isOKAsSmoke: Bool) {
        #expect(Summary(suite: "dice", Rounds(), [.aim, verdict]).isOK == isOK)
        #expect(Summary(suite: "dice", Rounds(isSmoke: true), [.aim, verdict]).isOK == isOKAsSmoke)
    }

    @Test func errorsBecomeVerdictsWithAReason() async {
        for (error, verdict) in [
            (Unavailable(description: "Not here.") as any Error, Verdict.notMeasured),
            (Mistake(description: "Not here."), .failed),
        ] {
            let row = await measure { _ in throw error }.row(Rounds())
            #expect(row.verdict == verdict)
            #expect(Table(columns: [.ours], isSmoke: true).line(row).hasSuffix("\(verdict.rawValue)\n    Not here."))
        }
    }

    @Test func aFigureThatIsNoNumberIsNotMeasured() async {
        let row = await measure { _ in [.ours: [0], .newest: [1]] }.row(Rounds())
        #expect(row.figure == nil)
        #expect(row.verdict == .notMeasured)
    }

    @Test func contendersTakeTurnsAndTurnsAtBeginning() async throws {
        let turns = Guarded<[String]>([])
        let turn: @Sendable (String) -> Double = { name in
            turns.withLock { turns in
                turns.append(name)
                return Double(turns.count)
            }
        }
        let samples = try await Rounds(count: 3).interleave([(.ours, { turn("a") }), (.bare, { turn("b") })])
        // The first round warms up.
        #expect(turns.withLock { $0 } == ["a", "b", "a", "b", "b", "a", "a", "b"])
        #expect(samples == [.ours: [3, 6, 7], .bare: [4, 5, 8]])
    }

    @Test func aLineOfJSONHasAllOfTheRow() async throws {
        let row = await measure { _ in [.ours: [2, 1, 3], .newest: [4]] }.row(Rounds())
        let line = try JSONDecoder().decode(AuthJSON.self, from: Data(JSONLine(row).json.utf8))
        #expect(
            line == [
                "id": "roll", "title": "dice, roll", "unit": "s", "figure": 2, "figureUnit": "x",
                "bound": ["atLeast": ["must": 2, "aim": 4]], "verdict": "must",
                "samples": ["ours": [2, 1, 3], "newest 1": [4]],
            ])
    }

    @Test func theTableHasAColumnForEachContender() async throws {
        let table = Table(columns: [.ours, .newest, .unbounded], isSmoke: false)
        let line = table.line(await measure { _ in [.ours: [1], .unbounded: [3]] }.row(Rounds()))
        let head = try #require(table.head("Dice", Rounds(count: 9)).split(separator: "\n").last)
        #expect(words(head) == "quantity unit ours newest 1 unbounded figure must aim verdict")
        // The other contender did not take part, and has its column all the same.
        #expect(words(line) == "dice, roll s 1.00 3.00 – ≥ 2.0 ≥ 4.0 not measured")
        let place = try #require(head.range(of: "unbounded")?.upperBound)
        #expect(line.prefix(head[..<place].count).hasSuffix("3.00"))
    }

    @Test(arguments: [
        (0.0, "0.00"), (1.234, "1.23"), (9.999, "10.0"), (12.34, "12.3"), (99.99, "100"), (1234.5, "1234"),
    ])
    func numbersHaveThreeDigits(number: Double, expected: String) {
        #expect(number.threeDigits == expected)
    }

    @Test func theTotalsOfTheHeapFollowItsArenas() {
        let report = """
            <heap nr="0">
            <total type="fast" count="0" size="7"/>
            <total type="rest" count="2" size="70"/>
            <system type="current" size="700"/>
            </heap>
            <total type="fast" count="1" size="10"/>
            <total type="rest" count="2" size="200"/>
            <total type="mmap" count="1" size="5000"/>
            <system type="current" size="1000"/>
            <system type="max" size="9000"/>
            """
        #expect(HeapUse.bytes(in: report) == 5790)
        #expect(HeapUse.bytes(in: "<malloc/>") == nil)
    }

    private func measure(_ run: @escaping @Sendable (Rounds) async throws -> Samples) -> Measure {
        Measure(
            id: "roll", title: "dice, roll", unit: "s", figure: .gain(over: [.newest]),
            bound: .atLeast(must: 2, aim: 4), run: run)
    }

    private func words(_ line: some StringProtocol) -> String { line.split(separator: " ").joined(separator: " ") }
}
