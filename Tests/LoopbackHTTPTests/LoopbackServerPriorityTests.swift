#if os(Linux)
    import AuthStreams
    import Foundation
    import LoopbackHTTP
    import TestSupport
    import Testing

    /// The client of a busy process may be another process, whose time limits are real.
    @Suite(.limitedParallelization) struct LoopbackServerPriorityTests {
        /// In a process of its own, whose tasks take every thread until the response is there.
        @Test func responseComesBeforeOtherWork() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer.start(limits: .patient) { _ in .html("answer") }
                let (processors, tests) = (ProcessInfo.processInfo.activeProcessorCount, getppid())
                let (busy, isAnswered) = (Lock(0), Lock(false))
                let exchange = Task(priority: .high) {
                    defer { isAnswered.withLock { $0 = true } }
                    try await wait(for: "the other tasks to take every thread") { busy.withLock { $0 } >= processors }
                    return try await RawClient.exchange(
                        "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", port: server.port)
                }
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<2 * processors {
                        group.addTask(priority: .medium) {
                            busy.withLock { $0 += 1 }
                            while !isAnswered.withLock({ $0 }), getppid() == tests {}
                        }
                    }
                }
                #expect(try await exchange.value.hasSuffix("answer"))
            }
        }
    }
#endif
