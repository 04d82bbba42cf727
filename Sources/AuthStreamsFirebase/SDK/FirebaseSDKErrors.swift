public import AuthStreams
import Foundation

/// Runs code that calls Firebase's own SDK, and throws only `AuthError`.
///
/// For the ports in an app that keeps the SDK: ``CustomTokenSource``, ``CustomTokenSignIn``, `AuthRepository`.
///
/// ```swift
/// try await firebaseErrors { try await Auth.auth().signIn(withCustomToken: token.reveal()) }
/// ```
///
/// - Throws: The error of ``AuthStreams/AuthError/init(firebase:)`` for any error of the body.
public func firebaseErrors<Value>(_ body: () async throws -> Value) async throws(AuthError) -> Value {
    do { return try await body() } catch { throw AuthError(firebase: error) }
}

extension AuthError {
    /// Makes the error that this library's REST clients throw in the same case from an error of Firebase's SDK.
    ///
    /// | domain | by |
    /// | --- | --- |
    /// | `FIRAuthErrorDomain` | the code (`AuthErrorCode`); one without a meaning here is `unexpected` |
    /// | `com.firebase.functions` | the status (`FunctionsErrorCode`), as ``CallableFunctions/call(_:with:idToken:framing:)`` does |
    /// | `com.firebase.appCheck` | `network` if the service cannot be reached, otherwise `misconfigured` |
    /// | `NSURLErrorDomain` | `network` |
    ///
    /// An `AuthError` stays as it is, a `CancellationError` is `cancelled`, any other error `unexpected`. The SDK's
    /// error is never kept, since its `userInfo` holds answers with tokens; its domain and code are the `cause`.
    public init(firebase error: any Error) {
        let bridged = error as NSError
        var meaning: AuthError? =
            switch bridged.domain {
            case _ where error is AuthError || error is CancellationError: nil
            case "FIRAuthErrorDomain": FirebaseSDKCodes.error(code: bridged.code)
            case "com.firebase.functions":
                // `FunctionsErrorDetailsKey`: the function's `details`.
                CallableStatus(
                    number: bridged.code, reason: (bridged.userInfo["details"] as? [String: Any])?["reason"] as? String
                ).error()
            case "com.firebase.appCheck" where bridged.code != 1:
                AuthError(.misconfigured, "Firebase's SDK could not get an App Check token. Look at its setup.")
            case "com.firebase.appCheck", NSURLErrorDomain:
                AuthError(.network, "Firebase's SDK could not reach its server. Try again when there is a network.")
            default: nil
            }
        meaning?.cause = Cause(scrubbing: error)
        self = meaning ?? AuthError(wrapping: error)
    }
}

/// The codes of Firebase Auth's SDK (`AuthErrorCode`), by the server's name for the same error.
enum FirebaseSDKCodes {
    private static let serverCodes = [
        17000: "INVALID_CUSTOM_TOKEN", 17002: "CREDENTIAL_MISMATCH", 17004: "INVALID_IDP_RESPONSE",
        17005: "USER_DISABLED", 17006: "OPERATION_NOT_ALLOWED", 17007: "EMAIL_EXISTS", 17008: "INVALID_EMAIL",
        17009: "INVALID_PASSWORD", 17010: "TOO_MANY_ATTEMPTS_TRY_LATER", 17011: "USER_NOT_FOUND",
        17012: "EMAIL_EXISTS", 17014: "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", 17017: "INVALID_ID_TOKEN",
        17021: "TOKEN_EXPIRED", 17023: "API_KEY_INVALID", 17025: "FEDERATED_USER_ID_ALREADY_LINKED",
        17026: "WEAK_PASSWORD", 17028: AppRefusal.bundleReason, 17052: "QUOTA_EXCEEDED",
        17071: "INVALID_PROVIDER_ID", 17072: "TENANT_ID_MISMATCH", 17073: "UNSUPPORTED_TENANT_OPERATION",
        17085: "ADMIN_ONLY_OPERATION", 17086: "UNVERIFIED_EMAIL",
        17090: "EMAIL_CHANGE_NEEDS_VERIFICATION", 17094: "MISSING_OR_INVALID_NONCE",
        17105: "BLOCKING_FUNCTION_ERROR_RESPONSE",
    ]

    /// Returns the error; `nil` for a code that does not concern a sign-in.
    static func error(code: Int) -> AuthError? {
        switch code {
        case 17020: return AuthError(.network, "Firebase's SDK had no answer. Try again when there is a network.")
        case 17024: return AuthError(.invalidCredential, "The credential is another person's than who is signed in.")
        case 17058: return AuthError(.cancelled, "The person closed the page that Firebase's SDK had opened.")
        case 17078:
            return AuthError(
                .secondFactorRequired,
                "The account has a second factor. Continue with the resolver in the SDK's error.",
                serverCode: "SECOND_FACTOR_REQUIRED")
        case 17995:
            return AuthError(.storage, "Firebase's SDK could not use the keychain. Check the app's entitlements.")
        default: break
        }
        guard let serverCode = serverCodes[code],
            let meaning = IdentityToolkitErrors.meaning(of: serverCode)
                ?? IdentityToolkitErrors.meaning(ofReason: serverCode)
        else { return nil }
        return AuthError(
            meaning.code, meaning.explanation, serverCode: serverCode,
            endsSession: IdentityToolkitErrors.endings[serverCode])
    }
}
