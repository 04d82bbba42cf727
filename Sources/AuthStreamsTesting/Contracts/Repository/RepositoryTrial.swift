import AuthStreams

/// One repository with its own server, and the calls of a check.
struct RepositoryTrial: Sendable {
    /// A call with everything that it needs.
    struct Prepared: Sendable {
        /// The secrets that it sends only to the server.
        let secrets: Set<Secret>
        let run: @Sendable () async throws -> Void

        var result: Result<Void, AuthError> {
            get async {
                // A repository throws no other error.
                do { return .success(try await run()) } catch { return .failure(error as? AuthError ?? .cancelled) }
            }
        }
    }

    /// A call that was made, and its observed result.
    struct Attempt: Sendable {
        let call: Prepared
        let result: Result<Void, AuthError>
        let sent: [AuthHTTPRequest]
        let identities: [[String]]
        let hasReachedServer: Bool
    }

    let environment: AuthRepositoryContract.Environment
    let network: ContractNetwork
    let repository: any AuthRepository

    init(_ contract: AuthRepositoryContract) async throws {
        try await self.init(in: try await contract.makeEnvironment())
    }

    /// Makes a repository beside others of the same server.
    init(in environment: AuthRepositoryContract.Environment) async throws {
        self.environment = environment
        network = ContractNetwork(environment.network)
        repository = try await environment.repository(network)
    }

    /// The operations that this repository has.
    var calls: [Call] { Call.all.filter { $0.isThere(environment) } }

    /// Returns a session of the person whose credentials the server takes.
    ///
    /// - Throws: ``ContractInconclusive`` if there is none.
    func session() async throws -> AuthSession {
        let credential = try await environment.credential()
        return try await Self.promised(AuthRepositoryContract.agreement, "a session of a good credential") {
            () throws(AuthError) in try await repository.signIn(with: credential)
        }
    }

    /// Whether a session can be refreshed.
    var renews: Bool { environment.console.givesRefreshTokens.isThere }

    /// - Throws: ``ContractSkip`` if sessions cannot be refreshed.
    func requireRenewal() throws(ContractSkip) { try environment.console.givesRefreshTokens.required() }

    /// Returns the next session.
    ///
    /// - Throws: ``ContractInconclusive`` if there is none.
    func refreshed(_ session: AuthSession) async throws -> AuthSession {
        try await Self.promised(AuthRepositoryContract.renewal, "the next session") { () throws(AuthError) in
            try await repository.refresh(session)
        }
    }

    /// Returns a value that depends on another promise.
    ///
    /// - Throws: ``ContractInconclusive`` if that promise is broken.
    static func promised<Value>(
        _ base: String, _ expected: String, _ call: () async throws(AuthError) -> Value
    ) async throws -> Value {
        do { return try await call() } catch {
            throw ContractInconclusive(
                base: base, expected: expected, seen: "saw \(ContractFindings.words(for: error))")
        }
    }

    /// Returns the challenge of a new sign-in.
    ///
    /// - Throws: ``ContractInconclusive`` if there is none, ``ContractSkip`` if the repository throws none.
    func challenge() async throws -> Challenge {
        let credential = try await environment.challenges.required().credential()
        var seen = "a session"
        do throws(AuthError) { _ = try await repository.signIn(with: credential) } catch {
            if let challenge = error.challenge { return challenge }
            seen = ContractFindings.words(for: error)
        }
        throw ContractInconclusive(
            base: AuthRepositoryContract.question, expected: "a challenge of the sign-in", seen: "saw \(seen)")
    }

    /// Makes a call while the network breaks at one of its requests.
    ///
    /// - Parameter kept: A call that has not reached the server, to be made again in place of a new one. If the
    ///   repository refuses it without a request, a new one is made.
    func attempt(
        _ call: Call, keeping kept: inout Prepared?, from number: Int = 1,
        _ fault: (Prepared) -> ContractNetwork.Fault?
    ) async throws -> Attempt {
        if let again = kept {
            let attempt = await make(again, fault(again), from: number)
            if attempt.hasReachedServer { kept = nil }
            if !attempt.sent.isEmpty || attempt.result.isSuccess { return attempt }
        }
        let prepared = try await call.prepare(self)
        let attempt = await make(prepared, fault(prepared), from: number)
        kept = attempt.hasReachedServer ? nil : prepared
        return attempt
    }

    private func make(_ call: Prepared, _ fault: ContractNetwork.Fault?, from number: Int) async -> Attempt {
        network.begin(fault, from: number)
        defer { network.begin() }
        let result = await call.result
        return Attempt(
            call: call, result: result, sent: network.sent, identities: network.identities,
            hasReachedServer: network.hasReachedServer)
    }

    /// Returns the number of requests of a call without faults.
    func requests(of call: Call) async throws -> Int {
        await make(try await call.prepare(self), nil, from: 1).sent.count
    }
}

