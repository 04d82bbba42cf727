import AuthStreams
import Foundation

extension Suite {
    /// What the disk takes: a session that is read at launch, and one that is written.
    static var storage: [Measure] {
        [
            stored("restore", "restoring from file, until the state is known", .atMost(must: 2, aim: 1)) { folder in
                let begin = Stopwatch.nanoseconds()
                let auth = AuthService(
                    repository: BenchRepository(), providers: [], store: FileSessionStore(folder: folder),
                    callbacks: CallbackRouter())
                for await state in auth.states {
                    if case .restoring = state { continue }
                    break
                }
                let cost = Stopwatch.nanoseconds() - begin
                guard auth.user != nil else { throw NobodyThere() }
                return cost
            },
            stored("store", "writing a session to file, with fsync", .atMost(must: 5, aim: 2)) { folder in
                let store = FileSessionStore(folder: folder)
                let record = try await store.read(.session)
                let begin = Stopwatch.nanoseconds()
                guard try await store.write(record.data, for: .session, replacing: record.version) != nil else {
                    throw NobodyThere()
                }
                return Stopwatch.nanoseconds() - begin
            },
        ]
    }

    private struct NobodyThere: Error {}

    /// - Parameter work: Done with a store that holds a session; what it returns is how many nanoseconds it took.
    private static func stored(
        _ id: String, _ quantity: String, _ bound: Bound, _ work: @escaping @Sendable (URL) async throws -> Double
    ) -> Measure {
        Measure(id) { rounds in
            let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            do {
                _ = try await BenchSession(BenchRepository(), store: FileSessionStore(folder: folder))
                let first = try await work(folder)
                let samples = try await rounds.finer(by: 15).interleave([{ try await work(folder) / 1e6 }])
                var row = Row(id, quantity, unit: "ms", ours: samples[0], bound)
                row.note =
                    "The first time \((first / 1e6).short) ms, at most \((samples[0].largest ?? .nan).short) ms afterwards"
                return [row]
            } catch {
                return [Row(id, quantity, failed: "\(error)", bound)]
            }
        }
    }
}
