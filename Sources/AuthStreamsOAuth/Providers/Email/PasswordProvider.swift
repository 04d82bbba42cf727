public import AuthStreams

/// Sign-in by an e-mail address and a password, which the person enters in a prompt.
///
/// ```swift
/// let auth = AuthService(.firebase(…), providers: [.password, .kakao(nativeAppKey: "…")], platform: .app)
/// let user = try await auth.signIn(with: .password).value.user
/// ```
///
/// The prompt is an `AuthPrompt.form` with the fields `email` and `password`; where the request has a
/// `AuthRequest.loginHint`, with `password` alone. While the server refuses what was entered, the same form is asked again with its
/// failure. So a person who changes a password or deletes the account is asked for the password at that moment.
///
/// An app with a form of its own passes `Credential.password(email:_:)` to `AuthService.signIn(credential:)`.
public struct PasswordProvider: AuthProvider {
    /// `password`.
    public var id: ProviderID { .password }

    /// Makes the provider.
    public init() {}

    /// Returns one attempt.
    ///
    /// Errors: `misconfigured` if nothing shows prompts; `cancelled`; `timedOut` after ten minutes.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream {
            try requireMethodKind(of: request)
            try request.requireQuestions(of: id)
            return try await credential(request, after: nil)
        }
    }

    private func credential(_ request: AuthRequest, after failure: AuthError?) async throws(AuthError) -> Credential {
        let email = Challenge.Field(id: "email", kind: .email)
        let fields = (request.loginHint == nil ? [email] : []) + [Challenge.Field(id: "password", kind: .password)]
        let answer = try await request.prompter.answer(to: Challenge(.form(fields)), after: failure)
        guard case .form(let values) = answer, let password = values["password"],
            let address = request.loginHint ?? values["email"]?.reveal()
        else { throw AuthError(.unexpected, "The prompt was answered by something else than its form.", provider: id) }
        var credential = Credential.password(email: address, password.reveal())
        credential.replacement = Credential.Replacement { error in
            try await self.credential(request, after: AuthError(wrapping: error))
        }
        return credential
    }
}

extension AuthProviderFactory {
    /// Sign-in by an e-mail address and a password; see ``PasswordProvider``.
    public static var password: Self { .provider(PasswordProvider()) }
}
