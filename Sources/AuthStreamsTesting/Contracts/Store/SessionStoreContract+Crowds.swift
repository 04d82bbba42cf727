import AuthStreams
import Foundation

extension SessionStoreContract {
    /// Concurrent writers and readers see whole records.
    static let crowds = [
        check("writers at once leave one of their records, whole") { place, findings in
            let (store, candidates) = (place.store, candidates)
            findings.stage("waiting for sixteen writers")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for data in candidates { group.addTask { try await store.write(data, for: .session) } }
                try await group.waitForAll()
            }
            let survivor = try await store.read(.session).data
            findings.expect(
                survivor.map(candidates.contains) ?? false, "one of the records that were written",
                saw: survivor == nil ? "there is none" : "there is a mixture")
        },
        check("a reader sees a whole record while others write") { place, findings in
            let (store, candidates, isOver) = (place.store, candidates, Lock(false))
            try await store.write(candidates[0], for: .session)
            findings.stage("waiting for a writer and its readers")
            let torn = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var torn = 0
                        repeat {
                            let seen = try await store.read(.session).data
                            torn += seen.map(candidates.contains) ?? false ? 0 : 1
                            await Task.yield()
                        } while !isOver.withLock { $0 }
                        return torn
                    }
                }
                group.addTask {
                    defer { isOver.withLock { $0 = true } }
                    for data in candidates { try await store.write(data, for: .session) }
                    return 0
                }
                return try await group.reduce(0, +)
            }
            findings.expect(torn == 0, "the old record or the new one", saw: "\(torn) reads saw another or none")
        },
    ]

    private static var candidates: [Data] { (0..<16).map { Data(repeating: UInt8($0), count: 5000) } }
}
