import AuthStreams
import AuthStreamsTesting
import Testing

@Suite struct ApplicationVisitTests {
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func unobservableVisitEndsWithItsTaskAlone() async {
        let executor = ManualExecutor()
        let visit = Task(executorPreference: executor) {
            await ApplicationVisit.unobservable.waitForReturn()
            return Task.isCancelled
        }
        executor.run()
        visit.cancel()
        executor.run()
        #expect(await visit.value)
    }

    @Test func visitEndsWhenItsOwnerSaysSo() async {
        let back = Promise<Void>()
        let visit = ApplicationVisit { _ = await back.value() }
        async let ended: Void = visit.waitForReturn()
        back.resolve(())
        await ended
        #expect(back.current != nil)
    }
}
