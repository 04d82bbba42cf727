import AuthStreams

/// One repository with a server of its own, and the calls that a check makes there.
struct RepositoryTrial: Sendable {
    /// Everything that can be asked of a repository.
    enum Call: String, CaseIterable, Sendable {
        case signIn = "sign-in"
        case refresh = "refresh"
        case adopt = "adoption"
        case signOut = "sign-out"
        case deleteAccount = "deletion"
    }

    /// A call with all that it needs, ready to be made.
    struct Prepared: Sendable {
        let call: Call
        /// What goes to the server in it, and nowhere else.
        let secrets: Set<Secret>
        let run: @Sendable () async throws(AuthError) -> Session?

        var result: Result<Session?, AuthError> {
            get async { do { return .success(try await run()) } catch { return .failure(error) } }
        }
    }

    let surroundings: AuthRepositoryContract.Surroundings
    let network: ContractNetwork
    let repository: any AuthRepository

    init(_ contract: AuthRepositoryContract) async throws {
        try await self.init(in: try await contract.makeSurroundings())
    }

    /// A repository beside others of the same server.
    init(in surroundings: AuthRepositoryContract.Surroundings) async throws {
        self.surroundings = surroundings
        network = ContractNetwork(surroundings.network)
        repository = try await surroundings.repository(network)
    }

    /// The calls that this repository can be asked.
    var calls: [Call] {
        if case .can = surroundings.console.adopts, renews { return Call.allCases }
        return Call.allCases.filter { $0 != .adopt }
    }

    /// A session of the person whose credentials the server takes.
    ///
    /// - Throws: ``ContractUnjudged``: without one there is nothing to look at.
    func session() async throws -> Session {
        let credential = try await surroundings.credential()
        return try await Self.promised(AuthRepositoryContract.agreement, "a session of a good credential") {
            () throws(AuthError) in try await repository.signIn(with: credential)
        }
    }

    /// Whether a session goes on, or lasts as long as its access token.
    var renews: Bool { if case .can = surroundings.console.givesRefreshTokens { true } else { false } }

    /// - Throws: ``ContractLeftOut`` where no session goes on.
    func requireRenewal() throws(ContractLeftOut) { try surroundings.console.givesRefreshTokens.required() }

    /// The next session.
    ///
    /// - Throws: ``ContractUnjudged`` when there is none.
    func refreshed(_ session: Session) async throws -> Session {
        try await Self.promised(AuthRepositoryContract.renewal, "the next session") { () throws(AuthError) in
            try await repository.refresh(session)
        }
    }

    /// What another promise has to give first.
    ///
    /// - Throws: ``ContractUnjudged`` when it does not.
    static func promised<Value>(
        _ base: String, _ expected: String, _ call: () async throws(AuthError) -> Value
    ) async throws -> Value {
        do { return try await call() } catch {
            throw ContractUnjudged(base: base, expected: expected, seen: "saw \(ContractFindings.words(for: error))")
        }
    }

    /// Gets everything ready for a call, with a session of its own.
    func prepare(_ call: Call) async throws -> Prepared {
        let repository = repository
        if call == .signIn {
            let credential = try await surroundings.credential()
            return Prepared(call: call, secrets: credential.allSecrets) { () throws(AuthError) in
                try await repository.signIn(with: credential)
            }
        }
        let session = try await session()
        if call == .adopt, session.refreshToken == nil {
            throw ContractLeftOut(reason: "the session has no refresh token")
        }
        let secrets = Set([session.accessToken, session.refreshToken].compactMap(\.self))
        return Prepared(call: call, secrets: secrets) { () throws(AuthError) in
            switch call {
            case .signIn: break
            case .refresh: return try await repository.refresh(session)
            case .adopt:
                if let token = session.refreshToken { return try await repository.adopt(refreshToken: token) }
            case .signOut: try await repository.signOut(session)
            case .deleteAccount: try await repository.deleteAccount(session)
            }
            return nil
        }
    }

    /// How many requests the call makes when nothing is broken.
    func requests(of call: Call) async throws -> Int {
        let prepared = try await prepare(call)
        network.begin()
        _ = await prepared.result
        return network.sent.count
    }
}
