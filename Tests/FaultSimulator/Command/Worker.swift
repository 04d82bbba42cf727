import Dispatch
import Foundation

/// A thread that can be waited for.
final class Worker {
    private let isOver = DispatchSemaphore(value: 0)
    private let thread: Thread

    init(_ work: @escaping @Sendable () -> Void) {
        thread = Thread { [isOver] in
            work()
            isOver.signal()
        }
        // As much as the main thread has.
        thread.stackSize = 8 << 20
    }

    func start() { thread.start() }

    func join() { isOver.wait() }
}
