import AuthStreamsTesting
import Testing

/// What is written wrong is said, with a caret at the place.
@Suite struct MalformedTimelineTests {
    private func complaint(_ picture: String, _ connect: (TimelineRows) -> Void = { _ in }) -> String {
        do {
            try Timeline(picture).run(connect)
            return "none"
        } catch {
            return String(describing: error)
        }
    }

    /// A complaint about one row, with its caret `column` characters into the row.
    private func expect(_ picture: String, _ words: String, line: String, column: Int) {
        let said = complaint(picture)
        #expect(said.hasPrefix(words), "\(said)")
        #expect(said.hasSuffix("\n\n    \(line)\n    \(String(repeating: " ", count: column))^"), "\(said)")
    }

    @Test func rowThatStopsBeforeThePictureDoesIsUnaligned() {
        expect(
            "taps  a--b\nout   a--b--|", "The row stops here, but the picture continues", line: "taps  a--b", column: 10
        )
    }

    @Test func blankInTheMiddleOfARowIsUnaligned() {
        expect("taps  a- b|", "A blank in the middle of a row.", line: "taps  a- b|", column: 8)
    }

    @Test func nothingComesAfterAnEnd() {
        expect("taps  a|b", "After | nothing more happens", line: "taps  a|b", column: 8)
        expect("taps  a|  -", "After | nothing more happens", line: "taps  a|  -", column: 10)
        expect("taps  a!-", "After ! nothing more happens", line: "taps  a!-", column: 8)
        expect("taps  a<-", "After < nothing more happens", line: "taps  a<-", column: 8)
        expect("taps  aX  -", "After X nothing more happens", line: "taps  aX  -", column: 10)
        expect("taps  (|a)", "After | nothing more happens", line: "taps  (|a)", column: 9)
    }

    @Test func unknownMarkIsPointedAt() {
        expect("taps  a-?|", "\"?\" is no mark.", line: "taps  a-?|", column: 8)
        expect("taps  (a?)|", "\"?\" is no mark.", line: "taps  (a?)|", column: 8)
    }

    @Test func groupsAreClosedAndHaveMarks() {
        expect("taps  -(ab", "This ( has no ) after it.", line: "taps  -(ab", column: 7)
        expect("taps  -ab)", "This ) has no ( before it.", line: "taps  -ab)", column: 9)
        expect("taps  -()|", "An empty group.", line: "taps  -()|", column: 7)
        expect("taps  (a#)|", "A reader is busy for whole instants", line: "taps  (a#)|", column: 8)
    }

    @Test func gapHasANumberAndAnElement() {
        expect("out  -~3d|", "A gap comes with the element after it", line: "out  -~3d|", column: 6)
        expect("out  -(~d)|", "How many were missed?", line: "out  -(~d)|", column: 7)
        expect("out  -(~3)|", "A gap comes with the element after it", line: "out  -(~3)|", column: 7)
    }

    @Test func namesAndColumnsAreClear() {
        #expect(complaint("  \n\n").hasPrefix("The timeline is empty."))
        expect("a  -|\na  -|", "There are two rows with the name \"a\".", line: "a  -|", column: 0)
        expect("taps", "The row is empty.", line: "taps", column: 4)
        expect("a  b|\n c d|", "A line begins with the name of its row.", line: " c d|", column: 0)
        expect("a  --|\nlonger  -|", "The name reaches into the timelines", line: "longer  -|", column: 3)
        expect("a  -\t|", "A tab has no width", line: "a  -\t|", column: 4)
    }

    @Test func rowHasOnePartAndEveryRowHasOne() {
        #expect(complaint("taps  a|").hasPrefix("No part plays row \"taps\""))
        #expect(
            complaint("taps  a|") { _ = $0.input("tap") }.hasPrefix("There is no row with the name \"tap\". There are"))
        let twice = complaint("taps  a-") { rows in
            _ = rows.input("taps")
            _ = rows.log("taps")
        }
        #expect(twice.hasPrefix("Row \"taps\" is used twice."))
    }

    @Test func inputRowIsReadOnce() {
        let said = complaint("taps  a-|\none   a-|\ntwo   a-|") { rows in
            let taps = rows.input("taps")
            rows.output("one", taps)
            rows.output("two", taps)
        }
        #expect(said.hasPrefix("Row \"taps\" is read a second time."))
    }

    @Test func marksMeanSomethingInTheRowTheyAreIn() {
        #expect(complaint("taps  a-#") { _ = $0.input("taps") }.hasPrefix("# means nothing in an input row"))
        #expect(complaint("taps  a-!") { _ = $0.input("taps") }.hasPrefix("! means nothing in an input row"))
        #expect(complaint("taps  a-!") { _ = $0.throwingInput("taps") }.hasPrefix("Row \"taps\" went another way"))
        #expect(
            complaint("taps  aX") { $0.write("taps", send: { _ in }) }.hasPrefix("X means nothing in a row that writes")
        )
        #expect(complaint("taps  a-|") { _ = $0.log("taps") }.hasPrefix("| means nothing in a log row"))
        let alphabet: TimelineAlphabet<Int> = ["a": 1]
        #expect(
            complaint("taps  a-b|") { _ = $0.input("taps", as: alphabet) }.hasPrefix("b means nothing in an input row"))
        #expect(
            complaint("taps  a-b|") { $0.write("taps", as: alphabet, send: { _ in }) }
                .hasPrefix("b means nothing in a row that writes"))
    }

    @Test func readerIsBusyWithAnElement() {
        let said = complaint("out  a-#-|") { $0.output("out", $0.task {}.isCancelled ? Nothing() : Nothing()) }
        #expect(said == "# comes after an element, which the reader has in hand.\n\n    out  a-#-|\n           ^")
        #expect(complaint("out  a-<") { $0.output("out", Nothing()) }.hasPrefix("< comes after an element"))
        #expect(complaint("out  #a|") { $0.output("out", Nothing()) }.hasPrefix("# comes after an element"))
    }

    @Test func cancellationAtEachInstantNeedsARowWithoutOne() {
        func complaint(_ picture: String, cancelling row: String, delivering last: String = "") -> String {
            do {
                try Timeline(picture).run(cancelling: row, delivering: last) { $0.output("out", Nothing()) }
                return "none"
            } catch {
                return String(describing: error)
            }
        }
        #expect(complaint("out  --|", cancelling: "in").hasPrefix("There is no row with the name \"in\" to cancel."))
        #expect(complaint("out  -X", cancelling: "out").hasPrefix("This row is to be cancelled at each instant"))
        #expect(
            complaint("out  --|", cancelling: "out", delivering: "|").hasPrefix(
                "A cancelled reader can be given elements"))
    }
}

private struct Nothing: AsyncSequence, AsyncIteratorProtocol, Sendable {
    func makeAsyncIterator() -> Self { self }
    func next() async -> Character? { nil }
}
