import AuthStreams

/// A listener for changes of one record.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class DiskWatcher: @unchecked Sendable {
    let key: SessionStoreKey
    let process: AppProcess
    private let continuation: AsyncStream<Void>.Continuation
    private var isUnderWay = false

    init(_ key: SessionStoreKey, of process: AppProcess, _ continuation: AsyncStream<Void>.Continuation) {
        self.key = key
        self.process = process
        self.continuation = continuation
    }

    /// Tells of a change, some time later; of several, once.
    func tell(in world: World) {
        guard !isUnderWay else { return }
        isUnderWay = true
        world.after(world.isCalm ? 0 : world.chance.pick(0, 0, 500), of: process.id) {
            self.isUnderWay = false
            self.continuation.yield(())
        }
    }
}
