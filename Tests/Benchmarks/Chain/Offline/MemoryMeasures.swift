import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

extension Suite {
    /// Sign-ins without a network.
    ///
    /// Where the limits come from: a busy machine of two cores showed 0.8 ms (Naver 0.4), which another may take twice and
    /// more of. Its allocations were 2970, 3130, 2940 and 1010, within 0.3 % each time, and Foundation's share of them may
    /// change.
    static var signInsInMemory: [Measure] {
        [
            inMemory(.apple, "Apple", .atMost(must: 2000, aim: 1000), .atMost(must: 3650, aim: 3300)),
            inMemory(.google, "Google", .atMost(must: 2000, aim: 1000), .atMost(must: 3850, aim: 3450)),
            inMemory(.kakao, "Kakao by KakaoTalk", .atMost(must: 2000, aim: 1000), .atMost(must: 3600, aim: 3250)),
            inMemory(.naver, "Naver by its app", .atMost(must: 1000, aim: 500), .atMost(must: 1250, aim: 1100)),
        ]
    }

    private static func inMemory(
        _ provider: ProviderID, _ name: String, _ timeBound: Bound, _ countBound: Bound
    ) -> Measure {
        let id = "memory-\(provider.rawValue.prefix { $0 != "." })"
        let title = "\(name), in memory"
        let count = "\(id)-allocations"
        return Measure(id, count) { rounds in
            do {
                let signIn = try await MemorySignIn.recorded(with: provider)
                let signIns = rounds.scaled(200)
                let signature = SignatureCost()
                let times = try await rounds.interleave([
                    { try await signIn.cost(of: signIns, Stopwatch.nanoseconds) },
                    { try signature?.mean(of: signIns) ?? .nan },
                ])
                var time = Row(id, title, unit: "µs/sign-in", ours: times[0].map { $0 / 1000 }, timeBound)
                // Naver has no ID tokens.
                if provider != .naver, let signature = times[1].median {
                    time.note = "Of it \((signature / 1000).short) µs are libcrypto's, for the ID token's signature"
                }
                guard await AllocationCounter.isTrustworthy() else {
                    return [time, Row(count, title, notMeasured: AllocationCounter.doubt, countBound)]
                }
                let counts = await AllocationCounter.counting {
                    await rounds.interleave([
                        { onOneThread { (try? await signIn.cost(of: signIns, AllocationCounter.meter)) ?? .nan } }
                    ])
                }
                return [time, Row(count, title, unit: "allocations", ours: counts[0], countBound)]
            } catch {
                let reason = "A sign-in failed: \(error)"
                return [
                    Row(id, title, failed: reason, timeBound), Row(count, title, failed: reason, countBound),
                ]
            }
        }
    }
}

extension MemorySignIn {
    /// What one sign-in of so many costs, in what the meter counts.
    fileprivate func cost(of count: Int, _ meter: Meter) async throws -> Double {
        let begin = meter()
        for _ in 0..<count { try await self() }
        return (meter() - begin) / Double(count)
    }
}
