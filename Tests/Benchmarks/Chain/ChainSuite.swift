import AuthStreams
import AuthStreamsTesting

extension Suite {
    /// Whole sign-ins.
    static let chain = Suite(
        name: "chain", summary: "sign-ins with each provider, beside the same HTTP calls by URLSession, and in memory",
        rivals: [.bare, .fresh],
        measures: [
            overHTTP(.apple, "apple", "Apple by its page and a relay"),
            overHTTP(.google, "google", "Google by its page and a listener"),
            overHTTP(.kakao, "kakao", "Kakao by KakaoTalk"),
            overHTTP(.naver, "naver", "Naver by its app"),
            inMemory(.apple, "memory-apple", "Apple, in memory", .atMost(must: 1200, aim: 500)),
            inMemory(.google, "memory-google", "Google, in memory", .atMost(must: 1200, aim: 500)),
            inMemory(.kakao, "memory-kakao", "Kakao by KakaoTalk, in memory", .atMost(must: 1200, aim: 500)),
            inMemory(.naver, "memory-naver", "Naver by its app, in memory", .atMost(must: 1200, aim: 500)),
        ])

    private static func overHTTP(_ provider: ProviderID, _ id: String, _ title: String) -> Measure {
        Measure(
            id: id, title: title, unit: "ms/sign-in", figure: .cost(beside: .bare),
            bound: .atMost(must: 1.25, aim: 1.15)
        ) { rounds in
            try await withEmulator { emulator in
                let contenders = try await ChainContenders(at: emulator.baseURL)
                defer { contenders.end() }
                // One sign-in per turn: a busy moment of the machine affects all contenders.
                return try await rounds.finer(by: 25).interleave([
                    (.ours, { try await mean(of: 1) { try await contenders.ours(provider) } / 1e6 }),
                    (.bare, { try await mean(of: 1) { try await contenders.bare.signIn(with: provider) } / 1e6 }),
                    (.fresh, { try await mean(of: 1) { try await contenders.fresh.signIn(with: provider) } / 1e6 }),
                ])
            }
        }
    }

    private static func inMemory(_ provider: ProviderID, _ id: String, _ title: String, _ bound: Bound) -> Measure {
        Measure(id: id, title: title, unit: "µs/sign-in", bound: bound) { rounds in
            let signIn = try await MemorySignIn.recorded(with: provider)
            return try await rounds.interleave([
                (.ours, { try await mean(of: rounds.scaled(200)) { try await signIn() } / 1000 })
            ])
        }
    }
}
