import Foundation
import Testing

@testable import bench

/// How samples become figures, and figures verdicts.
@Suite struct BenchFiguresTests {
    @Test(arguments: [([3.0], 3.0), ([9.0, 1, 2], 2), ([4.0, 1, 2, 100], 3)] as [([Double], Double)])
    func theMedianIsTheMiddle(values: [Double], expected: Double) {
        #expect(Samples(values).median == expected)
    }

    @Test func noSamplesHaveNoMedian() {
        #expect(Samples().median == nil)
    }

    @Test func ratiosCompareMedians() {
        let comparison = Comparison(
            ours: Samples([1, 2, 90]), rivals: [.newest: Samples([8, 0, 9]), .unbounded: Samples([6, 5, 7])])
        #expect(comparison.ratio(against: .newest) == 4)
        #expect(comparison.ratio(against: .unbounded) == 3)
        #expect(comparison.ratio(against: .better) == 3)
    }

    @Test func aRatioNeedsBothSides() {
        let ours = Samples([1])
        #expect(Comparison(ours: ours).ratio(against: .better) == nil)
        #expect(Comparison(ours: ours, rivals: [.unbounded: Samples([2])]).ratio(against: .newest) == nil)
        #expect(Comparison(ours: ours, rivals: [.unbounded: Samples([2])]).ratio(against: .better) == 2)
        #expect(Comparison(ours: Samples([0]), rivals: [.newest: ours]).ratio(against: .newest) == nil)
    }

    @Test(arguments: [(2.3, Verdict.aim), (2.29, .must), (1.7, .must), (1.69, .missed), (.nan, .notMeasured)])
    func moreIsBetterThanALowerBound(figure: Double, expected: Verdict) {
        #expect(Bound.atLeast(must: 1.7, aim: 2.3).verdict(on: figure) == expected)
    }

    @Test(arguments: [(0.0, Verdict.aim), (128, .aim), (129, .must), (256, .must), (257, .missed)])
    func lessIsBetterThanAnUpperBound(figure: Double, expected: Verdict) {
        #expect(Bound.atMost(must: 256, aim: 128).verdict(on: figure) == expected)
    }

    @Test func whatWasNotMeasuredIsNeitherHeldNorMissed() {
        let row = Row("memory", "memory", notMeasured: "Not here.", .atMost(must: 256, aim: 128))
        var summary = Summary(suite: "streams", rounds: Rounds())
        summary.add(row)
        #expect(row.verdict == .notMeasured)
        #expect(summary.isOK)
        #expect(summary.count(.notMeasured) == 1)
        #expect(summary.count(.must) + summary.count(.aim) == 0)
    }

    @Test func oneMissedFigureIsEnough() {
        var summary = Summary(suite: "streams", rounds: Rounds())
        summary.add(Row("a", "a", unit: "ns", ours: Samples([1]), .atMost(must: 2, aim: 1)))
        #expect(summary.isOK)
        summary.add(Row("b", "b", unit: "ns", ours: Samples([3]), .atMost(must: 2, aim: 1)))
        #expect(!summary.isOK)
    }

    @Test(arguments: [false, true]) func whatDoesNotWorkFailsTheRun(isSmoke: Bool) {
        let row = Row("kakao", "Kakao", failed: "Nobody there.", .atMost(must: 1.25, aim: 1.1))
        #expect(row.verdict == .failed)
        var summary = Summary(suite: "chain", rounds: Rounds(isSmoke: isSmoke))
        summary.add(row)
        #expect(!summary.isOK)
        #expect(TextReport(suite: .chain, isSmoke: isSmoke).line(row).hasSuffix("FAILED"))
    }

    @Test func contendersTakeTurnsAndTurnsAtBeginning() async {
        let turns = EventLog()
        let samples = await Rounds(count: 3).interleave([
            { turns.note("a") }, { turns.note("b") },
        ])
        // The first round warms up.
        #expect(turns.all == ["a", "b", "a", "b", "b", "a", "a", "b"])
        #expect(samples.map(\.values) == [[3, 6, 7], [4, 5, 8]])
    }

