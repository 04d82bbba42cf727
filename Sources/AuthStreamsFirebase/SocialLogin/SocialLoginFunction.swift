public import AuthStreams

/// A callable function that takes a Kakao or Naver credential and makes a custom token of it.
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
/// The function has to check that the credential was made for this app: the audience of an ID token and its nonce, the
/// `app_id` of a Kakao access token. A Naver code it redeems itself, because it holds the secret. What it reads, checks and
/// answers is told in <doc:SocialLogin>; one that exists and has other fields is described by a ``Format``.
public struct SocialLoginFunction: CustomTokenSource {
    private let functions: CallableFunctions
    private let function: CallableFunction
    private let format: Format
    private let data: (@Sendable (Credential) throws -> JSONValue)?

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - functions: The client of the project's functions.
    ///   - function: Which one it is.
    ///   - format: The names of its fields and where its answer has the token.
    ///   - data: What the function is given, where a format cannot say it. It throws `AuthError` with code
    ///     `invalidCredential` when the credential has not what it takes.
    public init(
        _ functions: CallableFunctions, function: CallableFunction = "socialLogin", format: Format = .standard,
        data: (@Sendable (Credential) throws -> JSONValue)? = nil
    ) {
        self.functions = functions
        self.function = function
        self.format = format
        self.data = data
    }

    /// Checks that the credential has what the function takes.
    public func validate(_ credential: Credential) throws(AuthError) {
        _ = try data(for: credential)
    }

    /// Calls the function.
    ///
    /// - Throws: `AuthError`; `invalidCustomToken` when the result has no custom token where the format says,
    ///   `userDisabled` for `PERMISSION_DENIED`, `secondFactorRequired` when the account has a second factor, else as
    ///   ``CallableFunctions/call(_:with:idToken:framing:)`` does.
    public func customToken(for credential: Credential) async throws(AuthError) -> Secret {
        try await customToken(with: try data(for: credential))
    }

    /// Calls the function with the action `reauthenticate`, at which it creates no user. Where the format names no action, the
    /// call is that of ``customToken(for:)``.
    public func customToken(reauthenticating credential: Credential) async throws(AuthError) -> Secret {
        let data = try data(for: credential)
        let isAction = format.action != nil && self.data == nil
        return try await customToken(with: isAction ? try self.data(.reauthenticate, data) : data)
    }

    private func customToken(with data: JSONValue) async throws(AuthError) -> Secret {
        try functions.requireSafety(of: function)
        let result: JSONValue
        do throws(AuthError) { result = try await functions.call(function, with: data, framing: format.framing) } catch
        {
            throw error.inTermsOfSocialLogin
        }
        return try format.customToken(in: result)
    }

    /// Calls the function for its caller, with the action `link`.
    ///
    /// - Throws: `AuthError`; `unsupportedProvider` before any request when the format names no action, else as
    ///   ``customToken(for:)`` does, with `accountExists` for `ALREADY_EXISTS`: somebody has the identity.
    public func customToken(linking credential: Credential, to idToken: Secret) async throws(AuthError) -> Secret {
        let data = try data(.link, self.data(for: credential))
        try functions.requireSafety(of: function)
        return try format.customToken(
            in: try await functions.call(function, with: data, idToken: idToken, framing: format.framing))
    }

    /// Calls the function for its caller, with the action `unlink` and the provider alone.
    ///
    /// - Throws: `AuthError`; `unsupportedProvider` before any request when the format names no action or no provider,
    ///   `invalidResponse` when the function does not say that it unlinked anything, else as
    ///   ``CallableFunctions/call(_:with:idToken:framing:)`` does.
    public func unlink(_ provider: ProviderID, from idToken: Secret) async throws(AuthError) {
        guard let field = format.provider else { throw .withoutLinks }
        let data = try data(.unlink, [field: .string(format.name(of: provider))])
        try functions.requireSafety(of: function)
        let result = try await functions.call(function, with: data, idToken: idToken, framing: format.framing)
        guard result["unlinked"]?.bool == true else {
            throw AuthError(.invalidResponse, "The function's result has no 'unlinked' that is true.")
        }
    }

    private func data(_ action: Format.Action, _ data: JSONValue) throws(AuthError) -> JSONValue {
        guard let field = format.action, self.data == nil, var members = data.object else { throw .withoutLinks }
        members[field] = .string(action.rawValue)
        return .object(members)
    }

    private func data(for credential: Credential) throws(AuthError) -> JSONValue {
        guard let data else { return .object(try format.fields(for: credential).mapValues(JSONValue.string)) }
        do { return try data(credential) } catch { throw AuthError(wrapping: error) }
    }
}

extension AuthError {
    /// For any function `PERMISSION_DENIED` may mean much; for this one it means one thing, if it said so itself.
    var inTermsOfSocialLogin: AuthError {
        guard serverCode == "PERMISSION_DENIED" else { return self }
        return AuthError(.userDisabled, "The function says that the account is disabled.", serverCode: serverCode)
    }
}
