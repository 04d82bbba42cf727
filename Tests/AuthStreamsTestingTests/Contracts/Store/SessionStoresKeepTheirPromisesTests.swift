import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// Every store of ours keeps what a store promises.
@Suite struct SessionStoresKeepTheirPromisesTests {
    @Test(arguments: SessionStoreContract.checks)
    func memory(keepsThePromise promise: ContractCheck<SessionStoreContract>) async throws {
        try await SessionStoreContract {
            let store = MemorySessionStore()
            return .init(
                store: store, laterProcess: .cannot("memory ends with its process"), otherOwner: .can { store },
                losingLocks: .cannot("memory loses no lock"), locking: .cannot("memory is never locked"),
                failing: .cannot("memory does not fail"))
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
                otherOwner: .can { FileSessionStore(folder: folder) },
                losingLocks: .can { name in
                    try FileManager.default.removeItem(at: folder.appending(path: ".\(name.rawValue).lock"))
                },
                locking: .cannot("files are never locked"),
                // Others may enter the folder: from now on nothing in it is trusted.
                failing: .can {
                    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
                },
                cleanUp: { try FileManager.default.removeItem(at: root) })
        }.verify(promise)
        #expect(report.skipped.allSatisfy { $0.reason == "files are never locked" })
    }

    @Test(arguments: SessionStoreContract.checks)
    func faultyThatWasToldNothing(keepsThePromise promise: ContractCheck<SessionStoreContract>) async throws {
        let report = try await SessionStoreContract {
            let memory = MemorySessionStore()
            let faulty = FaultySessionStore(memory)
            return .init(
                store: faulty, laterProcess: .can { FaultySessionStore(memory) },
                otherOwner: .can { FaultySessionStore(memory) },
                losingLocks: .cannot("memory loses no lock"),
                locking: .can(.init(lock: { faulty.lock() }, unlock: { faulty.unlock() })),
                failing: .can {
                    for call in [.read, .write, .remove] as [FaultySessionStore.Call] { faulty.fail(call) }
                })
        }.verify(promise)
        #expect(report.skipped.allSatisfy { $0.reason == "memory loses no lock" })
    }

    /// A store that leaves the lock and the changes as the port has them.
    private struct StoreOfOneOwner: SessionStore {
        private let memory = MemorySessionStore()

        func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord { try await memory.read(key) }
        func write(
            _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
        ) async throws(AuthError) -> RecordVersion? {
            try await memory.write(data, for: key, replacing: version)
        }
        func waitUntilUnlocked() async {}
    }

    @Test func aStoreOfOneOwnerAloneSaysSo() async throws {
        let report = try await SessionStoreContract {
            .init(
                store: StoreOfOneOwner(), laterProcess: .cannot("-"),
                otherOwner: .cannot("it is a store of one process alone"), losingLocks: .cannot("-"),
                locking: .cannot("-"), failing: .cannot("-"))
        }.verify()
        #expect(report.skipped.count(where: { $0.reason == "it is a store of one process alone" }) == 7)
    }

    @Test func aStoreOfOneOwnerThatClaimsToBeSharedIsFoundOut() async throws {
        let contract = SessionStoreContract {
            let store = StoreOfOneOwner()
            return .init(
                store: store, laterProcess: .cannot("-"), otherOwner: .can { store },
                losingLocks: .cannot("-"), locking: .cannot("-"), failing: .cannot("-"))
        }
        #expect(
            try await brokenPromises(contract) == [
                "a lock has one holder, and the next once it is released or dropped",
                "a lock's name is valid where a record's is", "a write of any owner is reported to every reader",
                "a removal by another owner is reported",
            ])
    }
}
