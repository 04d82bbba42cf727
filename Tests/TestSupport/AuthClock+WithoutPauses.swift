package import AuthStreams
import AuthStreamsTesting
import Foundation

extension AuthClock {
    /// The system's clock, by which pauses of up to ten seconds are over at once, and longer time limits never pass.
    package static var withoutPauses: AuthClock { AuthClock(HurriedClock(), now: { Date() }) }
}

private struct HurriedClock: Clock {
    private let clock = ContinuousClock()

    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if now.duration(to: deadline) > .seconds(10) { await Promise<Void>().value() }
        try Task.checkCancellation()
    }
}
