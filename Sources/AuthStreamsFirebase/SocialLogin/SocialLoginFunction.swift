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
/// `app_id` of a Kakao access token. A Naver code it redeems itself, because it holds the secret. It answers `UNAUTHENTICATED` for a
/// credential that does not hold, `PERMISSION_DENIED` for a disabled account, `UNAVAILABLE` when the provider is down.
public struct SocialLoginFunction: CustomTokenSource {
    private let functions: CallableFunctions
    private let function: CallableFunction
    private let data: @Sendable (Credential) throws -> JSONValue

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - functions: The client of the project's functions.
    ///   - function: Which one it is.
    ///   - data: What the function is given, for functions that expect other fields than those above. It throws
    ///     ``AuthError`` with code `invalidCredential` when the credential has not what it takes.
    public init(
        _ functions: CallableFunctions, function: CallableFunction = "socialLogin",
        data: (@Sendable (Credential) throws -> JSONValue)? = nil
    ) {
        self.functions = functions
        self.function = function
        self.data = data ?? { try SocialLoginRequest($0).data }
    }

    /// Checks that the credential has what the function takes.
    public func validate(_ credential: Credential) throws(AuthError) {
        _ = try data(for: credential)
    }

    /// Calls the function.
    ///
    /// - Throws: ``AuthError``; `invalidCustomToken` when the result has no `customToken`, `userDisabled` for
    ///   `PERMISSION_DENIED`, else as ``CallableFunctions/call(_:with:idToken:)`` does.
    public func customToken(for credential: Credential) async throws(AuthError) -> Secret {
        let data = try data(for: credential)
        guard try functions.url(of: function).keepsSecrets else {
            throw AuthError(
                .misconfigured, "Credentials go only to https or to this machine. Correct the function's URL.")
        }
        let result: JSONValue
        do throws(AuthError) { result = try await functions.call(function, with: data) } catch {
            throw Self.inTermsOfTheContract(error)
        }
        guard let token = result["customToken"]?.text else {
            throw AuthError(
                .invalidCustomToken, "The function's result has no 'customToken' that is a string and not empty.")
        }
        return Secret(token)
    }

    private func data(for credential: Credential) throws(AuthError) -> JSONValue {
        do { return try data(credential) } catch { throw AuthError(wrapping: error) }
    }

    /// For any function `PERMISSION_DENIED` may mean much; for this one it means one thing, if it said so itself.
    private static func inTermsOfTheContract(_ error: AuthError) -> AuthError {
        guard error.serverCode == "PERMISSION_DENIED" else { return error }
        return AuthError(.userDisabled, "The function says that the account is disabled.", serverCode: error.serverCode)
    }
}
