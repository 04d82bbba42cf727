public import AuthStreams

extension IdentityToolkit {
    /// Signs in or links with an identity provider's tokens: `accounts:signInWithIdp`.
    ///
    /// - Parameters:
    ///   - assertion: The provider's tokens.
    ///   - idToken: The ID token of the user to link the identity to; `nil` signs in.
    ///   - makesUsers: Whether to create a user for an identity that no user has. If not, such an identity ends with
    ///     `userNotFound`.
    /// - Returns: The tokens of the session.
    /// - Throws: `AuthError`. Several refusals come as 200 without tokens: `accountExists` if the e-mail's account has
    ///   other providers, `credentialInUse` if the identity is another user's, both with a conflict,
    ///   `secondFactorRequired`.
    public func signInWithIdp(
        _ assertion: IdpAssertion, linkingTo idToken: Secret? = nil, makesUsers: Bool = true
    ) async throws(AuthError) -> Tokens {
        var body: [String: AuthJSON] = [
            // It must parse as a URL; no request is sent to it.
            "requestUri": "http://localhost",
            "returnSecureToken": true,
            "returnIdpCredential": true,
        ]
        if let pendingToken = assertion.pendingToken {
            body["pendingToken"] = .string(pendingToken.reveal())
        } else {
            body["postBody"] = .string(assertion.postBody)
        }
        body["idToken"] = idToken.map { .string($0.reveal()) }
        if !makesUsers { body["autoCreate"] = false }
        do throws(AuthError) {
            return try Tokens(signIn: try await post(inTenant(body), to: "signInWithIdp"))
        } catch {
            throw error.inConflict(about: assertion.credential.afterFirebase)
        }
    }

    /// Signs in with a custom token of the project's server: `accounts:signInWithCustomToken`.
    ///
    /// - Parameter token: A custom token, made by the Admin SDK at most an hour ago.
    /// - Throws: `AuthError`; `invalidCustomToken` if Firebase refuses it.
    public func signInWithCustomToken(_ token: Secret) async throws(AuthError) -> Tokens {
        let body: [String: AuthJSON] = ["token": .string(token.reveal()), "returnSecureToken": true]
        return try Tokens(signIn: try await post(inTenant(body), to: "signInWithCustomToken"))
    }

    /// Creates a user without an identity: `accounts:signUp`.
    ///
    /// - Throws: `AuthError`; `misconfigured` if the project does not allow anonymous users.
    public func signInAnonymously() async throws(AuthError) -> Tokens {
        try Tokens(signIn: try await post(inTenant(["returnSecureToken": true]), to: "signUp"))
    }

    /// Returns the body with the project's tenant, if it has one.
    func inTenant(_ body: [String: AuthJSON]) -> [String: AuthJSON] {
        var body = body
        body["tenantId"] = project.tenantID.map(AuthJSON.string)
        return body
    }
}
