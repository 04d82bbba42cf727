import AuthStreams
import AuthStreamsTesting
import Foundation

extension Rival {
    /// The same calls without the library.
    static let bare = Rival(title: "bare", key: "bare")
    /// The same calls without the library, but with a connection of its own for each `POST`, as the library has it on
    /// Linux so that nothing is sent twice.
    static let fresh = Rival(title: "bare, fresh", key: "bareFreshConnections")
}

extension Suite {
    /// Sign-ins over HTTP on this machine, beside the same calls made bare.
    static var signInsOnTheWire: [Measure] {
        [
            onTheWire(.apple, "apple", "Apple by its page and a relay"),
            onTheWire(.google, "google", "Google by its page and a listener"),
            onTheWire(.kakao, "kakao", "Kakao by KakaoTalk"),
            onTheWire(.naver, "naver", "Naver by its app"),
        ]
    }

    private static func onTheWire(_ provider: ProviderID, _ id: String, _ title: String) -> Measure {
        let rate = "\(id)-rate"
        let timeBound = Bound.atMost(must: 1.25, aim: 1.1)
        // The same limits, seen from the other side.
        let rateBound = Bound.atLeast(must: 0.8, aim: 0.9)
        return Measure(id, rate) { rounds in
            do {
                let times = try await millisecondsPerSignIn(with: provider, rounds)
                return [
                    Row(id, title, unit: "ms/sign-in", times, timeBound),
                    Row(rate, title, unit: "sign-ins/s", times.map { 1000 / $0 }, rateBound),
                ]
            } catch {
                let reason = "A sign-in failed: \(error)"
                return [
                    Row(id, title, failed: reason, timeBound), Row(rate, title, failed: reason, rateBound),
                ]
            }
        }
    }

    private static func millisecondsPerSignIn(
        with provider: ProviderID, _ rounds: Rounds
    ) async throws -> Comparison {
        try await withEmulator { emulator in
            let contenders = try await WireContenders(at: emulator.baseURL)
            defer { contenders.end() }
            // One sign-in each and then the next: a machine that is busy for a moment is so for all of them.
            let samples = try await rounds.finer(by: 25).interleave([
                { try await milliseconds { try await contenders.ours.signIn(with: provider) } },
                { try await milliseconds { try await contenders.bare.signIn(with: provider) } },
                { try await milliseconds { try await contenders.fresh.signIn(with: provider) } },
            ])
            return Comparison(ours: samples[0], rivals: [.bare: samples[1], .fresh: samples[2]])
        }
    }

    private static func milliseconds(_ signIn: () async throws -> Void) async throws -> Double {
        let begin = Stopwatch.nanoseconds()
        try await signIn()
        return (Stopwatch.nanoseconds() - begin) / 1e6
    }
}

extension Row {
    /// Ours against the bare calls; the figure is ours by theirs.
    fileprivate init(_ id: String, _ quantity: String, unit: String, _ comparison: Comparison, _ bound: Bound) {
        self.init(
            id: id, quantity: quantity, unit: unit, ours: comparison.ours, rivals: comparison.rivals,
            figure: comparison.ratio(against: [.bare]).map { 1 / $0 }, figureUnit: "x", bound: bound)
    }
}
