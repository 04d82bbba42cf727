import AuthStreams

/// One provider with one person in front of it, and the attempts that a check makes there.
struct ProviderTrial: Sendable {
    let provider: any AuthProvider
    let witness: ContractRecorder

    init(_ contract: AuthProviderContract, _ person: AuthProviderContract.Person) async throws {
        witness = ContractRecorder()
        provider = try await contract.makeProvider(person, witness)
    }

    /// A stream that may be iterated.
    func stream(_ request: AuthRequest = AuthRequest()) -> AuthStream<Credential> { provider.authenticate(request) }

    /// An attempt that is over, whatever came of it.
    func attempt(_ request: AuthRequest = AuthRequest()) async -> Result<Credential, AuthError> {
        await provider.authenticate(request).result
    }

    /// The credential of an attempt that a person agreed to.
    ///
    /// - Throws: ``ContractUnjudged``: without one there is nothing to look at.
    func credential(_ request: AuthRequest = AuthRequest()) async throws(ContractUnjudged) -> Credential {
        try Self.credential(of: await attempt(request))
    }

    static func credential(
        of result: Result<Credential, AuthError>, base: String = AuthProviderContract.agreement
    ) throws(ContractUnjudged) -> Credential {
        do { return try result.get() } catch {
            throw ContractUnjudged(
                base: base, expected: "a credential of a person who agrees",
                seen: "it ended with \(ContractFindings.words(for: error))")
        }
    }

    /// What to ask so that every means is asked once: each by its name, or nothing where there is but one.
    var requests: [AuthRequest] {
        provider.means == [.standard] ? [AuthRequest()] : provider.means.map { AuthRequest(means: $0) }
    }

    /// - Throws: ``ContractLeftOut`` for a provider with one way alone, which need not look at the request's.
    func requireSeveralMeans() throws(ContractLeftOut) {
        if provider.means == [.standard] { throw ContractLeftOut(reason: "the provider has the standard means alone") }
    }
}

extension Credential {
    /// What a server can believe.
    var proofs: [Secret] { [idToken, accessToken, authorizationCode?.code, serverAuthCode].compactMap(\.self) }

    /// What no other attempt may have. An access token may be the same again where something else proves the attempt.
    var ownSecrets: Set<Secret> {
        let own = [
            idToken, rawNonce, authorizationCode?.code, authorizationCode?.state, authorizationCode?.codeVerifier,
            serverAuthCode,
        ].compactMap(\.self)
        return Set(own.isEmpty ? [accessToken].compactMap(\.self) : own)
    }

    /// Everything in it that nobody may print.
    var allSecrets: Set<Secret> { ownSecrets.union([accessToken].compactMap(\.self)) }
}
