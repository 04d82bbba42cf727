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
