public import AuthStreams

/// A callable function that ends all sessions of its caller, since no app can: only the Admin SDK has `revokeRefreshTokens`.
///
/// ```
/// Authorization: Bearer ID-TOKEN
/// {"data": null}
/// → {"result": {"revoked": true}}
/// ```
///
/// Afterwards a refresh ends with `TOKEN_EXPIRED`, on every device, this one included.
public struct SessionRevocationFunction: Sendable {
    private let functions: CallableFunctions
    private let function: CallableFunction

    /// Names the function.
    public init(_ functions: CallableFunctions, function: CallableFunction = "revokeSessions") {
        self.functions = functions
        self.function = function
    }

    /// Revokes.
    ///
    /// - Parameter idToken: The caller's Firebase ID token.
    /// - Throws: `AuthError`; `invalidResponse` when the function does not say that it revoked anything; else as
    ///   ``CallableFunctions/call(_:with:idToken:framing:)`` does. None of them ends the session.
    public func revoke(idToken: Secret) async throws(AuthError) {
        try functions.requireSafety(of: function)
        let result = try await functions.call(function, idToken: idToken)
        guard result["revoked"]?.bool == true else {
            throw AuthError(.invalidResponse, "The function's result has no 'revoked' that is true.")
        }
    }
}
