public import AuthStreams

extension IdentityToolkit {
    /// Signs in, or links, with what an identity provider handed over: `accounts:signInWithIdp`.
    ///
    /// - Parameters:
    ///   - assertion: The provider's word for the person.
    ///   - idToken: The ID token of the user to link the identity to; `nil` signs in.
    /// - Returns: The tokens of the session.
    /// - Throws: `AuthError`. Several refusals come as 200 without tokens: `accountExists` when the e-mail's account
    ///   has other providers, `credentialInUse` when the identity is somebody else's, `secondFactorRequired`.
    public func signInWithIdp(
        _ assertion: IdpAssertion, linkingTo idToken: Secret? = nil
    ) async throws(AuthError) -> Tokens {
        var body: [String: JSONValue] = [
            // It must parse as a URL; nothing is ever sent there.
            "requestUri": "http://localhost",
            "postBody": .string(assertion.postBody),
            "returnSecureToken": true,
            "returnIdpCredential": true,
        ]
        body["idToken"] = idToken.map { .string($0.reveal()) }
        body["tenantId"] = project.tenantID.map(JSONValue.string)
        return try Tokens(signIn: try await post(body, to: "signInWithIdp"))
    }

    /// Signs in whoever the project's server says it is: `accounts:signInWithCustomToken`.
    ///
    /// - Parameter token: A custom token, made by the Admin SDK at most an hour ago.
    /// - Throws: `AuthError`; `invalidCustomToken` when Firebase refuses it.
    public func signInWithCustomToken(_ token: Secret) async throws(AuthError) -> Tokens {
        var body: [String: JSONValue] = ["token": .string(token.reveal()), "returnSecureToken": true]
        body["tenantId"] = project.tenantID.map(JSONValue.string)
        return try Tokens(signIn: try await post(body, to: "signInWithCustomToken"))
    }
}