    @Test func aLineOfJSONSaysAllThatTheTableSays() throws {
        let comparison = Comparison(
            ours: Samples([2, 1, 3]), rivals: [.newest: Samples([4]), .unbounded: Samples([6])])
        let row = Row(
            "lockstep-1", "lockstep, 1 reader", unit: "ns/delivery", comparison, against: .better,
            .atLeast(must: 1.7, aim: 2.3))
        let data = try JSONEncoder().encode(JSONReport.Line(row))
        let line = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(line["type"] as? String == "row")
        #expect(line["id"] as? String == "lockstep-1")
        #expect(line["figure"] as? Double == 2)
        #expect(line["figureUnit"] as? String == "x")
        #expect(line["comparison"] as? String == "atLeast")
        #expect(line["must"] as? Double == 1.7)
        #expect(line["aim"] as? Double == 2.3)
        #expect(line["verdict"] as? String == "must")
        #expect(line["ours"] as? [String: Double] == ["median": 2, "smallest": 1, "largest": 3])
        #expect((line["newest1"] as? [String: Double])?["median"] == 4)
        #expect((line["unbounded"] as? [String: Double])?["median"] == 6)
    }

    @Test func theTableHasAColumnForEachRivalOfItsSuite() {
        let suite = Suite(
            name: "dice", summary: "dice", introduction: "Ours beside two dice",
            rivals: [Rival(title: "red", key: "red"), Rival(title: "blue", key: "blue")]
        ) { _ in [] }
        let report = TextReport(suite: suite, isSmoke: false)
        let row = Row(
            id: "roll", quantity: "roll", unit: "s", ours: Samples([1]), rivals: [suite.rivals[1]: Samples([3])],
            figure: 3, figureUnit: "x", bound: .atLeast(must: 2, aim: 4))
        let head = report.head(Summary(suite: suite.name, rounds: Rounds(count: 9)))
        #expect(head.first == "Ours beside two dice, in turns:")
        #expect(head.contains("medians of 9 rounds.\n"))
        #expect(words(head.last) == ["quantity", "unit", "ours", "red", "blue", "figure", "must", "aim", "verdict"])
        // The red one did not take part.
        #expect(words(report.line(row)) == ["roll", "s", "1.00", "3.00", "3.00", "x", "≥", "2", "≥", "4", "must"])
        // Its column is there all the same.
        let blue = head.last?.range(of: "blue")?.upperBound
        let three = report.line(row).range(of: "3.00")?.upperBound
        #expect(blue.map { head.last?[..<$0].count } == three.map { report.line(row)[..<$0].count })
    }

    private func words(_ line: String?) -> [String] { line?.split(separator: " ").map(String.init) ?? [] }

    @Test(arguments: [
        (0.0, "0"), (-0.001, "0.00"), (1.234, "1.23"), (9.999, "10.0"), (12.34, "12.3"), (99.99, "100"),
        (1234.5, "1234"),
        (.nan, "–"),
    ])
    func numbersHaveThreeDigits(number: Double, expected: String) {
        #expect(number.short == expected)
    }

    @Test func callgrindsTotalIsFound() {
        let text = "==7== Events    : Ir\n==7== Collected : 37969184\n==7== "
        #expect(Callgrind.collected(in: text) == 37_969_184)
        #expect(Callgrind.collected(in: "valgrind: the 'impossible' happened") == nil)
    }
}

/// What happened, in order, by number.
private final class EventLog: Sendable {
    private let events = Guarded<[String]>([])

    var all: [String] { events.withLock { $0 } }

    func note(_ event: String) -> Double {
        events.withLock {
            $0.append(event)
            return Double($0.count)
        }
    }
}
