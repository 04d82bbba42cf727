import AuthStreams
import Foundation

extension EmulatedAPI {
    /// `POST /auth/sign-in`: finds out whose the credential is, and begins a session of theirs.
    func signIn(_ request: EmulatorRequest, in context: EmulatorContext) async throws(ServerProblem) -> JSONValue {
        let body = try ServerBody(request)
        let provider = ProviderID(rawValue: try body.required("provider"))
        let profile = try body.object("profile")
        let name = [try profile.string("givenName"), try profile.string("familyName")].compactMap(\.self)
        guard context.configuration.server.providers.contains(provider),
            var identity = try await identity(of: try body.credential, from: provider, in: context)
        else { throw ServerProblem("unsupported-provider", "'provider' is none of those that this server takes.") }
        // Unsigned, so it only fills in a name. The e-mail beside it is not looked at.
        if !name.isEmpty { identity.displayName = identity.displayName ?? name.joined(separator: " ") }

        let (now, rules, person) = (context.now, context.configuration.server, identity)
        return try state.withLock { (state) throws(ServerProblem) in
            let (account, isNew) = try state.accounts.signIn(with: person, now: now)
            let family = state.sessions.begin(for: account.id, from: provider, now: now)
            var answer = Self.answer(state.sessions.issue(for: family, by: rules, now: now), account, provider)
            answer["isNewUser"] = .bool(isNew)
            return .object(answer)
        }
    }

    private func identity(
        of credential: PresentedCredential, from provider: ProviderID, in context: EmulatorContext
    ) async throws(ServerProblem) -> VerifiedIdentity? {
        do throws(CredentialRefusal) {
            return try await CredentialVerifier(context: context).identity(of: credential, from: provider)
        } catch {
            switch error {
            case .malformed(let detail): throw ServerProblem("invalid-request", detail)
            case .refused(let detail): throw ServerProblem("invalid-credential", detail)
            case .nonce(let detail): throw ServerProblem("nonce-mismatch", detail)
            case .unavailable(let detail): throw ServerProblem("provider-unavailable", detail)
            }
        }
    }
}

extension ServerBody {
    fileprivate var credential: PresentedCredential {
        get throws(ServerProblem) {
            PresentedCredential(
                idToken: try string("idToken"), nonce: try string("nonce"), accessToken: try string("accessToken"),
                code: try string("code"), state: try string("state"), redirectURI: try string("redirectURI"),
                serverAuthCode: try string("serverAuthCode"))
        }
    }
}
