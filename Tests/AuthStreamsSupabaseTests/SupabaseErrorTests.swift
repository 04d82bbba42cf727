import AuthStreams
import AuthStreamsSupabase
import Foundation
import Testing

/// The words of Supabase's errors, as codes.
@Suite struct SupabaseErrorTests {
    struct Case: Sendable, CustomStringConvertible {
        let word: String
        let status: Int
        let code: AuthError.Code

        init(_ word: String, _ status: Int, _ code: AuthError.Code) {
            (self.word, self.status, self.code) = (word, status, code)
        }

        var description: String { word }
    }

    static let cases = [
        Case("session_not_found", 403, .sessionExpired), Case("session_expired", 400, .sessionExpired),
        Case("refresh_token_not_found", 400, .sessionExpired), Case("refresh_token_already_used", 400, .sessionExpired),
        Case("user_not_found", 403, .userNotFound), Case("user_banned", 403, .userDisabled),
        Case("bad_jwt", 403, .invalidCredential), Case("no_authorization", 401, .invalidCredential),
        Case("no_authorization", 403, .accessDenied),
        Case("invalid_credentials", 400, .invalidCredential), Case("otp_expired", 403, .invalidCredential),
        Case("user_already_exists", 422, .accountExists), Case("email_exists", 422, .accountExists),
        Case("phone_exists", 422, .accountExists), Case("identity_already_exists", 422, .credentialInUse),
        Case("single_identity_not_deletable", 422, .lastProvider),
        Case("email_conflict_identity_not_deletable", 422, .accountExists),
        Case("email_not_confirmed", 400, .verificationRequired),
        Case("phone_not_confirmed", 400, .verificationRequired),
        Case("provider_email_needs_verification", 422, .verificationRequired),
        Case("signup_disabled", 422, .accessDenied), Case("otp_disabled", 422, .accessDenied),
        Case("user_sso_managed", 422, .accessDenied), Case("mfa_verification_rejected", 403, .accessDenied),
        Case("email_address_not_authorized", 400, .misconfigured),
        Case("weak_password", 422, .invalidInput), Case("same_password", 422, .invalidInput),
        Case("current_password_invalid", 400, .invalidInput),
        Case("current_password_required", 400, .additionalStepRequired),
        Case("email_address_invalid", 400, .invalidInput), Case("validation_failed", 400, .invalidInput),
        Case("reauthentication_needed", 400, .verificationRequired),
        Case("reauthentication_not_valid", 422, .codeMismatch),
        Case("insufficient_aal", 401, .requiresRecentSignIn), Case("insufficient_aal", 422, .requiresRecentSignIn),
        Case("mfa_verification_failed", 422, .codeMismatch), Case("mfa_challenge_expired", 422, .codeMismatch),
        Case("mfa_ip_address_mismatch", 422, .codeMismatch), Case("mfa_factor_not_found", 404, .invalidInput),
        Case("mfa_factor_name_conflict", 422, .invalidInput), Case("mfa_verified_factor_exists", 422, .invalidInput),
        Case("too_many_enrolled_mfa_factors", 422, .invalidInput),
        Case("mfa_totp_enroll_not_enabled", 422, .misconfigured),
        Case("mfa_totp_verify_not_enabled", 422, .misconfigured),
        Case("provider_disabled", 400, .misconfigured), Case("email_provider_disabled", 422, .misconfigured),
        Case("phone_provider_disabled", 400, .misconfigured), Case("anonymous_provider_disabled", 422, .misconfigured),
        Case("manual_linking_disabled", 404, .misconfigured), Case("captcha_failed", 400, .misconfigured),
        Case("unexpected_audience", 403, .misconfigured), Case("bad_json", 400, .misconfigured),
        Case("bad_code_verifier", 400, .invalidCredential), Case("flow_state_not_found", 404, .invalidCredential),
        Case("flow_state_expired", 422, .invalidCredential),
        Case("over_request_rate_limit", 429, .rateLimited), Case("over_email_send_rate_limit", 429, .rateLimited),
        Case("over_sms_send_rate_limit", 429, .rateLimited),
        Case("sms_send_failed", 422, .server), Case("hook_timeout", 422, .server),
        Case("hook_timeout_after_retry", 422, .server), Case("request_timeout", 504, .server),
        Case("conflict", 409, .server), Case("unexpected_failure", 500, .server),
        Case("a_word_of_next_year", 422, .refused),
    ]

    @Test(arguments: cases)
    func eachWordHasACode(_ word: Case) async throws {
        let forms: [AuthJSON] = [
            ["code": .string(word.word), "message": "Words"],
            ["code": .integer(Int64(word.status)), "error_code": .string(word.word), "msg": "Words"],
        ]
        for form in forms {
            let repository = try SupabaseRepository.test(try AnsweringTransport(form, status: word.status))
            let refusal = await error { () throws(AuthError) in try await repository.reload(.test) }
            #expect(refusal?.code == word.code && refusal?.serverCode == word.word && refusal?.serverMessage == "Words")
            #expect(refusal?.provider == .google)
            let endings: [AuthError.Code] = [.sessionExpired, .userNotFound, .userDisabled]
            #expect((refusal?.classification.sessionEnd != nil) == endings.contains(word.code))
            let isAboutToken = word.code == .invalidCredential && ["bad_jwt", "no_authorization"].contains(word.word)
            #expect(refusal?.classification.refusesAccessToken == isAboutToken)
        }
    }

