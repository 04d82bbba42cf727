import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct SessionStoreTests {
    @Test(arguments: SessionStoreCheck.all)
    func memory(keepsThePromise check: SessionStoreCheck) async throws {
        try await check.run(MemorySessionStore())
    }

    @Test(arguments: SessionStoreCheck.all)
    func file(keepsThePromise check: SessionStoreCheck) async throws {
        try await withTemporaryFolder { try await check.run(FileSessionStore(folder: $0.appending(path: "store"))) }
    }

    @Test(arguments: SessionStoreCheck.all)
    func faultyThatWasToldNothing(keepsThePromise check: SessionStoreCheck) async throws {
        try await check.run(FaultySessionStore())
    }
}
