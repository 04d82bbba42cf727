import AuthStreams

/// The clock of one process, in simulated time. It runs on when the device's date is set.
struct SimulatedClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Duration { other.offset - offset }
        static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private let process: AppProcess

    init(_ process: AppProcess) {
        self.process = process
    }

    var now: Instant { Instant(offset: .milliseconds(process.world.now)) }
    var minimumResolution: Duration { .milliseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        guard !Task.isCancelled else { throw CancellationError() }
        let duration = max(.zero, now.duration(to: deadline))
        // Rounded up: no sleeper wakes too early.
        let pause = Int((duration / .milliseconds(1)).rounded(.up))
        let (process, world) = (process, process.world)
        let reply = process.reply(orElse: false)
        let entry = process.isAlive ? world.after(pause, of: process.id) { reply.give(true) } : nil
        let isOver = await withTaskCancellationHandler {
            await reply.wait()
        } onCancel: {
            if let entry { world.cancel(entry) }
            reply.give(false)
        }
        guard isOver else { throw CancellationError() }
    }
}