    /// Errors at an ID token have no code in either version.
    @Test(arguments: [
        ("invalid request", AuthError.Code.invalidCredential), ("invalid nonce", .invalidCredential),
        ("server_error", .server),
    ])
    func anIDTokenIsRefused(_ word: String, _ code: AuthError.Code) async throws {
        let transport = try AnsweringTransport(
            ["error": .string(word), "error_description": "Bad ID token"], status: 400)
        let credential = Credential(provider: .google, idToken: Secret("id.token.1"))
        let repository = try SupabaseRepository.test(transport)
        let refusal = await error { () throws(AuthError) in try await repository.signIn(with: credential) }
        #expect(refusal?.code == code && refusal?.serverMessage == "Bad ID token")
        #expect(refusal?.serverCode == word.replacing(" ", with: "_"))
    }

    @Test func theRulesOfAPasswordAreInTheExplanation() async throws {
        let transport = try AnsweringTransport(
            [
                "code": "weak_password", "message": "Password should be at least 6 characters.",
                "weak_password": ["reasons": ["length", "pwned", "of next year"]],
            ], status: 422)
        let repository = try SupabaseRepository.test(transport)
        let refusal = await error { () throws(AuthError) in
            try await repository.signUp(with: .password(email: "minji@example.com", "12345"))
        }
        #expect(refusal?.code == .invalidInput)
        #expect(refusal?.explanation.hasSuffix("The rules: too short, known from a leak.") == true)
        #expect(refusal?.serverMessage == "Password should be at least 6 characters.")
    }

    /// GoTrue sends the wait in its words; what stands before it sends a header.
    @Test(
        arguments: [
            ("over_email_send_rate_limit", "you can only request this after 42 seconds.", nil, 42),
            ("over_sms_send_rate_limit", "you can only request this after 7 seconds.", nil, 7),
            ("over_request_rate_limit", "Request rate limit reached", "9", 9),
            ("over_email_send_rate_limit", "email rate limit exceeded", nil, nil),
        ] as [(String, String, String?, Int?)])
    func theWaitIsRead(_ code: String, _ message: String, _ header: String?, _ seconds: Int?) async throws {
        let transport = try AnsweringTransport(
            ["code": .string(code), "message": .string(message)], status: 429,
            headers: header.map { [.retryAfter: $0] } ?? [:])
        let repository = try SupabaseRepository.test(transport)
        let refusal = await error { () throws(AuthError) in try await repository.signIn(with: .code(to: "a@b.example"))
        }
        #expect(refusal?.code == .rateLimited && refusal?.retryAfter == seconds.map { .seconds($0) })
    }

    /// The gateway, a failing server and a page end no session, whatever they quote.
    @Test(arguments: [
        (401, #"{"message":"Invalid API key"}"#, AuthError.Code.misconfigured),
        (503, #"{"code":"session_not_found","message":"x"}"#, .server),
        (429, #"{"code":"user_not_found","message":"x"}"#, .rateLimited),
        (404, "<html>Not found</html>", .invalidResponse), (200, "<html>Sign in</html>", .invalidResponse),
        (200, "", .invalidResponse), (302, "", .invalidResponse), (400, "", .invalidResponse),
        (400, #"{"code":"refresh_1","message":"x"}"#, .refused),
    ])
    func whatIsNotAuthsEndsNoSession(_ status: Int, _ body: String, _ code: AuthError.Code) async throws {
        let transport = AnsweringTransport { _ in AuthHTTPResponse(status: status, body: Data(body.utf8)) }
        let repository = try SupabaseRepository.test(transport)
        let refusal = await error { () throws(AuthError) in try await repository.refresh(.test) }
        #expect(
            refusal?.code == code && refusal?.classification.sessionEnd == nil && refusal?.serverCode != "refresh_1")
    }

    /// A refresh token of a later state of the database can never be used again.
    @Test func aTokenThatSupabaseDidNotIssueEndsTheSession() async throws {
        let repository = try SupabaseRepository.test(
            try AnsweringTransport(
                ["code": "validation_failed", "message": "Invalid Refresh Token: Not Issued By This Server"],
                status: 400))
        let refusal = await error { () throws(AuthError) in try await repository.refresh(.test) }
        #expect(refusal?.code == .sessionExpired && refusal?.serverCode == "validation_failed")
    }

    @Test(arguments: [(401, AuthError.Code.invalidCredential), (404, .misconfigured), (403, .refused), (500, .server)])
    func aFunctionRefuses(_ status: Int, _ code: AuthError.Code) async throws {
        let repository = try SupabaseRepository.test(try AnsweringTransport(["message": "no"], status: status))
        let refusal = await error { () throws(AuthError) in try await repository.deleteAccount(.test) }
        #expect(refusal?.code == code && refusal?.classification.refusesAccessToken == (status == 401))
    }
}
