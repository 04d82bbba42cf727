public import AuthStreams

/// Signs in with a provider that Firebase does not know: credential → function → custom token → Firebase sign-in.
///
/// ```
/// Credential ─► validate ─► CustomTokenSource ─► custom token ─► CustomTokenSignIn ─► AuthSession
///                  │              │                   │                  │
///          invalidCredential  your server's no  invalidCustomToken   Firebase's no
/// ```
///
/// Both ports are public, so an app that keeps the Firebase SDK can use it here with the same steps and errors.
public struct SocialAuthCoordinator: Sendable {
    let source: any CustomTokenSource
    let firebase: any CustomTokenSignIn

    /// Makes a coordinator.
    ///
    /// - Parameters:
    ///   - source: Turns credentials into custom tokens.
    ///   - firebase: Signs in with them.
    public init(source: any CustomTokenSource, firebase: any CustomTokenSignIn) {
        self.source = source
        self.firebase = firebase
    }

    /// Signs in with a credential.
    ///
    /// - Returns: A session. Its user is new if Firebase says so, or if the custom token has the claim `isNewUser`: to
    ///   Firebase a user whom the function has created is not new.
    /// - Throws: `AuthError`; `invalidCredential` before any request if a part is missing, `invalidCustomToken` if the
    ///   answer has no usable one, or the ports' errors. A source's error with the server code `PERMISSION_DENIED` is
    ///   `userDisabled` for every source, as <doc:SocialLogin> defines.
    public func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        do throws(AuthError) {
            let token = try await customToken(of: credential) { (source) throws(AuthError) in
                try await source.customToken(for: credential)
            }
            var session = try await firebase.signIn(withCustomToken: token, from: credential.provider)
            if JSONWebToken(token)?.claims["claims"]?["isNewUser"]?.bool == true { session.isNewUser = true }
            return session
        } catch {
            throw error.located(provider: credential.provider, step: .establishingSession)
        }
    }

    /// Returns the custom token of a credential. It is not empty.
    func customToken(
        of credential: Credential, from ask: (any CustomTokenSource) async throws(AuthError) -> Secret
    ) async throws(AuthError) -> Secret {
        try source.validate(credential)
        let token: Secret
        do throws(AuthError) { token = try await ask(source) } catch {
            throw error.inTermsOfSocialLogin
        }
        guard !token.isEmpty else {
            throw AuthError(.invalidCustomToken, "The custom token is empty. Look at the function's log.")
        }
        return token
    }
}
