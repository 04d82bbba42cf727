import AuthStreams
import Testing

@Suite(.timeLimit(.minutes(1))) struct ApplicationVisitTests {
    @Test @MainActor func unobservableVisitEndsWithItsTaskAlone() async {
        let visit = Task { @MainActor in
            await ApplicationVisit.unobservable.waitForReturn()
            return Task.isCancelled
        }
        // On one actor tasks take turns, so after this one's turn the visit has begun.
        await Task { @MainActor in }.value
        visit.cancel()
        #expect(await visit.value)
    }

    @Test func visitEndsWhenItsOwnerSaysSo() async {
        let back = OneShot<Void>()
        let visit = ApplicationVisit { _ = await back.value() }
        async let ended: Void = visit.waitForReturn()
        back.resolve(())
        await ended
        #expect(back.current != nil)
    }
}
