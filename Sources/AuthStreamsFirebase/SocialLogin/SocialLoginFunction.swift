public import AuthStreams

/// A callable function that takes a Kakao or Naver credential and makes a custom token of it.
///
/// ```
/// {"data": {"provider": "kakao", "idToken": "…", "nonce": "…"}}
/// {"data": {"provider": "kakao", "accessToken": "…"}}
/// {"data": {"provider": "naver", "code": "…", "state": "…", "redirectURI": "…"}}
/// → {"result": {"customToken": "…"}}
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
    ///   `userDisabled` for `PERMISSION_DENIED`, else as ``CallableFunctions/call(_:with:idToken:)`` does.
    public func customToken(for credential: Credential) async throws(AuthError) -> Secret {
        let data = try data(for: credential)
        try functions.requireSafety(of: function)
        let result: JSONValue
        do throws(AuthError) { result = try await functions.call(function, with: data) } catch {
            throw error.inTermsOfSocialLogin
        }
        return try format.customToken(in: result)
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
