public import AuthStreams

/// A callable function that revokes a sign-in's access at the provider: the counterpart of ``SocialLoginFunction``.
///
/// ```
/// Authorization: Bearer ID-TOKEN
/// {"data": {"provider": "kakao", "idToken": "…", "nonce": "…"}}
/// → {"result": {"revoked": true}}
/// ```
///
/// A signed-in user calls it with a fresh credential, in the fields of ``SocialLoginFunction/Format``. It revokes only
/// the caller's own access: the credential has to be of the same user as the ID token. Kakao unlinks the person, Naver
/// deletes the token pair. Call it before the account is deleted: afterwards there is no caller.
public struct SocialRevocationFunction: Sendable {
    private let functions: CallableFunctions
    private let function: CallableFunction
    private let format: SocialLoginFunction.Format

    /// Makes a client of the function.
    ///
    /// - Parameters:
    ///   - functions: The client of the project's functions.
    ///   - function: The function.
    ///   - format: The names of its fields. Its answer is ignored.
    public init(
        _ functions: CallableFunctions, function: CallableFunction = "revokeSocialLogin",
        format: SocialLoginFunction.Format = .standard
    ) {
        self.functions = functions
        self.function = function
        self.format = format
    }

    /// Revokes the access.
    ///
    /// - Parameters:
    ///   - credential: A fresh credential of the provider: codes and tokens of the sign-in are used up.
    ///   - idToken: The caller's Firebase ID token.
    /// - Throws: `AuthError`; `invalidCredential` before any request if the credential lacks a required part, or if the
    ///   function refuses it or the ID token; `accessDenied` if it is another person's than the caller's;
    ///   `invalidResponse` if the function does not confirm the revocation; otherwise as
    ///   ``CallableFunctions/call(_:with:idToken:framing:)`` does. None of them ends the session.
    public func revoke(_ credential: Credential, idToken: Secret) async throws(AuthError) {
        do throws(AuthError) {
            let fields = try format.revocationFields(for: credential)
            try functions.requireSafety(of: function)
            let result = try await functions.call(
                function, with: .object(fields.mapValues(AuthJSON.string)), idToken: idToken,
                framing: format.framing)
            guard result["revoked"]?.bool == true else {
                throw AuthError(.invalidResponse, "The function's result has no 'revoked' that is true.")
            }
        } catch {
            throw error.located(provider: credential.provider)
        }
    }
}
