import AuthStreams
import Foundation
import Testing

@testable import faults

@Suite struct ProcessExecutorTests {
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func jobsRunInTheOrderThatIsDrawn() {
        let executor = ProcessExecutor()
        let log = Lock<[Int]>([])
        for number in 0..<3 { _ = executor.start { log.withLock { $0.append(number) } } }
        #expect(executor.waiting == 3)
        executor.run(at: 2)
        executor.run(at: 0)
        executor.run(at: 0)
        #expect(log.withLock { $0 } == [2, 0, 1])
        while executor.waiting > 0 { executor.run(at: 0) }
        #expect(log.withLock { $0.count } == 3)
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aJobFromAnotherThreadIsAGuest() {
        let executor = ProcessExecutor()
        _ = executor.start {}
        #expect(!executor.hasGuests)
        let thread = Worker { _ = executor.start {} }
        thread.start()
        thread.join()
        #expect(executor.hasGuests)
        executor.run(at: 0)
        executor.run(at: 0)
    }
}
