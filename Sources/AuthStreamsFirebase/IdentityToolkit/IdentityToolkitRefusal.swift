import AuthStreams
import Foundation

/// An error answer, reduced to its codes.
///
/// ```
/// {"error": {"code": 400, "message": "CODE : detail", "errors": [{"reason": "invalid"}], "status": "INVALID_ARGUMENT"}}
/// ```
///
/// The detail is not read: in some messages it quotes the refused token. The exceptions are the JSON of a blocking
/// function, see ``BlockingFunctionRefusal``, and the rules that a password breaks.
struct IdentityToolkitRefusal {
    /// `nil` for an error that came with 200.
    private let status: Int?
    private let retryAfter: Duration?
    /// Whether the answer has an error in Google's form.
    private let hasEnvelope: Bool
    /// The part of the message before the first colon.
    private let code: String
    /// Google's reasons. They identify an API key error whose message is a sentence.
    private let reasons: [String]
    /// Google's canonical code, such as `PERMISSION_DENIED`.
    private let canonicalCode: String?
    /// The app's identity in the request.
    private let app: AppIdentity
    /// What a blocking function said.
    private let function: BlockingFunctionRefusal?
    /// The rules that a password breaks.
    private let rules: String?
    /// The texts of the request, which the function or the rules may quote.
    private let sent: [Secret]

    init(_ answer: FirebaseChannel.Answer) {
        app = answer.app
        let response = answer.response
        let error = response.jsonObject?["error"]
        let message = error?["message"]?.string ?? ""
        status = response.status
        retryAfter = response.credibleRetryAfter
        hasEnvelope = error?.object != nil
        code = Self.code(of: message)
        function = Self.function(in: message)
        rules = IdentityToolkitErrors.passwordRules.contains(code) ? Self.detail(of: message) : nil
        sent = function == nil && rules == nil ? [] : answer.sent
        reasons = ["errors", "details"].flatMap { error?[$0]?.array ?? [] }.compactMap { $0["reason"]?.string }
        canonicalCode = error?["status"]?.string
    }

    /// Makes the refusal of an `errorMessage` in a 200.
    init(message: String, to request: AuthHTTPRequest) {
        status = nil
        retryAfter = nil
        hasEnvelope = true
        code = Self.code(of: message)
        function = Self.function(in: message)
        rules = nil
        sent = function == nil ? [] : request.texts
        reasons = []
        canonicalCode = nil
        app = .unsaid
    }

    private static func code(of message: String) -> String {
        message.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces)
    }

    private static func detail(of message: String) -> String {
        message.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
    }

    private static func function(in message: String) -> BlockingFunctionRefusal? {
        guard code(of: message) == BlockingFunctionRefusal.code else { return nil }
        return BlockingFunctionRefusal(in: message.drop { $0 != ":" })
    }

    /// The error of the refusal.
    var authError: AuthError {
        guard let status else { return beside200 }
        // Firebase refuses with 4xx. A failing server or an intermediary cannot end a session.
        guard (400..<500).contains(status), status != 429 else { return byStatus(status) }
        if let meaning = IdentityToolkitErrors.meaning(of: code) { return error(meaning, serverCode: code) }
        if let refusal = appRefusal { return refusal }
        for reason in reasons {
            guard let meaning = IdentityToolkitErrors.meaning(ofReason: reason) else { continue }
            return error(meaning, serverCode: reason)
        }
        return byStatus(status)
    }

    /// The error of a refusal in a 200: usually a conflict. It is not a terminal rejection, which comes with 4xx.
    private var beside200: AuthError {
        guard let meaning = IdentityToolkitErrors.meaning(of: code) else { return unknownRefusal }
        guard ![.userNotFound, .userDisabled, .sessionExpired].contains(meaning.code) else {
            return AuthError(
                .invalidResponse, "The answer is a success that holds a refusal. Something in between changed it.",
                serverCode: code)
        }
        return error(meaning, serverCode: code)
    }

    /// A refusal of the app, not of its user.
    private var appRefusal: AuthError? {
        if reasons.contains(AppRefusal.bundleReason) {
            return AppRefusal.bundleID.error(to: app, serverCode: AppRefusal.bundleReason)
        }
        // A sentence instead of a code: 'Firebase App Check token is invalid.', also if the token is missing.
        guard status == 401, code.contains("App Check") else { return nil }
        return AppRefusal.appCheck.error(to: app, serverCode: canonicalCode.flatMap(ServerCode.sanitized))
    }

    private func error(_ meaning: AuthError.Meaning, serverCode: String) -> AuthError {
        var error = AuthError(
            meaning.code, meaning.explanation, serverCode: serverCode, retryAfter: retryAfter,
            endsSession: IdentityToolkitErrors.endings[serverCode])
        if let function {
            error.serverCode = function.status.flatMap(ServerCode.sanitized) ?? serverCode
            error.serverMessage = ServerMessage.shown(function.message, hiding: sent)
            error.serverDetails = function.details
        }
        if let rules { error.serverMessage = ServerMessage.shown(rules, hiding: sent) }
        return error
    }

    private func byStatus(_ status: Int) -> AuthError {
        let serverCode = ServerCode.sanitized(code) ?? canonicalCode.flatMap(ServerCode.sanitized)
        switch status {
        case 429:
            return AuthError(
                .rateLimited, "Firebase wants fewer requests. Try again later.", serverCode: serverCode,
                retryAfter: retryAfter)
        case 500...:
            return AuthError(
                .server, "Firebase failed with status \(status). Try again later.", serverCode: serverCode,
                retryAfter: retryAfter)
        case ..<400:
            return AuthError(
                .invalidResponse,
                "Status \(status) is none of Firebase's. Check the endpoints, and what stands between.")
        case _ where !hasEnvelope:
            return AuthError(
                .invalidResponse,
                "Status \(status) came without an error of Firebase's form. Check the endpoints, and what stands between."
            )
        case 401, 403, 404:
            return AuthError(
                .misconfigured,
                "The project refused the app with status \(status). Check the API key and its restrictions, App Check, "
                    + "and that Authentication is enabled in the Firebase console.", serverCode: serverCode)
        default:
            return unknownRefusal
        }
    }

    /// A refusal with an unknown code.
    ///
    /// It counts as a refusal of the request's data: repeating the request unchanged would be pointless, and an unknown
    /// code must not end a session.
    private var unknownRefusal: AuthError {
        AuthError(
            .invalidCredential, "Firebase refused the request for a reason of its own. Look the server's code up.",
            serverCode: ServerCode.sanitized(code) ?? canonicalCode.flatMap(ServerCode.sanitized),
            retryAfter: retryAfter)
    }
}
