public import AuthStreams

/// The twin of ``SocialLoginFunction``: a callable function that ends at the provider what a sign-in began there.
///
/// ```
/// Authorization: Bearer ID-TOKEN
/// {"data": {"provider": "kakao", "idToken": "…", "nonce": "…"}}
/// → {"result": {"revoked": true}}
/// ```
///
/// It is called by a signed-in user with a fresh credential, in the fields of ``SocialLoginFunction/Format``, and revokes
/// only what is the caller's own: the credential has to be of the same user as the ID token. Kakao unlinks the person,
/// Naver deletes the token pair. Call it before the account is deleted: afterwards nobody can be the caller.
public struct SocialRevocationFunction: Sendable {
    private let functions: CallableFunctions
    private let function: CallableFunction
    private let format: SocialLoginFunction.Format

    /// Names the function.
    ///
    /// - Parameters:
    ///   - functions: The client of the project's functions.
    ///   - function: Which one it is.
    ///   - format: The names of its fields. Its answer plays no part.
    public init(
        _ functions: CallableFunctions, function: CallableFunction = "revokeSocialLogin",
        format: SocialLoginFunction.Format = .standard
    ) {
        self.functions = functions
        self.function = function
        self.format = format
    }

    /// Revokes.
    ///
    /// - Parameters:
    ///   - credential: What the provider handed over just now: codes and tokens of the sign-in are used up by now.
    ///   - idToken: The caller's Firebase ID token.
    /// - Throws: `AuthError`; `invalidCredential` before any request when the credential has not what the function takes,
    ///   or when the function refuses it or the ID token; `accessDenied` when it is another person's than the caller's;
    ///   `invalidResponse` when the function does not say that it revoked anything; else as
    ///   ``CallableFunctions/call(_:with:idToken:framing:)`` does. None of them ends the session.
    public func revoke(_ credential: Credential, idToken: Secret) async throws(AuthError) {
        do throws(AuthError) {
            let fields = try format.revocationFields(for: credential)
            try functions.requireSafety(of: function)
            let result = try await functions.call(
                function, with: .object(fields.mapValues(JSONValue.string)), idToken: idToken,
                framing: format.framing)
            guard result["revoked"]?.bool == true else {
                throw AuthError(.invalidResponse, "The function's result has no 'revoked' that is true.")
            }
        } catch {
            throw error.located(provider: credential.provider)
        }
    }
}
