import AuthStreams
import Foundation

/// The answer of a callable function: a result, or the status of an error.
struct CallableResponse {
    let result: AuthJSON

    /// Reads an answer.
    ///
    /// An `error` member is an error with any HTTP status, and its own status has precedence.
    ///
    /// - Parameter isAnonymous: Whether the call had no ID token.
    init(_ answer: FirebaseChannel.Answer, isAnonymous: Bool) throws(AuthError) {
        let response = answer.response
        let members = response.jsonObject
        if let error = members?["error"], error != .null {
            guard let status = error["status"]?.text else {
                throw CallableStatus(http: response.status).error(retryAfter: response.credibleRetryAfter)
            }
            guard status != "OK" else { throw Self.notAnEnvelope }
            // The framework's own message for an invalid token. Without an ID token it can only be about the App Check
            // token. With one the error gets Firebase's code for an ID token, so that the token is refreshed once.
            if status == "UNAUTHENTICATED", error["message"]?.string == "Unauthenticated" {
                guard !isAnonymous else { throw AppRefusal.appCheck.error(to: answer.app, serverCode: status) }
                throw AuthError(
                    .invalidCredential,
                    "The function's framework did not take the caller's ID token, or the app's App Check token, if that is "
                        + "enforced. Refresh the session, then repeat it.", serverCode: "INVALID_ID_TOKEN",
                    refusesAccessToken: true)
            }
            let reason = error["details"]?["reason"]?.string
            throw CallableStatus(status, reason: reason).error(retryAfter: response.credibleRetryAfter)
        }
        try Self.requireSuccess(of: response)
        guard let result = members?["result"] ?? members?["data"] else { throw Self.notAnEnvelope }
        self.result = try CallableNumbers.unwrapped(result)
    }

    /// Reads the answer of a plain HTTP function: JSON, otherwise text. In an error's body only the `reason` of a
    /// second factor is read.
    init(plain response: AuthHTTPResponse) throws(AuthError) {
        if !response.isSuccess, let reason = response.jsonObject?["reason"]?.string {
            let status = CallableStatus("FAILED_PRECONDITION", reason: reason)
            if status.isSecondFactor { throw status.error() }
        }
        try Self.requireSuccess(of: response)
        if let json = AuthJSON(json: response.body) {
            result = json
        } else if let text = String(data: response.body, encoding: .utf8), !text.isEmpty {
            result = .string(text.trimmingCharacters(in: .whitespacesAndNewlines))
        } else {
            throw AuthError(.invalidResponse, "The function's answer is neither JSON nor text.")
        }
    }

    private static func requireSuccess(of response: AuthHTTPResponse) throws(AuthError) {
        guard !response.isSuccess else { return }
        guard !(300..<400).contains(response.status) else {
            throw AuthError(
                .invalidResponse, "The function answered with a redirect, which is never followed. Check its URL.")
        }
        throw CallableStatus(http: response.status).error(retryAfter: response.credibleRetryAfter)
    }

    private static var notAnEnvelope: AuthError {
        AuthError(
            .invalidResponse,
            "The answer is no JSON object with a result. Check that the URL is that of a callable function.")
    }
}
