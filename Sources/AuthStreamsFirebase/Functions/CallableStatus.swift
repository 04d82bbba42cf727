import AuthStreams

/// The status of a failed function call, in Google's canonical codes.
///
/// <https://firebase.google.com/docs/functions/callable-reference#failure_response_of_https_callable>
struct CallableStatus {
    /// The code in upper snake case, as it is on the wire.
    private let name: String
    /// Whether the status came from the body.
    private let isFromBody: Bool

    /// The reason in the details of `FAILED_PRECONDITION` when the account has a second factor.
    private static let secondFactor = "SECOND_FACTOR_REQUIRED"

    /// Makes a status from a body.
    ///
    /// - Parameter reason: The `reason` in the error's details. That of a second factor replaces the status. Any other
    ///   is ignored.
    init(_ name: String, reason: String? = nil) {
        self.name = name == "FAILED_PRECONDITION" && reason == Self.secondFactor ? Self.secondFactor : name
        isFromBody = true
    }

    /// Makes the status for an HTTP status, if the body has none.
    init(http status: Int) {
        isFromBody = false
        name =
            switch status {
            case 400: "INVALID_ARGUMENT"
            case 401: "UNAUTHENTICATED"
            case 403: "PERMISSION_DENIED"
            case 404: "NOT_FOUND"
            case 409: "ALREADY_EXISTS"
            case 429: "RESOURCE_EXHAUSTED"
            case 499: "CANCELLED"
            case 501: "UNIMPLEMENTED"
            case 503: "UNAVAILABLE"
            case 504: "DEADLINE_EXCEEDED"
            default: "INTERNAL"
            }
    }

    /// Makes a status from its number, as Firebase's SDK reports it (`google.rpc.Code`).
    init(number: Int, reason: String? = nil) {
        let names = [
            "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
            "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
            "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
        ]
        self.init(names.indices.contains(number) ? names[number] : "UNKNOWN", reason: reason)
    }

    /// Whether the account has a second factor, which the function cannot ask for.
    var isSecondFactor: Bool { name == Self.secondFactor }

    func error(retryAfter: Duration? = nil) -> AuthError {
        let (code, explanation) = meaning
        return AuthError(
            code, explanation, serverCode: isFromBody ? ServerCode.sanitized(name) : nil,
            retryAfter: code == .rateLimited || code == .server ? retryAfter : nil)
    }

    private var meaning: (AuthError.Code, String) {
        switch name {
        case "UNAUTHENTICATED":
            (
                .invalidCredential,
                "The function refused the provider's credential, or the caller's ID or App Check token."
            )
        case "PERMISSION_DENIED":
            (.accessDenied, "The function refuses this user, or may not be called from outside. Look at its log.")
        case "ALREADY_EXISTS":
            (.accountExists, "The function says that the account exists already.")
        case "RESOURCE_EXHAUSTED":
            (.rateLimited, "The function wants fewer requests. Try again later.")
        case "DEADLINE_EXCEEDED":
            (.timedOut, "The function did not finish in time. Try again; if it persists, look at its log.")
        case "NOT_FOUND":
            (.misconfigured, "There is no such function. Check its name, its region and the project.")
        case "INVALID_ARGUMENT", "OUT_OF_RANGE":
            (.misconfigured, "The function does not understand what it was given. Compare the fields that it reads.")
        case "FAILED_PRECONDITION":
            (.misconfigured, "The function misses something that it needs. Look at its log.")
        case Self.secondFactor:
            (.secondFactorRequired, "The account has a second factor, which a custom token would pass over.")
        case "UNIMPLEMENTED":
            (.misconfigured, "The function does not offer this. Check which version is deployed.")
        case "UNAVAILABLE":
            (.server, "The function, or the provider that it asks, is down. Try again later.")
        case "CANCELLED":
            // Neither the person nor the app cancelled it, so it must not look like the person's own cancel.
            (.server, "The function gave up. Try again later.")
        default:
            (.server, "The function failed. Try again later; if it persists, look at its log.")
        }
    }
}
