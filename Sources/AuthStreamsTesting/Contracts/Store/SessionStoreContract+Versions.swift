import AuthStreams
import Foundation

extension SessionStoreContract {
    /// A write replaces the version that its caller knows, or changes nothing.
    static let versions = [
        check("a write that comes too late is refused, and changes nothing") { place, findings in
            let store = place.store
            let first = try await write("first", over: .none, in: store, findings)
            let second = try await write("second", over: first, in: store, findings)
            for version in [first, .none] {
                try await expectRefusal(of: Data("late".utf8), over: version, in: store, findings)
                try await expectRefusal(of: nil, over: version, in: store, findings)
            }
            try await expect(Data("second".utf8), in: store, findings)
            findings.expect(
                try await store.read(.session).version == second, "the version of the last write", saw: "read another")
        },
        check("what was removed is not brought back by a write that comes too late") { place, findings in
            let store = place.store
            let written = try await write("kept", over: .none, in: store, findings)
            guard try await store.write(nil, for: .session, replacing: written) != nil else {
                return findings.add("the present version to be removed", saw: "it was refused")
            }
            for version in [written, .none] {
                try await expectRefusal(of: Data("late".utf8), over: version, in: store, findings)
            }
            let version = try await store.read(.session).version
            _ = try await write("next", over: version, in: store, findings)
        },
        check("of the writes that replace one version, one succeeds") { place, findings in
            let store = place.store
            let version = try await write("before", over: .none, in: store, findings)
            let candidates = (0..<16).map { Data("writer \($0)".utf8) }
            findings.stage("waiting for sixteen writers of one version")
            let winners = try await withThrowingTaskGroup(of: Data?.self) { group in
                for data in candidates {
                    group.addTask {
                        try await store.write(data, for: .session, replacing: version) == nil ? nil : data
                    }
                }
                return try await group.reduce(into: [Data]()) { winners, data in if let data { winners.append(data) } }
            }
            findings.expect(winners.count == 1, "one writer to succeed", saw: "\(winners.count) did")
            try await expect(winners.first, in: store, findings)
        },
    ]

    /// Replaces the current version.
    private static func write(
        _ text: String, over version: RecordVersion, in store: any SessionStore, _ findings: ContractFindings
    ) async throws -> RecordVersion {
        guard let next = try await store.write(Data(text.utf8), for: .session, replacing: version) else {
            findings.add("a write over the present version to succeed", saw: "it was refused")
            return try await store.read(.session).version
        }
        findings.expect(
            try await store.read(.session).version == next, "the version that the write returned", saw: "read another")
        return next
    }

    private static func expectRefusal(
        of data: Data?, over version: RecordVersion, in store: any SessionStore, _ findings: ContractFindings
    ) async throws {
        let written = try await store.write(data, for: .session, replacing: version)
        findings.expect(
            written == nil, "a stale \(data == nil ? "removal" : "write") to be refused", saw: "it was carried out")
    }
}

extension SessionStoreContract {
    /// The promise that one about later processes depends on.
    static let removal = "what was removed is gone"

    /// A write affects only its own record.
    static let replacements = [
        check("a later record takes the whole place of the one before") { place, findings in
            try await place.store.write(Data("first and long".utf8), for: .session)
            try await place.store.write(Data("second".utf8), for: .session)
            try await expect(Data("second".utf8), in: place.store, findings)
        },
        check("many records do not touch each other") { place, findings in
            let keys = (0..<20).map { SessionStoreKey(rawValue: "record-\($0)") }
            for (number, key) in keys.enumerated() {
                try await place.store.write(Data("record \(number)".utf8), for: key)
            }
            try await place.store.remove(keys[0])
            for (number, key) in keys.enumerated().dropFirst() {
                try await expect(Data("record \(number)".utf8), for: key, in: place.store, findings)
            }
        },
        check(removal) { place, findings in
            try await place.store.write(Data("session".utf8), for: .session)
            try await place.store.remove(.session)
            try await expect(nil, in: place.store, findings)
        },
        check("removing a record that does not exist succeeds") { place, findings in
            for time in ["before the first write", "twice"] {
                do throws(AuthError) { try await place.store.remove(.session) } catch {
                    findings.add("nothing to happen \(time)", saw: "it threw \(ContractFindings.words(for: error))")
                }
            }
        },
        check("a cancelled task's write is carried out") { place, findings in
            let store = place.store
            // The first write creates the record, the second replaces it.
            for record in [Data("token".utf8), Data("next token".utf8)] {
                let write = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await store.write(record, for: .session)
                }
                findings.stage("waiting for the write of a cancelled task")
                do { try await write.value } catch {
                    findings.add("the write to return", saw: "it threw \(ContractFindings.words(for: error))")
                }
                try await expect(record, in: store, findings)
            }
        },
    ]
}
