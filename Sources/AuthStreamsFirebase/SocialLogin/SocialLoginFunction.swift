public import AuthStreams

/// A callable function that takes a Kakao or Naver credential and returns a custom token.
///
/// ```
/// {"data": {"provider": "kakao", "idToken": "…", "nonce": "…", "accessToken": "…"}}
/// {"data": {"provider": "kakao", "accessToken": "…"}}
/// {"data": {"provider": "naver", "code": "…", "state": "…", "redirectURI": "…"}}
/// → {"result": {"customToken": "…"}}
///
/// {"data": {"action": "reauthenticate", "provider": "kakao", …}} → the same, and no user is created
///
/// Authorization: Bearer ID-TOKEN
/// {"data": {"action": "link", "provider": "naver", "code": "…", "state": "…"}} → {"result": {"customToken": "…"}}
/// {"data": {"action": "unlink", "provider": "kakao"}} → {"result": {"unlinked": true}}
/// ```
///
/// The function has to check that the credential was issued for this app: the audience of an ID token and its nonce,
/// the `app_id` of a Kakao access token. It redeems a Naver code itself, because it holds the secret. <doc:SocialLogin>
/// describes what it reads, checks and answers. Describe an existing function with other fields by a ``Format``.
public struct SocialLoginFunction: CustomTokenSource {
    private let functions: CallableFunctions
    private let function: CallableFunction
    private let format: Format
    private let data: (@Sendable (Credential) throws -> AuthJSON)?

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - functions: The client of the project's functions.
    ///   - function: The function.
    ///   - format: The names of its fields and the place of the token in its answer.
    ///   - data: Returns the function's argument, if a format cannot describe it. It throws `AuthError` with code
    ///     `invalidCredential` if the credential lacks a required part.
    public init(
        _ functions: CallableFunctions, function: CallableFunction = "socialLogin", format: Format = .standard,
        data: (@Sendable (Credential) throws -> AuthJSON)? = nil
    ) {
        self.functions = functions
        self.function = function
        self.format = format
        self.data = data
    }

    /// Checks that the credential has the parts that the function needs.
    public func validate(_ credential: Credential) throws(AuthError) {
        _ = try data(for: credential)
    }

    /// Calls the function.
    ///
    /// - Throws: `AuthError`; `invalidCustomToken` if the result has no custom token at the format's path,
    ///   `userDisabled` for `PERMISSION_DENIED`, `secondFactorRequired` if the account has a second factor, otherwise
    ///   as ``CallableFunctions/call(_:with:idToken:framing:)`` does.
    public func customToken(for credential: Credential) async throws(AuthError) -> Secret {
        try await customToken(with: try data(for: credential))
    }

    /// Calls the function with the action `reauthenticate`, at which it creates no user. If the format names no action,
    /// the call is that of ``customToken(for:)``.
    public func customToken(reauthenticating credential: Credential) async throws(AuthError) -> Secret {
        let data = try data(for: credential)
        let isAction = format.action != nil && self.data == nil
        return try await customToken(with: isAction ? try self.data(.reauthenticate, data) : data)
    }

    private func customToken(with data: AuthJSON) async throws(AuthError) -> Secret {
        let result: AuthJSON
        do throws(AuthError) { result = try await functions.call(function, with: data, framing: format.framing) } catch
        {
            throw error.inTermsOfSocialLogin
        }
        return try format.customToken(in: result)
    }

    /// Calls the function with the caller's ID token and the action `link`.
    ///
    /// - Throws: `AuthError`; `unsupportedProvider` before any request if the format names no action, otherwise as
    ///   ``customToken(for:)`` does, with `accountExists` for `ALREADY_EXISTS`: another user has the identity.
    public func customToken(linking credential: Credential, to idToken: Secret) async throws(AuthError) -> Secret {
        let data = try data(.link, self.data(for: credential))
        return try format.customToken(
            in: try await functions.call(function, with: data, idToken: idToken, framing: format.framing))
    }

    /// Calls the function with the caller's ID token, the action `unlink` and the provider.
    ///
    /// - Throws: `AuthError`; `unsupportedProvider` before any request if the format names no action or no provider,
    ///   `invalidResponse` if the function does not confirm it, otherwise as
    ///   ``CallableFunctions/call(_:with:idToken:framing:)`` does.
    public func unlink(_ provider: ProviderID, from idToken: Secret) async throws(AuthError) {
        guard let field = format.provider else { throw .withoutLinks }
        let data = try data(.unlink, [field: .string(format.name(of: provider))])
        let result = try await functions.call(function, with: data, idToken: idToken, framing: format.framing)
        guard result["unlinked"]?.bool == true else {
            throw AuthError(.invalidResponse, "The function's result has no 'unlinked' that is true.")
        }
    }

    private func data(_ action: Format.Action, _ data: AuthJSON) throws(AuthError) -> AuthJSON {
        guard let field = format.action, self.data == nil, var members = data.object else { throw .withoutLinks }
        members[field] = .string(action.rawValue)
        return .object(members)
    }

    private func data(for credential: Credential) throws(AuthError) -> AuthJSON {
        guard let data else { return .object(try format.fields(for: credential).mapValues(AuthJSON.string)) }
        do { return try data(credential) } catch { throw AuthError(wrapping: error) }
    }
}

extension AuthError {
    /// The error with `PERMISSION_DENIED` as `userDisabled`, if the function's body had that status.
    var inTermsOfSocialLogin: AuthError {
        guard serverCode == "PERMISSION_DENIED" else { return self }
        return AuthError(.userDisabled, "The function says that the account is disabled.").quotingServer(of: self)
    }
}
