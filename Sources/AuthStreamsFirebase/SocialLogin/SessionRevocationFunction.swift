public import AuthStreams

/// A callable function that ends all sessions of its caller. Only the Admin SDK has `revokeRefreshTokens`.
///
/// ```
/// Authorization: Bearer ID-TOKEN
/// {"data": null}
/// → {"result": {"revoked": true}}
/// ```
///
/// Afterwards a refresh ends with `TOKEN_EXPIRED` on every device, including this one.
public struct SessionRevocationFunction: Sendable {
    private let functions: CallableFunctions
    private let function: CallableFunction

    /// Makes a client of the function.
    public init(_ functions: CallableFunctions, function: CallableFunction = "revokeSessions") {
        self.functions = functions
        self.function = function
    }

    /// Ends all sessions of the caller.
    ///
    /// - Parameter idToken: The caller's Firebase ID token.
    /// - Throws: `AuthError`; `invalidResponse` if the function does not confirm the revocation; otherwise as
    ///   ``CallableFunctions/call(_:with:idToken:framing:)`` does. None of them ends the session.
    public func revoke(idToken: Secret) async throws(AuthError) {
        try functions.requireSafety(of: function)
        let result = try await functions.call(function, idToken: idToken)
        guard result["revoked"]?.bool == true else {
            throw AuthError(.invalidResponse, "The function's result has no 'revoked' that is true.")
        }
    }
}
