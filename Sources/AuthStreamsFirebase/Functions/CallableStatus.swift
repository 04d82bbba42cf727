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
        name = Self.names[status] ?? "INTERNAL"
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
        let (code, explanation) = Self.meanings[name] ?? Self.failed
        return AuthError(
            code, explanation, serverCode: isFromBody ? ServerCode.sanitized(name) : nil,
            retryAfter: code == .rateLimited || code == .server ? retryAfter : nil)
    }

    /// The statuses by the HTTP status that the framework answers with.
    private static let names = [
        400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
        409: "ALREADY_EXISTS", 429: "RESOURCE_EXHAUSTED", 499: "CANCELLED", 501: "UNIMPLEMENTED", 503: "UNAVAILABLE",
        504: "DEADLINE_EXCEEDED",
    ]

    private static let meanings: [String: AuthError.Meaning] = [
        "UNAUTHENTICATED": (
            .invalidCredential, "The function refused the provider's credential, or the caller's ID or App Check token."
        ),
        "PERMISSION_DENIED": (
            .accessDenied, "The function refuses this user, or may not be called from outside. Look at its log."
        ),
        "ALREADY_EXISTS": (.accountExists, "The function says that the account exists already."),
        "RESOURCE_EXHAUSTED": (.rateLimited, "The function wants fewer requests. Try again later."),
        "DEADLINE_EXCEEDED": (
            .timedOut, "The function did not finish in time. Try again; if it persists, look at its log."
        ),
        "NOT_FOUND": (.misconfigured, "There is no such function. Check its name, its region and the project."),
        "INVALID_ARGUMENT": notUnderstood,
        "OUT_OF_RANGE": notUnderstood,
        "FAILED_PRECONDITION": (.misconfigured, "The function misses something that it needs. Look at its log."),
        secondFactor: (.secondFactorRequired, "The account has a second factor, which a custom token would pass over."),
        "UNIMPLEMENTED": (.misconfigured, "The function does not offer this. Check which version is deployed."),
        "UNAVAILABLE": (.server, "The function, or the provider that it asks, is down. Try again later."),
        // Neither the person nor the app cancelled it, so it must not look like the person's own cancel.
        "CANCELLED": (.server, "The function gave up. Try again later."),
    ]
    private static let notUnderstood: AuthError.Meaning = (
        .misconfigured, "The function does not understand what it was given. Compare the fields that it reads."
    )
    /// The meaning of any other status.
    private static let failed: AuthError.Meaning = (
        .server, "The function failed. Try again later; if it persists, look at its log."
    )
}