extension RepositoryTrial {
    /// A row of the table of trials: an operation of a repository, and what one call of it takes.
    struct Call: Equatable, Sendable {
        /// What a call takes beside a session: the session's refresh token, another credential of the person, that of a
        /// further identity, or such an identity that the session has.
        enum Need { case nothing, refreshToken, proof, newIdentity, linkedIdentity }

        typealias Given = (repository: any AuthRepository, session: AuthSession, credential: Credential)
        typealias Has = @Sendable (AuthRepositoryContract.Environment) -> Bool

        let name: String
        /// Whether the author says that the repository has the operation.
        var isThere: Has = { _ in true }
        /// Prepares a call, with its own session.
        let prepare: @Sendable (RepositoryTrial) async throws -> Prepared

        static func == (one: Self, other: Self) -> Bool { one.name == other.name }
    }
}

extension RepositoryTrial.Call {
    /// The table of trials.
    static let all = [signIn, refresh, adopt, signOut, deleteAccount] + changes + [answer]

    static let signIn = Self(name: "sign-in") { trial in
        let credential = try await trial.environment.credential()
        return .init(secrets: credential.allSecrets) { _ = try await trial.repository.signIn(with: credential) }
    }
    static let refresh = Self("refresh") { _ = try await $0.repository.refresh($0.session) }
    private static let adopt = Self("adoption", .refreshToken, if: \.console.mayAdopt) {
        guard let token = $0.session.refreshToken else { return }
        _ = try await $0.repository.adopt(AdoptableSession(refreshToken: token, user: $0.session.user))
    }
    static let signOut = Self("sign-out") { try await $0.repository.signOut($0.session) }
    static let deleteAccount = Self("deletion") { try await $0.repository.deleteAccount($0.session) }
    static let revokeAccess = Self("revocation", .proof, if: \.changes.revocation.isThere) {
        try await $0.repository.revokeAccess(with: $0.credential, of: $0.session)
    }
    private static let answer = Self(name: "answer to a challenge", isThere: \.challenges.isThere) { trial in
        let challenge = try await trial.challenge()
        let answer = try await trial.environment.challenges.required().answer(challenge)
        return .init(secrets: Set([challenge.pendingToken, answer.code].compactMap(\.self))) {
            _ = try await trial.repository.answer(challenge, with: answer, in: nil)
        }
    }

    /// The operations that are optional.
    static let changes = [
        Self("reload", if: \.changes.reloading.isThere) { _ = try await $0.repository.reload($0.session) },
        Self("profile change", if: \.changes.profile.isThere) {
            _ = try await $0.repository.updateProfile(.init(displayName: .set("Another name")), of: $0.session)
        },
        Self("link", .newIdentity, if: \.changes.linking.isThere) {
            _ = try await $0.repository.link($0.credential, to: $0.session)
        },
        Self("unlink", .linkedIdentity, if: \.changes.linking.isThere) {
            _ = try await $0.repository.unlink($0.credential.provider, from: $0.session)
        },
        Self("re-authentication", .proof, if: \.changes.reauthentication.isThere) {
            _ = try await $0.repository.reauthenticate($0.session, with: $0.credential)
        },
        Self("sign-in without identity", if: \.changes.anonymousUsers.isThere) {
            _ = try await $0.repository.signInAnonymously()
        },
        Self("sign-out everywhere", if: \.changes.signingOutEverywhere.isThere) {
            try await $0.repository.signOutEverywhere($0.session)
        },
        revokeAccess,
    ]

    /// A row of an operation on a session.
    private init(
        _ name: String, _ need: Need = .nothing, if isThere: @escaping Has = { _ in true },
        run: @escaping @Sendable (Given) async throws -> Void
    ) {
        self.init(name: name, isThere: isThere) { trial in
            var (session, credential) = (try await trial.session(), Credential(provider: "none"))
            switch (need, trial.environment.changes.linking) {
            case (.nothing, _): break
            case (.refreshToken, _):
                if session.refreshToken == nil { throw ContractSkip(reason: "the session has no refresh token") }
            case (.newIdentity, .can(let more)): credential = try await more()
            case (.linkedIdentity, .can(let more)):
                session = try await trial.linked(session)
                credential.provider = try await more().provider
            // Also for an operation that the repository does not have.
            default: credential = try await trial.environment.credential()
            }
            let secrets = Set([session.accessToken, session.refreshToken].compactMap(\.self))
            let given = (trial.repository, session, credential)
            return .init(secrets: secrets.union(credential.allSecrets)) { try await run(given) }
        }
    }
}

extension AuthRepositoryContract.Console {
    /// Whether there are sessions for the repository to adopt.
    fileprivate var mayAdopt: Bool { adopts.isThere && givesRefreshTokens.isThere }
}

extension ChallengeAnswer {
    /// The code, if this is one.
    fileprivate var code: Secret? { if case .code(let code) = self { code } else { nil } }
}
