import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// Every store of ours keeps what a store promises.
@Suite(.timeLimit(.minutes(3))) struct SessionStoresKeepTheirPromisesTests {
    @Test(arguments: SessionStoreContract.checks)
    func memory(keepsThePromise promise: ContractCheck<SessionStoreContract>) async throws {
        try await SessionStoreContract {
            .init(
                store: MemorySessionStore(), laterProcess: .cannot("memory ends with its process"),
                locking: .cannot("memory is never locked"), failing: .cannot("memory does not fail"))
        }.verify(promise)
    }

    @Test(arguments: SessionStoreContract.checks)
    func file(keepsThePromise promise: ContractCheck<SessionStoreContract>) async throws {
        let report = try await SessionStoreContract {
            let root = FileManager.default.temporaryDirectory.appending(path: "AuthStreams-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            let folder = root.appending(path: "store")
            return .init(
                store: FileSessionStore(folder: folder), laterProcess: .can { FileSessionStore(folder: folder) },
                locking: .cannot("files are never locked"),
                // Others may enter the folder: from now on nothing in it is trusted.
                failing: .can {
                    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
                },
                cleanUp: { try FileManager.default.removeItem(at: root) })
        }.verify(promise)
        #expect(report.leftOut.allSatisfy { $0.reason == "files are never locked" })
    }

    @Test(arguments: SessionStoreContract.checks)
    func faultyThatWasToldNothing(keepsThePromise promise: ContractCheck<SessionStoreContract>) async throws {
        let report = try await SessionStoreContract {
            let memory = MemorySessionStore()
            let faulty = FaultySessionStore(memory)
            return .init(
                store: faulty, laterProcess: .can { FaultySessionStore(memory) },
                locking: .can(.init(lock: { faulty.lock() }, unlock: { faulty.unlock() })),
                failing: .can {
                    for call in [.read, .write, .remove] as [FaultySessionStore.Call] { faulty.fail(call) }
                })
        }.verify(promise)
        #expect(report.leftOut == [])
    }
}
