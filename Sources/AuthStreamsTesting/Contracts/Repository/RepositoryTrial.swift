import AuthStreams

/// One repository with its own server, and the calls of a check.
struct RepositoryTrial: Sendable {
    /// The operations of a repository.
    enum Call: String, CaseIterable, Sendable {
        case signIn = "sign-in"
        case refresh = "refresh"
        case adopt = "adoption"
        case signOut = "sign-out"
        case deleteAccount = "deletion"
        case reload
        case updateProfile = "profile change"
        case link, unlink
        case reauthenticate = "re-authentication"
        case signInAnonymously = "sign-in without identity"
        case signOutEverywhere = "sign-out everywhere"
        case revokeAccess = "revocation"
        case answer = "answer to a challenge"

        /// The operations that are optional.
        static let changes: [Self] = [
            .reload, .updateProfile, .link, .unlink, .reauthenticate, .signInAnonymously, .signOutEverywhere,
            .revokeAccess,
        ]
    }

    /// A call with everything that it needs.
    struct Prepared: Sendable {
        let call: Call
        /// The secrets that it sends only to the server.
        let secrets: Set<Secret>
        let run: @Sendable () async throws(AuthError) -> AuthSession?

        var result: Result<AuthSession?, AuthError> {
            get async { do { return .success(try await run()) } catch { return .failure(error) } }
        }
    }

    /// A call that was made, and its observed result.
    struct Attempt: Sendable {
        let call: Prepared
        let result: Result<AuthSession?, AuthError>
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
    var calls: [Call] { Call.allCases.filter(can) }

    /// Returns whether the author says that the repository has the operation.
    func can(_ call: Call) -> Bool {
        let changes = environment.changes
        return switch call {
        case .signIn, .refresh, .signOut, .deleteAccount: true
        case .adopt: environment.console.adopts.isThere && renews
        case .reload: changes.reloading.isThere
        case .updateProfile: changes.profile.isThere
        case .link, .unlink: changes.linking.isThere
        case .reauthenticate: changes.reauthentication.isThere
        case .signInAnonymously: changes.anonymousUsers.isThere
        case .signOutEverywhere: changes.signingOutEverywhere.isThere
        case .revokeAccess: changes.revocation.isThere
        case .answer: environment.challenges.isThere
        }
    }

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

    /// Prepares a call, with its own session.
    func prepare(_ call: Call) async throws -> Prepared {
        let repository = repository
        if call == .signIn {
            let credential = try await environment.credential()
            return Prepared(call: call, secrets: credential.allSecrets) { () throws(AuthError) in
                try await repository.signIn(with: credential)
            }
        }
        if call == .answer {
            let challenge = try await challenge()
            let answer = try await environment.challenges.required().answer(challenge)
            let secrets = [challenge.pendingToken, answer.code].compactMap(\.self)
            return Prepared(call: call, secrets: Set(secrets)) { () throws(AuthError) in
                try await repository.answer(challenge, with: answer, in: nil)
            }
        }
        var session = try await session()
        if call == .adopt, session.refreshToken == nil {
            throw ContractSkip(reason: "the session has no refresh token")
        }
        if call == .unlink { session = try await linked(session) }
        let (credential, before) = (try await credential(for: call), session)
        var secrets = Set([session.accessToken, session.refreshToken].compactMap(\.self))
        if call != .unlink { secrets.formUnion(credential.allSecrets) }
        return Prepared(call: call, secrets: secrets) { () throws(AuthError) in
            switch call {
            case .refresh: return try await repository.refresh(before)
            case .adopt:
                if let token = before.refreshToken {
                    return try await repository.adopt(AdoptableSession(refreshToken: token, user: before.user))
                }
            case .signOut: try await repository.signOut(before)
            case .deleteAccount: try await repository.deleteAccount(before)
            default: try await change(call, of: before, with: credential)
            }
            return nil
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
        let prepared = try await prepare(call)
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

    /// Returns the credential that a call needs beside the session.
    private func credential(for call: Call) async throws -> Credential {
        switch call {
        case .link, .unlink: try await environment.changes.linking.required()()
        case .reauthenticate, .revokeAccess: try await environment.credential()
        default: Credential(provider: "none")
        }
    }

    private static let profile = ProfileChanges(displayName: .set("Another name"))

    /// Makes one of the optional calls.
    func change(_ call: Call, of session: AuthSession, with credential: Credential) async throws(AuthError) {
        switch call {
        case .reload: _ = try await repository.reload(session)
        case .updateProfile: _ = try await repository.updateProfile(Self.profile, of: session)
        case .link: _ = try await repository.link(credential, to: session)
        case .unlink: _ = try await repository.unlink(credential.provider, from: session)
        case .reauthenticate: _ = try await repository.reauthenticate(session, with: credential)
        case .signInAnonymously: _ = try await repository.signInAnonymously()
        case .signOutEverywhere: try await repository.signOutEverywhere(session)
        case .revokeAccess: try await repository.revokeAccess(with: credential, of: session)
        default: break
        }
    }

    /// Returns the number of requests of a call without faults.
    func requests(of call: Call) async throws -> Int {
        await make(try await prepare(call), nil, from: 1).sent.count
    }
}

extension ChallengeAnswer {
    /// The code, if this is one.
    fileprivate var code: Secret? { if case .code(let code) = self { code } else { nil } }
}
