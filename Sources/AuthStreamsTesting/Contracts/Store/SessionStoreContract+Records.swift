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

extension SessionStoreContract {
    /// A name must be one that every store can keep; see ``AuthStreams/SessionStoreKey/validate()``.
    static let names = [
        check("a name that no store can keep is refused with storage") { place, findings in
            let names = ["", ".", "..", ".hidden", "-dash", "a/b", "../session", "UPPER", "한글", "a b", "nul\0", "é"]
            for name in names + [String(repeating: "a", count: 65)] {
                for (verb, call) in calls(on: place.store, SessionStoreKey(rawValue: name)) {
                    let seen = await code(of: call)
                    findings.expect(
                        seen == .storage,
                        "\(verb) '\(name)' to be refused with 'storage', as `SessionStoreKey.validate()` does, which a store "
                            + "calls first: a name is 1 to 64 lower-case ASCII letters, digits, dots and hyphens, the first a "
                            + "letter or digit",
                        saw: "saw \(seen.map { "'\($0.rawValue)'" } ?? "no error")")
                }
            }
        },
        check("a valid name is accepted up to its full length") { place, findings in
            let key = SessionStoreKey(rawValue: "0" + String(repeating: "a.-", count: 21))
            try await place.store.write(Data("x".utf8), for: key)
            try await expect(Data("x".utf8), for: key, in: place.store, findings)
        },
    ]

    typealias Call = (verb: String, run: @Sendable () async throws -> Void)

    /// The calls with a record's name.
    static func calls(on store: any SessionStore, _ key: SessionStoreKey) -> [Call] {
        [
            ("reading", { _ = try await store.read(key) }),
            ("writing", { _ = try await store.write(Data("new".utf8), for: key, replacing: .none) }),
            ("removing", { _ = try await store.write(nil, for: key, replacing: .none) }),
        ]
    }

    /// Returns the code of a call's error; `nil` if it succeeds.
    static func code(of call: @Sendable () async throws -> Void) async -> AuthError.Code? {
        do { try await call() } catch { return AuthError(wrapping: error).code }
        return nil
    }
}
