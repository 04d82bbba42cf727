import Testing

@testable import bench

/// The baseline keeps the promises that ours is compared on, or the comparison would be worth nothing.
@Suite struct AsyncStreamHubTests {
    @Test func readersBeginWithThePresentAndSeeEveryChange() async {
        let hub = AsyncStreamHub(0, .unbounded)
        hub.send(1)
        var reader = hub.makeIterator()
        hub.send(2)
        hub.send(3)
        hub.finish()
        #expect(await reader.next() == 1)
        #expect(await reader.next() == 2)
        #expect(await reader.next() == 3)
        #expect(await reader.next() == nil)
    }

    @Test func onlyTheNewestIsKeptWhereThatIsThePolicy() async {
        let hub = AsyncStreamHub(0, .bufferingNewest(1))
        var reader = hub.makeIterator()
        hub.send(1)
        hub.send(2)
        hub.finish()
        #expect(await reader.next() == 2)
        #expect(await reader.next() == nil)
    }

    @Test func aReaderThatStopsIsRemoved() async {
        let hub = AsyncStreamHub(0, .unbounded)
        await hub.read { _ in
            #expect(hub.readers == 1)
            return false
        }
        #expect(hub.readers == 0)
    }

    @Test func aReaderThatIsCancelledIsRemoved() async {
        let hub = AsyncStreamHub(0, .unbounded)
        let arrival = Countdown(1)
        let reader = Task {
            await hub.read { _ in
                arrival.arrive()
                return true
            }
        }
        await arrival.wait()
        reader.cancel()
        await reader.value
        #expect(hub.readers == 0)
    }
}
