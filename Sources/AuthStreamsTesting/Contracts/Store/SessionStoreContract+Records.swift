import AuthStreams
import Foundation

extension SessionStoreContract {
    /// A record is read as it was written.
    static let records = [
        check("what was never written is nil") { place, findings in
            let record = try await place.store.read(.session).data
            findings.expect(record == nil, "no record", saw: "saw one of \(record?.count ?? 0) bytes")
        },
        check("a record is read back byte for byte") { place, findings in
            let everyByte = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0) })
            try await place.store.write(everyByte, for: .session)
            try await expect(everyByte, in: place.store, findings)
        },
        check("an empty record is a record") { place, findings in
            try await place.store.write(Data(), for: .session)
            try await expect(Data(), in: place.store, findings)
        },
        check("a record may be large") { place, findings in
            let megabyte = Data(repeating: 7, count: 1 << 20)
            try await place.store.write(megabyte, for: .session)
            try await expect(megabyte, in: place.store, findings)
        },
        check("a later process reads what was written") { place, findings in
            let open = try place.laterProcess.required()
            try await place.store.write(Data("kept".utf8), for: .session)
            try await expect(Data("kept".utf8), in: open(), findings)
        },
        check("a later process does not find what was removed") { place, findings in
            let open = try place.laterProcess.required()
            try await place.store.write(Data("kept".utf8), for: .session)
            try await place.store.remove(.session)
            guard try await place.store.read(.session).data == nil else {
                throw ContractInconclusive(
                    base: removal, expected: "a record that was removed", seen: "it is still there")
            }
            try await expect(nil, in: open(), findings)
        },
    ]

    /// Adds a violation unless the store holds exactly that record.
    static func expect(
        _ record: Data?, for key: SessionStoreKey = .session, in store: any SessionStore, _ findings: ContractFindings
    ) async throws {
        let seen = try await store.read(key).data
        findings.expect(seen == record, "\(words(for: record))", saw: "read \(words(for: seen))")
    }

    private static func words(for record: Data?) -> String {
        record.map { "a record of \($0.count) bytes that begins with \(Array($0.prefix(4)))" } ?? "no record"
    }
}
