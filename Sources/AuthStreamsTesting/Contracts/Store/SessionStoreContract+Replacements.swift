import AuthStreams
import Foundation

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
