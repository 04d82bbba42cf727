public import AuthStreams

extension IdentityToolkit {
    /// Signs in, or links, with what an identity provider handed over: `accounts:signInWithIdp`.
    ///
    /// - Parameters:
    ///   - assertion: The provider's word for the person.
    ///   - idToken: The ID token of the user to link the identity to; `nil` signs in.
    ///   - makesUsers: Whether an identity that nobody has makes a new user. Without, it ends with `userNotFound`.
    /// - Returns: The tokens of the session.
    /// - Throws: `AuthError`. Several refusals come as 200 without tokens: `accountExists` when the e-mail's account
    ///   has other providers, `credentialInUse` when the identity is somebody else's, both with a conflict,
    ///   `secondFactorRequired`.
    public func signInWithIdp(
        _ assertion: IdpAssertion, linkingTo idToken: Secret? = nil, makesUsers: Bool = true
    ) async throws(AuthError) -> Tokens {
        var body: [String: JSONValue] = [
            // It must parse as a URL; nothing is ever sent there.
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

    /// Signs in whoever the project's server says it is: `accounts:signInWithCustomToken`.
    ///
    /// - Parameter token: A custom token, made by the Admin SDK at most an hour ago.
    /// - Throws: `AuthError`; `invalidCustomToken` when Firebase refuses it.
    public func signInWithCustomToken(_ token: Secret) async throws(AuthError) -> Tokens {
        let body: [String: JSONValue] = ["token": .string(token.reveal()), "returnSecureToken": true]
        return try Tokens(signIn: try await post(inTenant(body), to: "signInWithCustomToken"))
    }

    /// Makes a user who has no identity yet: `accounts:signUp`.
    ///
    /// - Throws: `AuthError`; `misconfigured` when the project lets nobody in without an identity.
    public func signInAnonymously() async throws(AuthError) -> Tokens {
        try Tokens(signIn: try await post(inTenant(["returnSecureToken": true]), to: "signUp"))
    }

    /// The same body, with the project's tenant where it has one.
    func inTenant(_ body: [String: JSONValue]) -> [String: JSONValue] {
        var body = body
        body["tenantId"] = project.tenantID.map(JSONValue.string)
        return body
    }
}
