public import AuthStreams

/// The way of a provider that Firebase does not know: credential → function → custom token → Firebase sign-in.
///
/// ```
/// Credential ─► validate ─► CustomTokenSource ─► custom token ─► CustomTokenSignIn ─► Session
///                  │              │                   │                  │
///          invalidCredential  your server's no  invalidCustomToken   Firebase's no
/// ```
///
/// Both ports are public, so an app that keeps the Firebase SDK can plug that in and have the same steps and errors.
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

    /// Goes from a credential to a session.
    ///
    /// - Returns: A session. Its user is new when Firebase says so, or when the custom token has the claim `isNewUser`: to
    ///   Firebase a user whom the function has created is not new.
    /// - Throws: `AuthError`; `invalidCredential` before any request when something is missing, `invalidCustomToken` when
    ///   the answer has no usable one, or what the ports throw. A source's error with the server code `PERMISSION_DENIED`
    ///   is `userDisabled`: that is what it means in <doc:SocialLogin>, whoever makes the call.
    public func signIn(with credential: Credential) async throws(AuthError) -> Session {
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

    /// The custom token of a credential, which is not empty.
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
