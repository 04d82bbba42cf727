public import AuthStreams
import Foundation

extension FirebaseRepository {
    /// Ends all sessions of the user through the function of ``AccountFunctions/sessionRevocation``, because Firebase
    /// has no such request for apps.
    ///
    /// - Throws: `AuthError`; `unsupportedProvider` before any request if there is no such function.
    public func signOutEverywhere(_ session: AuthSession) async throws(AuthError) {
        do throws(AuthError) {
            guard let functions, let function = functions.sessionRevocation else {
                throw AuthError(
                    .unsupportedProvider,
                    "Only a server can end a Firebase user's sessions. Deploy a function that does, and name it in the "
                        + "repository's functions.")
            }
            try await SessionRevocationFunction(client(of: functions), function: function)
                .revoke(idToken: session.accessToken)
        } catch {
            throw error.located(provider: session.provider)
        }
    }

    /// Returns whether access can be revoked: by the function for its providers, by Firebase for Apple, by Google for
    /// Google.
    public func revokesAccess(at provider: ProviderID) -> Bool {
        provider == .apple || provider == .google || revocation(at: provider) != nil
    }

    /// Withdraws the app's access at the provider. Call it before the account is deleted, with a fresh credential.
    ///
    /// | provider | by | with |
    /// | --- | --- | --- |
    /// | those of ``AccountFunctions/providers`` | the function ``AccountFunctions/revocation`` | the format's fields |
    /// | Apple | Firebase's `accounts:revokeToken` | the unredeemed authorization code |
    /// | Google | `oauth2.googleapis.com/revoke` | the access token |
    ///
    /// - Throws: `AuthError`; `accessDenied` if the credential's identity is not the user's known one at that provider,
    ///   and, if no function checks that, if the user is known to have no identity there; `invalidCredential` before
    ///   any request if a required part is missing; `unsupportedProvider` if there is no way to revoke. None of them
    ///   ends the session, unless Firebase says so.
    public func revokeAccess(with credential: Credential, of session: AuthSession) async throws(AuthError) {
        do throws(AuthError) {
            // Google's endpoint does not check whose token it is.
            guard !session.user.isAnother(than: credential) else {
                throw AuthError(
                    .accessDenied, "The credential is another person's than who is signed in, so nothing is revoked.")
            }
            if let function = revocation(at: credential.provider) {
                return try await function.revoke(credential, idToken: session.accessToken)
            }
            guard session.user.mayHaveIdentity(at: credential.provider) else {
                throw AuthError(
                    .accessDenied, "The user has no identity of this provider, so the credential is another user's.")
            }
            switch credential.provider {
            case .apple:
                guard let code = credential.authorizationCode, !code.code.isEmpty else {
                    throw .nothingToRevoke("authorization code")
                }
                try await toolkit.revokeAppleAccess(with: code, of: session.accessToken)
            case .google:
                guard let token = credential.accessToken?.present else { throw .nothingToRevoke("access token") }
                try await GoogleRevocation(transport: transport, endpoints: project.endpoints).revoke(token)
            default:
                throw AuthError(
                    .unsupportedProvider,
                    "There is no way to revoke at this provider. Deploy a function that does, and name it in the "
                        + "repository's functions.")
            }
        } catch {
            throw error.inTermsOfIDToken.located(provider: credential.provider)
        }
    }

    private func revocation(at provider: ProviderID) -> SocialRevocationFunction? {
        guard let functions, let function = functions.revocation, functions.providers.contains(provider) else {
            return nil
        }
        return SocialRevocationFunction(client(of: functions), function: function, format: functions.format)
    }

    private func client(of functions: AccountFunctions) -> CallableFunctions {
        CallableFunctions(project: project, at: functions.location, transport: transport, clock: toolkit.clock)
    }
}

/// Google's own revocation, which needs no secret (RFC 7009).
struct GoogleRevocation {
    let transport: any AuthHTTPTransport
    let endpoints: FirebaseProject.Endpoints

    /// Revokes all tokens of the token's grant.
    ///
    /// Google answers 200 (<https://developers.google.com/identity/protocols/oauth2/native-app#tokenrevoke>), and 400
    /// `invalid_token` for a token that is already invalid, which counts as revoked. Every other answer is a failure:
    /// other statuses, and a page with 200, which an intermediary sent.
    func revoke(_ token: Secret) async throws(AuthError) {
        let url = endpoints.url(URL(literal: "https://oauth2.googleapis.com/revoke"))
        try url.requireSafety("Correct the project's endpoints.")
        let response = try await transport.send(
            AuthHTTPRequest(
                .post, url, headers: [.contentType: FormCoding.contentType, .accept: "application/json"],
                body: Data(FormCoding.encode([("token", token.reveal())]).utf8)))
        if response.status == 200, !response.isPage { return }
        let code = response.jsonObject?["error"]?.text
        switch response.status {
        case 400 where code == "invalid_token": return
        case 429:
            throw AuthError(
                .rateLimited, "Google wants fewer requests. Try again later.", retryAfter: response.retryAfter)
        case 500...:
            throw AuthError(
                .server, "Google failed with status \(response.status). Try again later.",
                retryAfter: response.retryAfter)
        case _ where code == nil:
            throw AuthError(.invalidResponse, "The answer is none of Google's. Something in between answered.")
        default: throw AuthError(.invalidCredential, "Google refused to revoke the token.")
        }
    }
}

extension AuthUser {
    /// Whether the user is known to have another identity at that provider.
    fileprivate func isAnother(than credential: Credential) -> Bool {
        let own = providers.first { $0.id == credential.provider }?.userID
        let shown = credential.userID ?? credential.idToken.flatMap { JSONWebToken($0) }?.claims["sub"]?.text
        // An unknown identity refuses no credential: a session from another SDK may lack the user's identifier there.
        guard let own, let shown else { return false }
        return own != shown
    }

    /// Whether the user has an identity of that provider, as far as their identities are known.
    fileprivate func mayHaveIdentity(at provider: ProviderID) -> Bool {
        providers.isEmpty || providers.contains { $0.id == provider }
    }
}

extension AuthError {
    fileprivate static func nothingToRevoke(_ what: String) -> Self {
        AuthError(.invalidCredential, "The credential has no \(what), so there is nothing to revoke at the provider.")
    }
}
