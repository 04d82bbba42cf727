import AuthStreams

/// One provider with one person, and the attempts of a check.
struct ProviderTrial: Sendable {
    let provider: any AuthProvider
    let witness: ContractRecorder
    private let repository: (any AuthRepository)?

    init(_ contract: AuthProviderContract, _ person: AuthProviderContract.Person) async throws {
        witness = ContractRecorder()
        repository = contract.repository
        provider = try await contract.makeProvider(person, witness)
    }

    /// A stream that may be iterated.
    func stream(_ request: AuthRequest = AuthRequest()) -> AuthStream<Credential> {
        guard let repository else { return provider.authenticate(request) }
        var request = request
        request.prepare = { [witness, kind = request.methodKind] preparation in
            await witness.contact(by: kind, to: "the server's preparation")
            return try await repository.prepare(preparation, in: nil)
        }
        return provider.authenticate(request)
    }

    /// Runs one attempt and returns its result.
    func attempt(_ request: AuthRequest = AuthRequest()) async -> Result<Credential, AuthError> {
        await stream(request).result
    }

    /// Returns the credential of an attempt that a person agreed to.
    ///
    /// - Throws: ``ContractInconclusive`` if there is none.
    func credential(_ request: AuthRequest = AuthRequest()) async throws(ContractInconclusive) -> Credential {
        try Self.credential(of: await attempt(request))
    }

    static func credential(
        of result: Result<Credential, AuthError>, base: String = AuthProviderContract.agreement
    ) throws(ContractInconclusive) -> Credential {
        do { return try result.get() } catch {
            throw ContractInconclusive(
                base: base, expected: "a credential of a person who agrees",
                seen: "it ended with \(ContractFindings.words(for: error))")
        }
    }

    /// The requests that use every method kind once: by its name, or without one if there is only one.
    var requests: [AuthRequest] {
        provider.methodKinds == [.standard] ? [AuthRequest()] : provider.methodKinds.map { AuthRequest(methodKind: $0) }
    }

    /// - Throws: ``ContractSkip`` for a provider with only one method kind, which need not read the request's.
    func requireSeveralKinds() throws(ContractSkip) {
        if provider.methodKinds == [.standard] {
            throw ContractSkip(reason: "the provider has the standard method kind alone")
        }
    }
}

extension Credential {
    /// The proofs that a server can verify.
    var proofs: [Secret] {
        [idToken, accessToken, authorizationCode?.code, serverAuthCode, passkey].compactMap(\.self)
    }

    /// The secrets that no other attempt may have. An access token may be the same if another secret proves the
    /// attempt.
    var ownSecrets: Set<Secret> {
        let own = [
            idToken, rawNonce, authorizationCode?.code, authorizationCode?.state, authorizationCode?.codeVerifier,
            serverAuthCode, passkey,
        ].compactMap(\.self)
        return Set(own.isEmpty ? [accessToken].compactMap(\.self) : own)
    }

    /// All secrets, none of which may be printed.
    var allSecrets: Set<Secret> { ownSecrets.union([accessToken].compactMap(\.self)) }
}
