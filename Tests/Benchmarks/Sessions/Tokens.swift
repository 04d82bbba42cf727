import AuthStreams
import AuthStreamsTesting

/// Without this package: an actor that holds a token, and shares one `Task` among the callers that need a new one.
actor TokenActor {
    private let clock = ContinuousClock()
    private let fetch: @Sendable () async throws -> String
    private var token: String
    private var end: ContinuousClock.Instant
    private var refresh: Task<String, any Error>?

    /// - Parameters:
    ///   - isExpired: Whether the first token is.
    ///   - fetch: Gets the next one.
    init(isExpired: Bool, fetch: @escaping @Sendable () async throws -> String = { BenchRepository.token(1) }) {
        self.fetch = fetch
        token = BenchRepository.token(0)
        end = isExpired ? clock.now : clock.now + .seconds(3600)
    }

    func accessToken() async throws -> String {
        if clock.now < end { return token }
        if let refresh { return try await refresh.value }
        let task = Task { [fetch] in try await fetch() }
        refresh = task
        defer { refresh = nil }
        token = try await task.value
        end = clock.now + .seconds(3600)
        return token
    }
}

/// What a valid token costs, in nanoseconds.
enum TokenCost {
    static func oneTask(_ rounds: Rounds) async throws -> Samples {
        let (auth, actor) = (try await signedIn(), TokenActor(isExpired: false))
        // Turns so short that few of them are interrupted by other work of the machine.
        let repetitions = rounds.isSmoke ? 10 : 5000
        return try await rounds.finer(by: 50).interleave([
            (.ours, { try await ours(auth, repetitions) }),
            (.lockAndClock, { lockAndClock(repetitions) }),
            (.actor, { try await theirs(actor, repetitions) }),
        ])
    }

    /// Two tasks at once: the time until both are done, for each token.
    static func twoTasks(_ rounds: Rounds) async throws -> Samples {
        let (auth, actor) = (try await signedIn(), TokenActor(isExpired: false))
        let repetitions = rounds.isSmoke ? 10 : 10_000
        return try await rounds.finer(by: 20).interleave([
            (.ours, { try await byTwo(repetitions) { try await ours(auth, $0) } }),
            (.actor, { try await byTwo(repetitions) { try await theirs(actor, $0) } }),
        ])
    }

    // The loops are written out, because the call of a closure would be a fifth of the figure.

    private static func ours(_ auth: AuthService, _ repetitions: Int) async throws -> Double {
        let begin = ContinuousClock.now
        for _ in 0..<repetitions { consume(try await auth.accessToken()) }
        return begin.nanoseconds(per: repetitions)
    }

    private static func theirs(_ actor: TokenActor, _ repetitions: Int) async throws -> Double {
        let begin = ContinuousClock.now
        for _ in 0..<repetitions { consume(try await actor.accessToken()) }
        return begin.nanoseconds(per: repetitions)
    }

    /// One lock, acquired and released, and one reading of the clock.
    private static func lockAndClock(_ repetitions: Int) -> Double {
        let lock = Guarded(0)
        let begin = ContinuousClock.now
        for _ in 0..<repetitions {
            consume(ContinuousClock.now)
            lock.withLock { $0 &+= 1 }
        }
        return begin.nanoseconds(per: repetitions)
    }

    private static func byTwo(
        _ repetitions: Int, _ work: @escaping @Sendable (Int) async throws -> Double
    ) async throws -> Double {
        let begin = ContinuousClock.now
        async let one = work(repetitions / 2)
        async let other = work(repetitions / 2)
        _ = try await (one, other)
        return begin.nanoseconds(per: repetitions)
    }

    private static func signedIn() async throws -> AuthService {
        let auth = AuthService(
            repository: BenchRepository(), providers: [ScriptedProvider(.kakao)], store: MemorySessionStore(),
            callbacks: CallbackRouter())
        _ = try await auth.signIn(with: .kakao).value
        return auth
    }
}

/// Many callers at once that find the token expired. The cost is that of one caller, in nanoseconds.
struct ExpiredCrowd: Sendable {
    let callers: Int

    func ours() async throws -> Double {
        let arrivals = Countdown(callers)
        let repository = BenchRepository(firstLife: -1) { await arrivals.wait() }
        let refreshing = try await repository.signedIn()
        let cost = try await cost(arrivals) { consume(try await refreshing.accessToken()) }
        try check(repository.refreshes)
        return cost
    }

    func actor() async throws -> Double {
        let arrivals = Countdown(callers)
        let refreshes = Guarded(0)
        let actor = TokenActor(isExpired: true) {
            refreshes.withLock { $0 += 1 }
            await arrivals.wait()
            return BenchRepository.token(1)
        }
        let cost = try await cost(arrivals) { consume(try await actor.accessToken()) }
        try check(refreshes.withLock { $0 })
        return cost
    }

    /// The refresh is answered when the last caller has begun.
    private func cost(
        _ arrivals: Countdown, _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> Double {
        let begin = ContinuousClock.now
        // No group: it searches all its children for each one that ends, which would be most of the time.
        let tasks = (0..<callers).map { _ in
            Task {
                arrivals.arrive()
                try await call()
            }
        }
        for task in tasks { try await task.value }
        return begin.nanoseconds(per: callers)
    }

    private func check(_ refreshes: Int) throws {
        guard refreshes == 1 else { throw Mistake(description: "There were \(refreshes) refreshes.") }
    }
}
