import AuthStreams
import Foundation

extension Suite {
    /// Access tokens, refreshes and the store.
    static let sessions = Suite(
        name: "sessions",
        summary: "access tokens, refreshes and the store, beside a lock and a clock alone, and an actor",
        rivals: [.lockAndClock, .actor], measures: tokens + [crowd, restoring, writing, memoryOfRefreshes])

    /// A valid token. Its expiry is checked each time.
    private static var tokens: [Measure] {
        let title = "accessToken(), valid"
        return [
            Measure(
                id: "token", title: title, unit: "ns", figure: .cost(beside: .lockAndClock),
                bound: .atMost(must: 1.5, aim: 1.2), run: TokenCost.oneTask),
            Measure(
                id: "token-actor", title: title, unit: "ns", figure: .gain(over: [.actor]),
                bound: .atLeast(must: 1.5, aim: 2), run: TokenCost.oneTask),
            Measure(
                id: "token-two", title: "\(title), 2 tasks at once", unit: "ns", figure: .gain(over: [.actor]),
                bound: .atLeast(must: 3, aim: 5), run: TokenCost.twoTasks),
        ]
    }

    /// Many callers at once with an expired token, who share one refresh.
    private static var crowd: Measure {
        Measure(
            id: "crowd", title: "accessToken(), expired, 10 000 callers, 1 refresh", unit: "ns/caller",
            figure: .gain(over: [.actor]), bound: .atLeast(must: 1, aim: 1.2)
        ) { rounds in
            let crowd = ExpiredCrowd(callers: rounds.crowd(10_000))
            return try await rounds.finer(by: 3).interleave([(.ours, crowd.ours), (.actor, crowd.actor)])
        }
    }

    /// A session that is read at launch.
    private static var restoring: Measure {
        onDisk("restore", "restoring from file, until the state is known", .atMost(must: 2, aim: 1)) { folder in
            let begin = ContinuousClock.now
            let auth = AuthService(
                repository: BenchRepository(), providers: [], store: FileSessionStore(folder: folder),
                callbacks: CallbackRouter())
            for await state in auth.states {
                if case .restoring = state { continue }
                break
            }
            let cost = begin.nanoseconds()
            guard auth.user != nil else { throw Mistake(description: "The session was not restored.") }
            return cost
        }
    }

    private static var writing: Measure {
        onDisk("store", "writing a session to file, with fsync", .atMost(must: 5, aim: 2)) { folder in
            let store = FileSessionStore(folder: folder)
            let record = try await store.read(.session)
            let begin = ContinuousClock.now
            let version = try await store.write(record.data, for: .session, replacing: record.version)
            let cost = begin.nanoseconds()
            guard version != nil else { throw Mistake(description: "The session was not written.") }
            return cost
        }
    }

    /// - Parameter work: Takes the folder of a store that holds a session, and returns nanoseconds.
    private static func onDisk(
        _ id: String, _ title: String, _ bound: Bound, _ work: @escaping @Sendable (URL) async throws -> Double
    ) -> Measure {
        Measure(id: id, title: title, unit: "ms", bound: bound) { rounds in
            let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            _ = try await BenchRepository().signedIn(keptIn: FileSessionStore(folder: folder))
            return try await rounds.finer(by: 15).interleave([(.ours, { try await work(folder) / 1e6 })])
        }
    }

    /// Whether memory grows with the number of refreshes. Measured once, because it takes minutes.
    private static var memoryOfRefreshes: Measure {
        Measure(
            id: "refreshes-memory", title: "growth of the heap from 100 000 refreshes to 1 000 000", unit: "KiB",
            bound: .atMost(must: 1024, aim: 256)
        ) { rounds in
            let refreshes = rounds.scaled(1_000_000)
            let repository = BenchRepository()
            let refreshing = try await repository.signedIn()
            var early = 0.0
            for number in 1...refreshes {
                _ = try await refreshing.accessToken(forceRefresh: true)
                if number == refreshes / 10 { early = try HeapUse.bytes() }
            }
            guard repository.refreshes == refreshes else { throw Mistake(description: "A refresh is missing.") }
            return [.ours: [(try HeapUse.bytes() - early) / 1024]]
        }
    }
}
