import AppleFoundation
import AuthStreams

/// The calls of something, each with the queue it came on.
final class Calls: Sendable {
    private let stream = AsyncStream.makeStream(of: AppleDevice.Delivery.self)
    private let counter = Lock(0)

    var count: Int { counter.withLock { $0 } }

    func add() {
        counter.withLock { $0 += 1 }
        stream.continuation.yield(AppleDevice.currentDelivery)
    }

    /// Waits for the next call.
    func next() async -> AppleDevice.Delivery? { await stream.stream.first { _ in true } }
}
