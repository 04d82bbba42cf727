import AuthStreams
import Foundation

/// The answer of a callable function: a result, or the status of an error.
struct CallableResponse {
    let result: AuthJSON

    /// Reads an answer.
    ///
    /// An `error` member is an error with any HTTP status, and its own status has precedence.
    ///
    /// - Parameter idToken: The caller's ID token, if the call had one.
    init(_ answer: FirebaseChannel.Answer, idToken: Secret?) throws(AuthError) {
        let response = answer.response
        let members = response.jsonObject
        if let error = members?["error"], error != .null {
            var refusal = Self.refusal(error, in: answer, idToken: idToken)
            let message = error["message"]?.string
            if let message, !Self.messagesOfTheFramework.contains(message) {
                refusal.serverMessage = ServerMessage.shown(message, hiding: answer.sent)
            }
            if let details = error["details"], details != .null {
                refusal.serverDetails = (try? CallableNumbers.unwrapped(details)) ?? details
            }
            throw refusal
        }
        try Self.requireSuccess(of: response)
        guard let result = members?["result"] ?? members?["data"] else { throw Self.notAnEnvelope }
        self.result = try CallableNumbers.unwrapped(result)
    }

    /// Those that the framework answers without the function's doing. They say no more than the status.
    private static let messagesOfTheFramework: Set = ["INTERNAL", "Unauthenticated"]

    private static func refusal(_ error: AuthJSON, in answer: FirebaseChannel.Answer, idToken: Secret?) -> AuthError {
        let retryAfter = answer.response.credibleRetryAfter
        guard let status = error["status"]?.text else {
            return CallableStatus(http: answer.response.status).error(retryAfter: retryAfter)
        }
        guard status != "OK" else { return notAnEnvelope }
        // The framework's own message for an invalid token. Without an ID token it can only be about the App Check
        // token. With one the error gets Firebase's code for an ID token, so that the token is refreshed once.
        if status == "UNAUTHENTICATED", error["message"]?.string == "Unauthenticated" {
            guard idToken != nil else { return AppRefusal.appCheck.error(to: answer.app, serverCode: status) }
            return AuthError(
                .invalidCredential,
                "The function's framework did not take the caller's ID token, or the app's App Check token, if that is "
                    + "enforced. Refresh the session, then repeat it.", serverCode: "INVALID_ID_TOKEN",
                refusesAccessToken: true)
        }
        return CallableStatus(status, reason: error["details"]?["reason"]?.string).error(retryAfter: retryAfter)
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
