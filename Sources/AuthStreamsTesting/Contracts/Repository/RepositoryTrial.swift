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
        case link, unlink
        case reauthenticate = "re-authentication"
        case signInAnonymously = "sign-in without identity"
        case signOutEverywhere = "sign-out everywhere"
        case revokeAccess = "revocation"

        /// What not every repository can do.
        static let changes: [Self] = [
            .link, .unlink, .reauthenticate, .signInAnonymously, .signOutEverywhere, .revokeAccess,
        ]
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

    /// A call that was made, and what was seen of it.
    struct Attempt: Sendable {
        let call: Prepared
        let result: Result<Session?, AuthError>
        let sent: [HTTPRequest]
        let hasReachedServer: Bool
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
    var calls: [Call] { Call.allCases.filter(can) }

    /// Whether its author says that it does that.
    func can(_ call: Call) -> Bool {
        let changes = surroundings.changes
        return switch call {
        case .signIn, .refresh, .signOut, .deleteAccount: true
        case .adopt: surroundings.console.adopts.isThere && renews
        case .link, .unlink: changes.linking.isThere
        case .reauthenticate: changes.reauthentication.isThere
        case .signInAnonymously: changes.anonymousUsers.isThere
        case .signOutEverywhere: changes.signingOutEverywhere.isThere
        case .revokeAccess: changes.revocation.isThere
        }
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
    var renews: Bool { surroundings.console.givesRefreshTokens.isThere }

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
        var session = try await session()
        if call == .adopt, session.refreshToken == nil {
            throw ContractLeftOut(reason: "the session has no refresh token")
        }
        if call == .unlink { session = try await linked(session) }
        let (credential, before) = (try await credential(for: call), session)
        var secrets = Set([session.accessToken, session.refreshToken].compactMap(\.self))
        if call != .unlink { secrets.formUnion(credential.allSecrets) }
        return Prepared(call: call, secrets: secrets) { () throws(AuthError) in
            switch call {
            case .refresh: return try await repository.refresh(before)
            case .adopt:
                if let token = before.refreshToken { return try await repository.adopt(refreshToken: token) }
            case .signOut: try await repository.signOut(before)
            case .deleteAccount: try await repository.deleteAccount(before)
            default: try await change(call, of: before, with: credential)
            }
            return nil
        }
    }

    /// Makes a call while the network breaks at one of its requests.
    ///
    /// - Parameter kept: A call that the server has not heard of, to be made again in place of a new one. When the repository
    ///   refuses it without asking the server again, a new one is made.
    func attempt(
        _ call: Call, keeping kept: inout Prepared?, from number: Int = 1,
        _ fault: (Prepared) -> ContractNetwork.Fault?
    ) async throws -> Attempt {
        if let again = kept {
            let attempt = await make(again, fault(again), from: number)
            if attempt.hasReachedServer { kept = nil }
            if !attempt.sent.isEmpty || attempt.result.isSuccess { return attempt }
        }
        let prepared = try await prepare(call)
        let attempt = await make(prepared, fault(prepared), from: number)
        kept = attempt.hasReachedServer ? nil : prepared
        return attempt
    }

    private func make(_ call: Prepared, _ fault: ContractNetwork.Fault?, from number: Int) async -> Attempt {
        network.begin(fault, from: number)
        defer { network.begin() }
        let result = await call.result
        return Attempt(call: call, result: result, sent: network.sent, hasReachedServer: network.hasReachedServer)
    }

    /// What a call takes along beside the session.
    private func credential(for call: Call) async throws -> Credential {
        switch call {
        case .link, .unlink: try await surroundings.changes.linking.required()()
        case .reauthenticate, .revokeAccess: try await surroundings.credential()
        default: Credential(provider: "none")
        }
    }

    /// Makes one of the calls that not every repository can be asked.
    func change(_ call: Call, of session: Session, with credential: Credential) async throws(AuthError) {
        switch call {
        case .link: _ = try await repository.link(credential, to: session)
        case .unlink: _ = try await repository.unlink(credential.provider, from: session)
        case .reauthenticate: _ = try await repository.reauthenticate(session, with: credential)
        case .signInAnonymously: _ = try await repository.signInAnonymously()
        case .signOutEverywhere: try await repository.signOutEverywhere(session)
        case .revokeAccess: try await repository.revokeAccess(with: credential, of: session)
        default: break
        }
    }

    /// How many requests the call makes when nothing is broken.
    func requests(of call: Call) async throws -> Int {
        await make(try await prepare(call), nil, from: 1).sent.count
    }
}
