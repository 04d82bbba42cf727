import AuthStreams
import Testing

@Suite struct LockTests {
    @Test func incrementsFromManyTasksAreAllKept() async {
        let lock = Lock(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask { for _ in 0..<100 { lock.withLock { $0 += 1 } } }
            }
        }
        #expect(lock.withLock { $0 } == 6400)
    }
}
