import AuthStreams
import LoopbackHTTP

/// An error of kauth by its KOE code, one that a test asked for by another code, or one of KakaoTalk by its text.
struct KakaoRefusal: Error {
    let code: String
    /// The description, if it is not that of the code.
    let description: String?

    init(_ code: String, _ description: String? = nil) { (self.code, self.description) = (code, description) }
}

/// Kakao's error formats: KOE codes at kauth, negative numbers at kapi.
enum KakaoDialect {
    private struct Meaning {
        let error: String
        let description: String
        var status = 400
    }

    private static let meanings: [String: Meaning] = [
        "KOE001": Meaning(error: "invalid_request", description: "Bad request."),
        "KOE002": Meaning(error: "invalid_request", description: "Bad URL."),
        "KOE003": Meaning(error: "server_error", description: "Temporary internal failure.", status: 500),
        "KOE004": Meaning(error: "misconfigured", description: "Kakao Login is not enabled for this app."),
        "KOE005": Meaning(error: "access_denied", description: "The user is no test member of this app.", status: 401),
        "KOE006": Meaning(error: "invalid_request", description: "The redirect URI is not registered."),
        "KOE007": Meaning(error: "invalid_request", description: "The logout redirect URI is not registered."),
        "KOE008": Meaning(error: "misconfigured", description: "The app key is of the wrong type."),
        "KOE009": Meaning(error: "misconfigured", description: "The platform is not registered for this app."),
        "KOE010": Meaning(error: "invalid_client", description: "Bad client credentials", status: 401),
        "KOE101": Meaning(error: "invalid_client", description: "Not exist client_id", status: 401),
        "KOE201": Meaning(error: "invalid_request", description: "response_type must be code."),
        "KOE203": Meaning(error: "access_denied", description: "A required consent was refused."),
        "KOE204": Meaning(error: "invalid_request", description: "A parameter is malformed."),
        "KOE205": Meaning(error: "invalid_scope", description: "The scope is not configured for this app."),
        "KOE207": Meaning(error: "invalid_request", description: "A required parameter is missing."),
        "KOE237": Meaning(error: "rate_limit", description: "token request rate limit exceeded.", status: 429),
        "KOE303": Meaning(error: "invalid_grant", description: "Redirect URI mismatch."),
        "KOE310": Meaning(error: "unsupported_grant_type", description: "grant_type is not supported."),
        "KOE319": Meaning(error: "invalid_grant", description: "refresh_token is missing."),
        "KOE320": Meaning(error: "invalid_grant", description: "authorization code not found"),
        "KOE322": Meaning(error: "invalid_grant", description: "expired_or_invalid_refresh_token"),
        "KOE400": Meaning(error: "invalid_token", description: "The token is not Kakao's, or has expired."),
    ]

    /// An error page, which does not redirect to the app.
    static func page(_ code: String) -> LoopbackResponse {
        let meaning = meanings[code]
        return .error(code, meaning?.description ?? "Bad request.", status: meaning?.status ?? 400)
    }

    /// An error of the token endpoint.
    ///
    /// - Parameter code: A KOE code, or an OAuth error, which is then sent without KOE code.
    static func failure(_ code: String, _ description: String? = nil) -> LoopbackResponse {
        guard let meaning = meanings[code] else { return .oauthError(code, description ?? "As the test asked.") }
        return .json(
            [
                "error": .string(meaning.error), "error_description": .string(description ?? meaning.description),
                "error_code": .string(code),
            ], status: meaning.status)
    }

    /// An error of kapi. With -402 it has the scopes that the call needs, and those that the person has agreed to.
    static func failure(
        _ code: Int64, _ message: String, missing: [String] = ["account_email"],
        allowed: [String] = ["profile_nickname"]
    ) -> LoopbackResponse {
        var members: [String: AuthJSON] = ["msg": .string(message), "code": .integer(code)]
        if code == -402 {
            members["required_scopes"] = .strings(missing)
            members["allowed_scopes"] = .strings(allowed)
        }
        var response = LoopbackResponse.json(.object(members), status: statuses[code] ?? 400)
        if code == -401 { response.headers.append(("WWW-Authenticate", "Bearer error=invalid_token")) }
        return response
    }

    private static let statuses: [Int64: Int] = [
        -3: 403, -4: 403, -5: 403, -401: 401, -402: 403, -406: 401, -9798: 503,
    ]
}
