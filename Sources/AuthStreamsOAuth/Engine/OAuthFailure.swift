public import AuthStreams
import Foundation

/// An error answer of a provider, before it becomes an `AuthError` (RFC 6749 sections 4.1.2.1 and 5.2).
///
/// The server writes the description, and may quote the request. A dialect reads it as it came; an error has it only in the
/// form of `AuthError.serverMessage`.
public struct OAuthFailure: Sendable {
    /// Translates a provider's own errors; `nil` leaves the error to ``standard``.
    ///
    /// Called for each callback and each answer of the token endpoint with an `error`; its result gets the server's code,
    /// unless it has one. Also called, with an empty ``error``, if the token endpoint refuses by its status and a JSON
    /// object without `error`, as Kakao does with numbers. 429 and 5xx keep their meaning: they take only the server's code
    /// from its result.
    public typealias Dialect = @Sendable (OAuthFailure) -> AuthError?

    /// Where an error came from, which determines the meaning of some codes.
    public enum Origin: Sendable {
        /// The redirect back from the authorization page.
        case callback
        /// The token endpoint, or another endpoint that the app calls itself.
        case endpoint(status: Int)
    }

    /// Where the error came from.
    public let origin: Origin
    /// The `error` code, at most 64 characters of letters, digits, dot, underscore and hyphen; empty for an answer of the
    /// token endpoint without one.
    public let error: String
    /// The server's description as it came. Never show, log or keep it.
    public let errorDescription: String?
    /// The description in the form that an error may show; `nil` if there is none.
    let message: String?
    /// The other members, such as Kakao's `error_code`.
    public let members: [String: AuthJSON]

    /// Makes the failure of an error answer.
    ///
    /// - Parameters:
    ///   - origin: Where the error came from.
    ///   - error: The `error` code, as the server sent it.
    ///   - members: All members of the answer.
    ///   - sent: The secrets of the request, which the description may quote and an error does not.
    package init(origin: Origin, error: String, members: [String: AuthJSON], hiding sent: [Secret] = []) {
        self.origin = origin
        self.error = Self.sanitized(error)
        self.errorDescription = members["error_description"]?.string
        self.members = members
        message = ServerMessage.shown(errorDescription, hiding: sent)
    }

    /// Returns a server's code in a form that is safe in an error: a short plain word.
    package static func sanitized(_ code: String) -> String {
        String(code.unicodeScalars.prefix(64).map { isPlain($0) ? Character($0) : "_" })
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "_", ".", "-": true
        default: false
        }
    }

    /// Returns the error of this answer in the given dialect, with the server's code and its own words.
    package func authError(_ dialect: Dialect) -> AuthError {
        var result = dialect(self) ?? standard
        result.serverCode = result.serverCode ?? error
        result.serverMessage = message
        return result
    }
}

extension OAuthFailure: DescriptionOnly {
    /// The sanitized code alone: a server may quote what it was sent.
    public var description: String { error }
}

extension OAuthFailure {
    /// The error for the codes of RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6, RFC 8707 section 2,
    /// RFC 9396 section 5 and RFC 9449 section 5.
    public var standard: AuthError {
        if error == "consent_required", isFromPage {
            // The page was shown, so the person was asked.
            return AuthError(.accessDenied, "The person did not give a consent that the provider requires.")
        }
        return Self.meanings[error].map { AuthError($0.code, $0.explanation) } ?? unknown
    }

    private static let meanings: [String: AuthError.Meaning] = [
        "access_denied": (.accessDenied, "The person or the provider declined."),
        "invalid_grant": (
            .invalidCredential,
            "The provider refused the code: it was used, it expired, or verifier or redirect URI differ. Start over."
        ),
        "invalid_client": (.misconfigured, wrongClient),
        "unauthorized_client": (.misconfigured, wrongClient),
        "invalid_request": (.misconfigured, wrongForm),
        "unsupported_response_type": (.misconfigured, wrongForm),
        "unsupported_grant_type": (.misconfigured, wrongForm),
        "redirect_uri_mismatch": (.misconfigured, wrongForm),
        "invalid_request_uri": (.misconfigured, wrongForm),
        "invalid_request_object": (.misconfigured, wrongForm),
        "request_not_supported": (.misconfigured, wrongForm),
        "request_uri_not_supported": (.misconfigured, wrongForm),
        "registration_not_supported": (.misconfigured, wrongForm),
        "invalid_target": (.misconfigured, wrongForm),
        "invalid_authorization_details": (.misconfigured, wrongForm),
        "invalid_dpop_proof": (
            .misconfigured,
            """
            The provider refused the proof of the key (RFC 9449). Compare the device's clock with the provider's, and \
            `usesDPoP` with the client's settings in its console.
            """
        ),
        "invalid_scope": (
            .misconfigured, "The provider does not grant a scope that was asked for; enable it in its console."
        ),
        "server_error": (.server, failed),
        "temporarily_unavailable": (.server, failed),
        "slow_down": (.rateLimited, "The provider wants fewer requests. Try again later."),
        "login_required": (.requiresRecentSignIn, hasQuestion),
        "interaction_required": (.requiresRecentSignIn, hasQuestion),
        "account_selection_required": (.requiresRecentSignIn, hasQuestion),
        "consent_required": (.requiresRecentSignIn, hasQuestion),
    ]

    private static let wrongClient =
        "The provider refused the client. Compare client ID, client secret and client type with its console."
    private static let wrongForm =
        "The provider refused the form of the request. Compare redirect URI and client type with its console."
    private static let failed = "The provider says that it failed. Try again later."
    private static let hasQuestion = "The provider wants to ask the person. Sign in again without suppressing it."

    /// The error for a refusal of the prompt `none` (OpenID Connect Core 3.1.2.6): the person was not asked. `nil` for
    /// other codes.
    var ofSilentRequest: AuthError? {
        Self.silentProblems[error].map {
            AuthError(.requiresRecentSignIn, "\($0) The prompt `none` forbids asking. Sign in without it.")
        }
    }

    private static let silentProblems = [
        "login_required": "The person is not logged in at the provider.",
        "consent_required": "The person has not given a consent that the provider requires.",
        "account_selection_required": "The person is logged in at the provider with several accounts.",
        "interaction_required": "The provider has something to ask the person.",
    ]

    private var isFromPage: Bool { if case .callback = origin { true } else { false } }

    private var unknown: AuthError {
        switch origin {
        case .callback:
            AuthError(.accessDenied, "The provider declined with a code of its own; look it up in its documentation.")
        case .endpoint:
            AuthError(
                .invalidCredential, "The provider refused with a code of its own; look it up in its documentation.")
        }
    }
}
