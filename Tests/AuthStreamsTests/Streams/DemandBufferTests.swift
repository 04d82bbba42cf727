import Testing

@testable import AuthStreams

/// The rules of waiting, without time or tasks: elements are numbers, readers are names.
@Suite struct DemandBufferTests {
    private var handover = DemandBuffer<Int, String>()

    @Test mutating func elementsWaitForReadersInOrder() {
        for number in 1...3 { #expect(handover.elementMade(number) == nil) }
        #expect(handover.elementWanted(by: "a")?.text == "1")
        #expect(handover.elementMade(4) == nil)
        #expect(["b", "c", "d"].map { handover.elementWanted(by: $0)?.text } == ["2", "3", "4"])
    }

    @Test mutating func readersWaitForElementsInOrder() {
        for name in ["a", "b", "c"] { #expect(handover.elementWanted(by: name) == nil) }
        #expect(handover.elementMade(1) == "a")
        #expect(handover.elementWanted(by: "d") == nil)
        #expect((2...4).map { handover.elementMade($0) } == ["b", "c", "d"])
    }

    @Test mutating func whatIsWithdrawnIsNotRead() {
        _ = handover.elementMade(1)
        _ = handover.elementMade(2)
        _ = handover.elementWanted(by: "a")
        _ = handover.elementMade(3)
        #expect(handover.elementsWithdrawn() == [2, 3])
        #expect(handover.elementWanted(by: "b") == nil)
    }

    @Test mutating func allWhoWaitAreToldTheEnd() {
        for name in ["a", "b"] { _ = handover.elementWanted(by: name) }
        let told = handover.ended()
        #expect(told.map(\.reader) == ["a", "b"])
        #expect(told.map(\.answer.text) == ["end", "end"])
        #expect(handover.elementWanted(by: "c")?.text == "end")
    }

    @Test mutating func oneWhoWaitsIsToldTheFailure() {
        for name in ["a", "b"] { _ = handover.elementWanted(by: name) }
        #expect(handover.ended(by: CancellationError()).map(\.answer.text) == ["failure", "end"])
        #expect(handover.elementWanted(by: "c")?.text == "end")
    }

    @Test mutating func theFailureComesAfterTheElementsAndOnce() {
        _ = handover.elementMade(1)
        #expect(handover.ended(by: CancellationError()).isEmpty)
        #expect(handover.elementWanted(by: "a")?.text == "1")
        #expect(["b", "c"].map { handover.elementWanted(by: $0)?.text } == ["failure", "end"])
    }

    @Test mutating func aFailureThatIsWithdrawnIsToldToNobody() {
        _ = handover.ended(by: CancellationError())
        #expect(handover.failureWithdrawn() is CancellationError)
        #expect(handover.failureWithdrawn() == nil)
        #expect(handover.elementWanted(by: "a")?.text == "end")
    }
}
