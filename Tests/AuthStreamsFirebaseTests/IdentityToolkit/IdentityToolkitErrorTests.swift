import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct IdentityToolkitErrorTests {
    private func error(of answer: AuthHTTPResponse) async throws -> AuthError {
        let toolkit = IdentityToolkit(project: Fixture.project, transport: ScriptedTransport(answer))
        return try await failure { () throws(AuthError) in try await toolkit.refresh(Secret(Fixture.refreshToken)) }
    }

    private static let meanings: [(AuthError.Code, [String])] = [
        (.userNotFound, ["USER_NOT_FOUND"]),
        (.userDisabled, ["USER_DISABLED"]),
        (
            .sessionExpired,
            [
                "TOKEN_EXPIRED", "INVALID_REFRESH_TOKEN", "INVALID_ID_TOKEN",
            ]
        ),
        (.requiresRecentSignIn, ["CREDENTIAL_TOO_OLD_LOGIN_AGAIN"]),
        (.invalidCustomToken, ["INVALID_CUSTOM_TOKEN", "MISSING_CUSTOM_TOKEN", "CREDENTIAL_MISMATCH"]),
        (.nonceMismatch, ["MISSING_OR_INVALID_NONCE"]),
        (
            .invalidCredential,
            [
                "INVALID_IDP_RESPONSE", "INVALID_PENDING_TOKEN", "INVALID_LOGIN_CREDENTIALS", "INVALID_PASSWORD",
                "EMAIL_NOT_FOUND", "INVALID_CREDENTIAL_OR_PROVIDER_ID", "INVALID_IDENTIFIER", "EXPIRED_OOB_CODE",
                "INVALID_OOB_CODE", "MISSING_OOB_CODE", "SESSION_EXPIRED", "INVALID_SESSION_INFO",
                "MISSING_SESSION_INFO", "NOBODY_HAS_HEARD_OF_THIS",
                "INVALID_MFA_NOBODY_HAS_HEARD_OF",
            ]
        ),
        (
            .timedOut,
            [
                "TOTP_CHALLENGE_TIMEOUT", "INVALID_MFA_PENDING_CREDENTIAL", "MISSING_MFA_PENDING_CREDENTIAL",
                "MISSING_CREDENTIAL",
            ]
        ),
        (
            .invalidInput,
            [
                "INVALID_EMAIL", "MISSING_EMAIL", "INVALID_RECIPIENT_EMAIL", "MISSING_PASSWORD",
                "INVALID_MFA_ENROLLMENT_ID", "MISSING_MFA_ENROLLMENT_ID", "MFA_ENROLLMENT_NOT_FOUND",
                "MFA_ENROLLMENT_ALREADY_COMPLETE", "SECOND_FACTOR_EXISTS", "SECOND_FACTOR_LIMIT_EXCEEDED",
            ]
        ),
        (.codeMismatch, ["INVALID_CODE", "MISSING_CODE", "TOO_MANY_ENROLLMENT_ATTEMPTS"]),
        (.unsupportedProvider, ["UNSUPPORTED_FIRST_FACTOR", "UNSUPPORTED_SECOND_FACTOR"]),
        (.accountExists, ["EMAIL_EXISTS"]),
        (.credentialInUse, ["FEDERATED_USER_ID_ALREADY_LINKED"]),
        (
            .accessDenied,
            [
                "UNVERIFIED_EMAIL", "EMAIL_CHANGE_NEEDS_VERIFICATION", "BLOCKING_FUNCTION_ERROR_RESPONSE",
                "CAPTCHA_CHECK_FAILED",
            ]
        ),
        (.rateLimited, ["TOO_MANY_ATTEMPTS_TRY_LATER", "QUOTA_EXCEEDED", "RESET_PASSWORD_EXCEED_LIMIT"]),
        (
            .misconfigured,
            [
                "INVALID_PROVIDER_ID", "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "ADMIN_ONLY_OPERATION",
                "TENANT_ID_MISMATCH", "UNSUPPORTED_TENANT_OPERATION", "PROJECT_DISABLED", "INVALID_GRANT_TYPE",
                "MISSING_GRANT_TYPE", "CONFIGURATION_NOT_FOUND", "MISSING_CONTINUE_URI", "INVALID_CONTINUE_URI",
                "UNAUTHORIZED_DOMAIN", "INVALID_SENDER", "INVALID_MESSAGE_PAYLOAD", "APP_NOT_VERIFIED",
                "INVALID_REQUEST_URI", "PROJECT_NUMBER_MISMATCH", "MISSING_REFRESH_TOKEN",
                "INVALID_DYNAMIC_LINK_DOMAIN", "INVALID_HOSTING_LINK_DOMAIN", "DYNAMIC_LINK_NOT_ACTIVATED",
                "MISSING_IOS_BUNDLE_ID", "INVALID_IOS_BUNDLE_ID", "MISSING_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_TOKEN",
            ]
        ),
    ]

    @Test(arguments: meanings.flatMap { row in row.1.map { ($0, row.0) } }, ["", " : the detail", ":the detail"])
    func everyCodeHasItsMeaning(row: (String, AuthError.Code), detail: String) async throws {
        let error = try await error(of: .refusal(row.0 + detail))
        #expect(error.code == row.1)
        #expect(error.serverCode == row.0)
        #expect(!error.explanation.isEmpty)
        #expect(!error.debugDescription.contains("the detail"))
    }

    @Test(arguments: [
        "WEAK_PASSWORD : Password should be at least 6 characters",
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain a numeric character]",
    ])
    func theRulesThatAPasswordBreaksAreShown(message: String) async throws {
        let error = try await error(of: .refusal(message))
        #expect(error.code == .invalidInput && error.challenge == nil)
        #expect(error.serverMessage == message.split(separator: " : ", maxSplits: 1).last.map(String.init))
    }

    @Test func theRulesShowNothingThatWasSent() async throws {
        let message = "WEAK_PASSWORD : \(Fixture.refreshToken) is weak"
        #expect(try await error(of: .refusal(message)).serverMessage == "… is weak")
    }

    @Test(arguments: [
        "keyInvalid", "ipRefererBlocked",
    ])
    func anAPIKeyThatIsRefusedIsAMisconfiguration(reason: String) async throws {
        let body = """
            {"error":{"code":400,"message":"API key not valid. Please pass a valid API key.",
             "errors":[{"message":"Bad Request","domain":"usageLimits","reason":"\(reason)"}],"status":"INVALID_ARGUMENT"}}
            """
        let error = try await error(of: .json(body, status: 400))
        #expect(error.code == .misconfigured)
        #expect(error.serverCode == reason)
        #expect(error.explanation.contains("API key"))
    }

    @Test func theReasonMayStandInTheDetails() async throws {
        let body = """
            {"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT",
             "errors":[{"reason":"badRequest"}],"details":[{"@type":"?"},{"reason":"API_KEY_INVALID"}]}}
            """
        let error = try await error(of: .json(body, status: 400))
        #expect(error.code == .misconfigured)
        #expect(error.serverCode == "API_KEY_INVALID")
    }

    @Test func aRequestWithoutKeyIsAMisconfiguration() async throws {
        let body = """
            {"error":{"code":403,"message":"The request is missing a valid API key.",
             "errors":[{"reason":"forbidden"}],"status":"PERMISSION_DENIED"}}
            """
        let error = try await error(of: .json(body, status: 403))
        #expect(error.code == .misconfigured)
        #expect(error.serverCode == "PERMISSION_DENIED")
        #expect(error.retryAfter == nil)
    }

    @Test(arguments: [500, 502, 503, 599], ["INVALID_REFRESH_TOKEN", "USER_DISABLED", "INTERNAL_ERROR"])
    func aFailingServerIsNotBelievedWhateverItSays(status: Int, message: String) async throws {
        let error = try await error(of: .refusal(message, status: status, headers: [.retryAfter: "9"]))
        #expect(error.code == .server)
        #expect(error.serverCode == message)
        #expect(error.retryAfter == .seconds(9))
        #expect(error.isRetryable)
    }

    @Test func tooManyRequestsSayHowLongToWait() async throws {
        let byStatus = try await error(of: .refusal("ANYTHING", status: 429, headers: [.retryAfter: "30"]))
        #expect(byStatus.code == .rateLimited)
        #expect(byStatus.retryAfter == .seconds(30))
        let byCode = try await error(of: .refusal("QUOTA_EXCEEDED : slow", headers: [.retryAfter: "31"]))
        #expect(byCode.retryAfter == .seconds(31))
    }

    @Test(arguments: [
        (302, AuthError.Code.invalidResponse), (400, .invalidResponse), (403, .invalidResponse),
        (404, .invalidResponse), (429, .rateLimited), (500, .server), (503, .server),
    ])
    func aPageIsNotFirebasesWord(status: Int, code: AuthError.Code) async throws {
        #expect(try await error(of: .html(status: status)).code == code)
        #expect(try await error(of: AuthHTTPResponse(status: status)).code == code)
        #expect(try await error(of: .json(#"{"error":"invalid_grant"}"#, status: status)).code == code)
    }

    @Test(arguments: [
        "eyJhbGciOiJub25lIn0.secret", "TOKEN secret", String(repeating: "A", count: 65), "", "한글", "A\\nB",
    ])
    func whatIsNoCodeIsNotRepeated(message: String) async throws {
        let error = try await error(of: .refusal(message))
        #expect(error.code == .invalidCredential)
        #expect(error.serverCode == nil)
    }

    /// What stands in between may ask for years.
    @Test(arguments: [429, 503]) func aPageAsksForFiveMinutesAtMost(status: Int) async throws {
        for (value, seconds) in [("86400", 300), ("12", 12)] {
            var page = AuthHTTPResponse.html(status: status)
            page.headers[.retryAfter] = value
            #expect(try await error(of: page).retryAfter == .seconds(seconds))
        }
        let own = try await error(of: .refusal("ANYTHING", status: status, headers: [.retryAfter: "86400"]))
        #expect(own.retryAfter == .seconds(86400))
    }
}
