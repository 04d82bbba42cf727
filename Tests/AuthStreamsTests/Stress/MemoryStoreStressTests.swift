import AuthStreams
import Foundation
import TestSupport
import Testing

@Suite struct MemoryStoreStressTests {
    /// A write wakes the readers, and a reader that is cancelled leaves: neither holds what the other waits for.
    @Test func readersMayBeCancelledWhileARecordIsWritten() async throws {
        let store = MemorySessionStore()
        let isOver = Lock(false)
        async let written: Void = {
            var version = RecordVersion.none
            while !isOver.withLock({ $0 }) {
                version = try #require(try await store.write(Data(), for: .session, replacing: version))
            }
        }()
        for _ in 0..<TestVolume.of(1000, full: 5000) {
            let readers = (0..<4).map { _ in Task { for await _ in store.changes(of: .session) {} } }
            await Task.yield()
            for reader in readers { reader.cancel() }
        }
        isOver.withLock { $0 = true }
        try await written
    }
}
