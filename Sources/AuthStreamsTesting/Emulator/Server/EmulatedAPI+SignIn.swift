import AuthStreams
import Foundation

extension EmulatedAPI {
    /// `POST /auth/sign-in`: identifies the person of the credential, and begins a session.
    func signIn(_ request: EmulatorRequest, in context: EmulatorContext) async throws(ServerProblem) -> AuthJSON {
        let body = try ServerBody(request)
        guard try body.string("provider") != ProviderID.password.rawValue else {
            throw ServerProblem("unsupported-provider", "Passwords have a path of their own.")
        }
        let profile = try body.object("profile")
        let name = PersonName(givenName: try profile.string("givenName"), familyName: try profile.string("familyName"))
        var identity = try await identity(in: body, context)
        // Unsigned, so it only provides a name. The e-mail beside it is ignored.
        identity.displayName = identity.displayName ?? name?.displayName

        let person = identity
        return try state.withLock { (state) throws(ServerProblem) in
            try state.enter(.init(identity: person), in: context)
        }
    }

    /// `POST /auth/anonymous`: creates a user without an identity, and begins a session.
    func signInAnonymously(_: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let (now, rules) = (context.now, context.configuration.server)
        guard rules.takesAnonymousUsers else {
            throw ServerProblem("access-denied", "This server takes no anonymous users.")
        }
        return state.withLock { state in
            let account = state.accounts.signInAnonymously(now: now)
            let family = state.sessions.begin(for: account.id, from: .anonymous, now: now)
            let tokens = state.sessions.issue(for: family, by: rules, now: now)
            var answer = Self.answer(tokens, account, family.provider)
            answer["isNewUser"] = true
            return .object(answer)
        }
    }

    /// Returns the identity of the credential in a body.
    func identity(in body: ServerBody, _ context: EmulatorContext) async throws(ServerProblem) -> VerifiedIdentity {
        let provider = ProviderID(rawValue: try body.required("provider"))
        if let identity = try addressIdentity(in: body, of: provider, context) { return identity }
        guard context.configuration.server.providers.contains(provider),
            let identity = try await identity(of: try body.credential, from: provider, in: context)
        else { throw ServerProblem("unsupported-provider", "'provider' is none of those that this server takes.") }
        return identity
    }

    private func identity(
        of credential: PresentedCredential, from provider: ProviderID, in context: EmulatorContext
    ) async throws(ServerProblem) -> VerifiedIdentity? {
        do throws(CredentialRefusal) {
            return try await CredentialVerifier(context: context).identity(of: credential, from: provider)
        } catch {
            throw ServerProblem(error)
        }
    }
}

extension ServerProblem {
    /// Makes the problem for a refused credential.
    init(_ refusal: CredentialRefusal) {
        switch refusal {
        case .malformed(let detail): self.init("invalid-request", detail)
        case .refused(let detail): self.init("invalid-credential", detail)
        case .nonce(let detail): self.init("nonce-mismatch", detail)
        case .unavailable(let detail): self.init("provider-unavailable", detail)
        }
    }
}

extension ServerBody {
    var credential: PresentedCredential {
        get throws(ServerProblem) {
            PresentedCredential(
                idToken: try string("idToken"), nonce: try string("nonce"), accessToken: try string("accessToken"),
                code: try string("code"), state: try string("state"), redirectURI: try string("redirectURI"),
                serverAuthCode: try string("serverAuthCode"))
        }
    }
}
