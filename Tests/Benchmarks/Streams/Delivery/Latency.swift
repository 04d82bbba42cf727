/// One reader that waits, and an element at a time. The cost is the time from the call of `send` to the first line of the
/// reader's loop: the one in the middle of many.
///
/// The threads are awake. After a pause of a few microseconds they would not be, and waking one takes ten times as long as
/// all the rest, for everybody.
struct Latency: Workload {
    let emissions: Int

    /// `@unchecked Sendable`: written by the writer before it sends, read by the reader before it says that it received.
    private final class Moment: @unchecked Sendable {
        var sent = 0.0
        var delays = Samples()
    }

    func cost<C: Channel>(on channel: C) async -> Double {
        let arrivals = Countdown()
        let moment = Moment()
        return await withDiscardingTaskGroup(returning: Double.self) { group in
            arrivals.arm(1)
            group.addTask {
                await channel.read { _ in
                    moment.delays.add(Stopwatch.nanoseconds() - moment.sent)
                    arrivals.arrive()
                    return true
                }
            }
            await arrivals.wait()
            moment.delays = Samples(capacity: emissions)
            for turn in 0..<emissions {
                arrivals.arm(1)
                await letReaderWait()
                moment.sent = Stopwatch.nanoseconds()
                channel.send(C.Element.sample(turn))
                await arrivals.wait()
            }
            channel.finish()
            return moment.delays.median ?? .nan
        }
    }

    /// Lets the reader, which has said that it received, begin to wait again.
    private func letReaderWait() async {
        for _ in 0..<3 { await Task.yield() }
    }
}
