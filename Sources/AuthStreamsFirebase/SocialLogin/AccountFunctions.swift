public import AuthStreams

/// The callable functions for revocations, which only a server can do. Each is optional; <doc:RevokingFunctions>
/// describes them.
///
/// ```swift
/// FirebaseRepository(project: project, functions: .standard(in: .seoul), transport: transport)
/// ```
public struct AccountFunctions: Sendable {
    /// The location of the functions.
    public var location: CallableFunctions.Location
    /// The function that revokes a sign-in's access at the provider; `nil` if there is none.
    public var revocation: CallableFunction?
    /// The providers that it revokes at. Apple and Google need no function.
    public var providers: Set<ProviderID>
    /// The fields that it reads; usually the sign-in's format.
    public var format: SocialLoginFunction.Format
    /// The function that ends all sessions of its caller; `nil` if there is none.
    public var sessionRevocation: CallableFunction?

    /// Makes the set of functions.
    ///
    /// - Parameters:
    ///   - location: The location of the functions.
    ///   - revocation: Revokes a sign-in's access at the provider.
    ///   - providers: The providers that it revokes at.
    ///   - format: The fields that it reads.
    ///   - sessionRevocation: Ends all sessions of its caller.
    public init(
        at location: CallableFunctions.Location, revocation: CallableFunction? = nil,
        of providers: Set<ProviderID> = [.kakao, .naver], format: SocialLoginFunction.Format = .standard,
        sessionRevocation: CallableFunction? = nil
    ) {
        self.location = location
        self.revocation = revocation
        self.providers = providers
        self.format = format
        self.sessionRevocation = sessionRevocation
    }

    /// Both functions by their names in <doc:RevokingFunctions>: `revokeSocialLogin`, for Kakao and Naver, and
    /// `revokeSessions`.
    public static func standard(
        in region: FunctionsRegion = .usCentral1, format: SocialLoginFunction.Format = .standard
    ) -> Self {
        Self(at: .region(region), revocation: "revokeSocialLogin", format: format, sessionRevocation: "revokeSessions")
    }
}

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
package struct SocialRevocationFunction: Sendable {
    private let functions: CallableFunctions
    private let function: CallableFunction
    private let format: SocialLoginFunction.Format

    /// Makes a client of the function.
    ///
    /// - Parameters:
    ///   - functions: The client of the project's functions.
    ///   - function: The function.
    ///   - format: The names of its fields. Its answer is ignored.
    package init(
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
    package func revoke(_ credential: Credential, idToken: Secret) async throws(AuthError) {
        do throws(AuthError) {
            let fields = try format.revocationFields(for: credential)
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

/// A callable function that ends all sessions of its caller. Only the Admin SDK has `revokeRefreshTokens`.
///
/// ```
/// Authorization: Bearer ID-TOKEN
/// {"data": null}
/// → {"result": {"revoked": true}}
/// ```
///
/// Afterwards a refresh ends with `TOKEN_EXPIRED` on every device, including this one.
package struct SessionRevocationFunction: Sendable {
    private let functions: CallableFunctions
    private let function: CallableFunction

    /// Makes a client of the function.
    package init(_ functions: CallableFunctions, function: CallableFunction = "revokeSessions") {
        self.functions = functions
        self.function = function
    }

    /// Ends all sessions of the caller.
    ///
    /// - Parameter idToken: The caller's Firebase ID token.
    /// - Throws: `AuthError`; `invalidResponse` if the function does not confirm the revocation; otherwise as
    ///   ``CallableFunctions/call(_:with:idToken:framing:)`` does. None of them ends the session.
    package func revoke(idToken: Secret) async throws(AuthError) {
        let result = try await functions.call(function, idToken: idToken)
        guard result["revoked"]?.bool == true else {
            throw AuthError(.invalidResponse, "The function's result has no 'revoked' that is true.")
        }
    }
}
