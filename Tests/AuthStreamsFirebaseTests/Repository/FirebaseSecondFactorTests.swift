import AuthStreams
import AuthStreamsFirebase
import Foundation
import TestSupport
import Testing

/// Second factors: the question, the answer, and their management.
@Suite struct FirebaseSecondFactorTests {
    private static let pending = "pending+credential/secret"
    private static let secret = "JBSWY3DPEHPK3PXP"
    private static let app = #"{"mfaEnrollmentId":"app-1","displayName":"Phone","totpInfo":{}}"#
    private static let second = #"{"mfaEnrollmentId":"app-2","totpInfo":{}}"#
    private static let message = #"{"mfaEnrollmentId":"sms-1","phoneInfo":"+*******1234"}"#

    private func repository(_ transport: any AuthHTTPTransport) -> FirebaseRepository {
        FirebaseRepository(project: Fixture.project, transport: transport, clock: Fixture.clock)
    }

    private static func question(_ factors: String...) -> AuthHTTPResponse {
        .json(
            #"{"localId":"uid-1","mfaPendingCredential":"\#(pending)","mfaInfo":[\#(factors.joined(separator: ","))]}"#)
    }

    private static var linkCredential: Credential {
        var credential = Credential(provider: .emailLink, authorizationCode: .init(code: Secret("mail-code")))
        credential.address = "a@b.example"
        return credential
    }

    private func challenge(
        _ answer: AuthHTTPResponse, of credential: Credential = Fixture.google
    ) async throws -> (error: AuthError, challenge: Challenge) {
        let repository = repository(ScriptedTransport(answer))
        let error = try await failure { () throws(AuthError) in try await repository.signIn(with: credential) }
        return (error, try #require(error.challenge))
    }

    // MARK: The question

    @Test(arguments: [Fixture.google, Fixture.apple, .password(email: "a@b.example", "secret"), linkCredential])
    func anAuthenticatorAppIsAskedForItsCode(credential: Credential) async throws {
        let (error, challenge) = try await challenge(Self.question(Self.message, Self.app), of: credential)
        #expect(error.code == .secondFactorRequired && error.provider == credential.provider)
        #expect(challenge.step == .code(.init(length: 6)))
        #expect(challenge.pendingToken == Secret(Self.pending) && challenge.expiresIn == .seconds(300))
    }

    @Test func severalAppsAreAChoiceThatNeedsNoRequest() async throws {
        let (_, choice) = try await challenge(Self.question(Self.app, Self.message, Self.second))
        let factors = [
            Challenge.Factor(id: "app-1", kind: "totp", name: "Phone"), Challenge.Factor(id: "app-2", kind: "totp"),
        ]
        #expect(choice.step == .factors(factors))
        let transport = ScriptedTransport(Fixture.signedIn(user: nil), Fixture.account)
        let repository = repository(transport)
        let error = try await failure { () throws(AuthError) in
            try await repository.answer(choice, with: .factor("app-2"), in: nil)
        }
        #expect(error.code == .secondFactorRequired && transport.requests.isEmpty)
        let challenge = try #require(error.challenge)
        #expect(challenge.kind == .code)
        let session = try await repository.answer(challenge, with: .code(Secret("123456")), in: nil)
        #expect(session.provider == .google && session.user.id == "uid-1")
        #expect(transport.requests[0].json?["mfaEnrollmentId"] == "app-2")
    }

    @Test func aTextMessageAloneCannotBeAnswered() async throws {
        for answer in [Self.question(Self.message), Self.question()] {
            let repository = repository(ScriptedTransport(answer))
            let error = try await failure { () throws(AuthError) in try await repository.signIn(with: Fixture.google) }
            #expect(error.code == .secondFactorRequired && error.challenge == nil)
            #expect(error.explanation.contains("APNs"))
        }
    }

    @Test func aQuestionWithoutAPendingCredentialIsNoAnswer() async throws {
        let repository = repository(ScriptedTransport(.json(#"{"localId":"uid-1","mfaInfo":[\#(Self.app)]}"#)))
        let error = try await failure { () throws(AuthError) in try await repository.signIn(with: Fixture.google) }
        #expect(error.code == .invalidResponse && error.challenge == nil)
    }

    // MARK: The answer

    @Test func theCodeCompletesTheSignIn() async throws {
        let (_, challenge) = try await challenge(Self.question(Self.app))
        let token = Fixture.idToken()
        let transport = ScriptedTransport(.json(#"{"idToken":"\#(token)","refreshToken":"r"}"#), Fixture.account)
        let session = try await repository(transport).answer(challenge, with: .code(Secret("123456")), in: nil)
        #expect(session.accessToken == Secret(token) && session.provider == .google && session.user.email != nil)
        #expect(session.expiresAt == Fixture.now + 3600)
        #expect(
            transport.requests.map { $0.url.path } == ["/v2/accounts/mfaSignIn:finalize", "/v1/accounts:lookup"])
        let body: AuthJSON = [
            "mfaPendingCredential": .string(Self.pending), "mfaEnrollmentId": "app-1",
            "totpVerificationInfo": ["verificationCode": "123456"],
        ]
        #expect(transport.requests[0].json == body)
    }

    /// The shape of version 2: a status, and no list of errors.
    private func answerRefused(
        _ word: String, in session: AuthSession? = nil
    ) async throws -> (error: AuthError, challenge: Challenge) {
        let (_, challenge) = try await challenge(Self.question(Self.app))
        let body = #"{"error":{"code":400,"message":"\#(word)","status":"INVALID_ARGUMENT"}}"#
        let repository = repository(ScriptedTransport(.json(body, status: 400)))
        let error = try await failure { () throws(AuthError) in
            try await repository.answer(challenge, with: .code(Secret("123456")), in: session)
        }
        return (error, challenge)
    }

    @Test(arguments: ["INVALID_CODE", "INVALID_CODE : Invalid TOTP verification code."])
    func aWrongCodeIsAskedForAgain(word: String) async throws {
        let (error, challenge) = try await answerRefused(word)
        #expect(error.code == .codeMismatch && error.challenge == challenge && error.provider == .google)
    }

    /// None of these codes asks the same again.
    @Test(arguments: [
        ("TOTP_CHALLENGE_TIMEOUT", AuthError.Code.timedOut), ("INVALID_PENDING_TOKEN", .invalidCredential),
        ("INVALID_MFA_PENDING_CREDENTIAL", .timedOut), ("MISSING_CREDENTIAL", .timedOut),
        ("MISSING_MFA_PENDING_CREDENTIAL", .timedOut),
    ])
    func aSignInThatWaitsNoLongerEnds(word: String, code: AuthError.Code) async throws {
        let (error, _) = try await answerRefused(word)
        #expect(error.code == code && error.challenge == nil && error.serverCode == word)
    }

    @Test(arguments: [
        ("INVALID_MFA_ENROLLMENT_ID", AuthError.Code.invalidInput), ("USER_DISABLED", .userDisabled),
        ("TOO_MANY_ATTEMPTS_TRY_LATER", .rateLimited),
    ])
    func anotherRefusalHasNoChallenge(word: String, code: AuthError.Code) async throws {
        let (error, _) = try await answerRefused(word)
        #expect(error.code == code && error.challenge == nil)
    }

    @Test func aChallengeOfAnotherRepositoryIsNotSent() async throws {
        let repository = repository(ScriptedTransport())
        let (_, ours) = try await challenge(Self.question(Self.app))
        let foreign: [(Challenge, ChallengeAnswer)] = [
            (Challenge(.code(.init(length: 6))), .code(Secret("123456"))), (ours, .resend), (ours, .factor("app-1")),
            (Challenge(.factors([.init(id: "a", kind: "totp")])), .factor("b")),
            (Challenge(.enrollment(.init(secret: Secret("s"), url: Secret("u")))), .code(Secret("123456"))),
        ]
        for (challenge, answer) in foreign {
            let error = try await failure { () throws(AuthError) in
                try await repository.answer(challenge, with: answer, in: nil)
            }
            #expect(error.code == .unsupportedProvider)
        }
    }

    // MARK: In a session

    @Test func aReauthenticationAndALinkAreCompletedForTheSameUser() async throws {
        for isLink in [false, true] {
            let transport = ScriptedTransport(Self.question(Self.app), Fixture.signedIn(user: nil), Fixture.account)
            let repository = repository(transport)
            let error = try await failure { () throws(AuthError) in
                isLink
                    ? try await repository.link(Fixture.google, to: Fixture.session)
                    : try await repository.reauthenticate(Fixture.session, with: Fixture.google)
            }
            let challenge = try #require(error.challenge)
            let session = try await repository.answer(challenge, with: .code(Secret("123456")), in: Fixture.session)
            #expect(session.provider == (isLink ? .kakao : .google) && session.user.id == "uid-1")
        }
    }

    @Test func anotherUsersSecondFactorIsNotKept() async throws {
        let (_, challenge) = try await challenge(Self.question(Self.app))
        let anothers = Fixture.idToken(of: "uid-2")
        let transport = ScriptedTransport(.json(#"{"idToken":"\#(anothers)","refreshToken":"r"}"#))
        let repository = repository(transport)
        let error = try await failure { () throws(AuthError) in
            try await repository.answer(challenge, with: .code(Secret("123456")), in: Fixture.session)
        }
        #expect(error.code == .credentialInUse && transport.requests.count == 1)
    }

    @Test(arguments: ["USER_NOT_FOUND", "USER_DISABLED", "TOKEN_EXPIRED"])
    func aWordAboutTheCredentialsUserEndsNoSession(word: String) async throws {
        let (error, _) = try await answerRefused(word, in: Fixture.session)
        #expect(error.code == .invalidCredential && error.classification.sessionEnd == nil)
    }

    @Test func aFailedLookUpDoesNotUndoTheAnswer() async throws {
        let (_, challenge) = try await challenge(Self.question(Self.app))
        let token = Fixture.idToken(["auth_time": 1_800_000_000])
        let transport = ScriptedTransport(Fixture.signedIn(idToken: token), .html(status: 503))
        let session = try await repository(transport)
            .answer(challenge, with: .code(Secret("123456")), in: Fixture.session)
        #expect(session.accessToken == Secret(token) && session.provider == .google)
    }

    // MARK: Enrollment

    private static let started = AuthHTTPResponse.json(
        """
        {"totpSessionInfo":{"sharedSecretKey":"\(secret)","verificationCodeLength":6,"hashingAlgorithm":"SHA1",
         "periodSec":30,"sessionInfo":"session-secret","finalizeEnrollmentTime":"2027-01-15T08:15:00.123456789Z"}}
        """, headers: [.date: "Fri, 15 Jan 2027 08:00:00 GMT"])

    private func enrollment(named name: String? = "Phone") async throws -> Challenge {
        let transport = ScriptedTransport(Self.started)
        let repository = repository(transport)
        var session = Fixture.session
        session.user.email = "a+b@c.example"
        let error = try await failure { [session] () throws(AuthError) in
            try await repository.apply(.addFactor(named: name), to: session)
        }
        #expect(error.code == .additionalStepRequired)
        #expect(transport.requests.map { $0.url.path } == ["/v2/accounts/mfaEnrollment:start"])
        #expect(
            transport.requests[0].json
                == ["idToken": .string(session.accessToken.reveal()), "totpEnrollmentInfo": [:]])
        return try #require(error.challenge)
    }

    @Test func anEnrollmentShowsItsSecret() async throws {
        let challenge = try await enrollment()
        guard case .enrollment(let details) = challenge.step else {
            Issue.record("Another step: \(challenge)")
            return
        }
        #expect(details.secret == Secret(Self.secret) && details.length == 6)
        #expect(
            details.url.reveal()
                == "otpauth://totp/demo:a%2Bb%40c.example?secret=\(Self.secret)&issuer=demo&algorithm=SHA1&digits=6&period=30"
        )
        #expect(challenge.pendingToken == Secret("session-secret") && challenge.expiresIn == .seconds(900))
        #expect(!everythingPrinted(of: challenge).contains(Self.secret))
    }

    @Test(arguments: [("Phone", "Phone"), (nil, "Authenticator"), ("", "Authenticator")] as [(String?, String)])
    func theFirstCodeAddsTheApp(name: String?, sent: String) async throws {
        let challenge = try await enrollment(named: name)
        let token = Fixture.idToken(["email": "n@b.example"])
        let transport = ScriptedTransport(.json(#"{"idToken":"\#(token)","refreshToken":"new","totpAuthInfo":{}}"#))
        let session = try await repository(transport)
            .answer(challenge, with: .code(Secret("123456")), in: Fixture.session)
        #expect(session.accessToken == Secret(token) && session.refreshToken == Secret("new"))
        #expect(session.provider == .kakao && session.user.email == "n@b.example" && !session.isNewUser)
        #expect(transport.requests.map { $0.url.path } == ["/v2/accounts/mfaEnrollment:finalize"])
        let body: AuthJSON = [
            "idToken": .string(Fixture.session.accessToken.reveal()), "displayName": .string(sent),
            "totpVerificationInfo": ["sessionInfo": "session-secret", "verificationCode": "123456"],
        ]
        #expect(transport.requests[0].json == body)
    }

    @Test(arguments: [
        ("INVALID_CODE", AuthError.Code.codeMismatch, true), ("SESSION_EXPIRED", .invalidCredential, false),
        ("TOO_MANY_ENROLLMENT_ATTEMPTS : restart enrollment", .codeMismatch, false),
        ("INVALID_ID_TOKEN", .invalidCredential, false),
    ])
    func aFirstCodeMayBeRefused(message: String, code: AuthError.Code, isAskedAgain: Bool) async throws {
        let challenge = try await enrollment()
        let repository = repository(ScriptedTransport(.refusal(message)))
        let error = try await failure { () throws(AuthError) in
            try await repository.answer(challenge, with: .code(Secret("123456")), in: Fixture.session)
        }
        #expect(error.code == code && (error.challenge == challenge) == isAskedAgain)
        #expect(error.classification.sessionEnd == nil)
        #expect(error.classification.refusesAccessToken == (message == "INVALID_ID_TOKEN"))
    }

    /// The answer to the first request was lost.
    @Test func anEnrollmentThatIsCompleteIsASuccess() async throws {
        let challenge = try await enrollment()
        let repository = repository(ScriptedTransport(.refusal("MFA_ENROLLMENT_ALREADY_COMPLETE")))
        let session = try await repository.answer(challenge, with: .code(Secret("123456")), in: Fixture.session)
        #expect(session.accessToken == Fixture.session.accessToken)
    }

    @Test(arguments: [
        ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", AuthError.Code.requiresRecentSignIn), ("UNVERIFIED_EMAIL", .accessDenied),
        ("UNSUPPORTED_FIRST_FACTOR", .unsupportedProvider), ("SECOND_FACTOR_LIMIT_EXCEEDED", .invalidInput),
        ("OPERATION_NOT_ALLOWED : TOTP based MFA not enabled.", .misconfigured), ("TOKEN_EXPIRED", .invalidCredential),
    ])
    func anEnrollmentMayBeRefused(message: String, code: AuthError.Code) async throws {
        let repository = repository(ScriptedTransport(.refusal(message)))
        let error = try await failure { () throws(AuthError) in
            try await repository.apply(.addFactor(named: nil), to: Fixture.session)
        }
        #expect(error.code == code && error.challenge == nil)
    }

    @Test(arguments: [#"{}"#, #"{"totpSessionInfo":{"sharedSecretKey":"A"}}"#, #"{"phoneSessionInfo":{}}"#])
    func anEnrollmentWithoutItsSecretIsNoAnswer(body: String) async throws {
        let repository = repository(ScriptedTransport(.json(body)))
        let error = try await failure { () throws(AuthError) in
            try await repository.apply(.addFactor(named: nil), to: Fixture.session)
        }
        #expect(error.code == .invalidResponse)
    }

    // MARK: List and removal

    @Test func everyFactorIsListed() async throws {
        let account = #"{"users":[{"localId":"uid-1","mfaInfo":[\#(Self.app),\#(Self.message),{"displayName":"?"}]}]}"#
        let factors = try await repository(ScriptedTransport(.json(account))).secondFactors(of: Fixture.session)
        #expect(
            factors == [
                .init(id: "app-1", kind: "totp", name: "Phone"), .init(id: "sms-1", kind: "sms", name: "+*******1234"),
            ])
    }

    @Test func aRemovalTakesTheNewTokens() async throws {
        let token = Fixture.idToken(["auth_time": 1_800_000_000])
        let transport = ScriptedTransport(.json(#"{"idToken":"\#(token)","refreshToken":"new"}"#))
        let session = try await repository(transport).apply(.removeFactor("app-1"), to: Fixture.session)
        #expect(session.accessToken == Secret(token) && session.refreshToken == Secret("new"))
        #expect(transport.requests.map { $0.url.path } == ["/v2/accounts/mfaEnrollment:withdraw"])
        #expect(
            transport.requests[0].json
                == ["idToken": .string(Fixture.session.accessToken.reveal()), "mfaEnrollmentId": "app-1"])
        let repository = repository(ScriptedTransport(.refusal("MFA_ENROLLMENT_NOT_FOUND")))
        let error = try await failure { () throws(AuthError) in
            try await repository.apply(.removeFactor("app-1"), to: Fixture.session)
        }
        #expect(error.code == .invalidInput && !error.classification.refusesAccessToken)
    }

    @Test func aTenantIsNamedInEachRequest() async throws {
        var project = Fixture.project
        project.tenantID = "tenant-1"
        let signedIn = Fixture.signedIn()
        let transport = ScriptedTransport(Self.question(Self.app), signedIn, Fixture.account, Self.started, signedIn)
        let repository = FirebaseRepository(project: project, transport: transport, clock: Fixture.clock)
        let error = try await failure { () throws(AuthError) in try await repository.signIn(with: Fixture.google) }
        _ = try await repository.answer(try #require(error.challenge), with: .code(Secret("123456")), in: nil)
        _ = try await failure { () throws(AuthError) in
            try await repository.apply(.addFactor(named: nil), to: Fixture.session)
        }
        _ = try await repository.apply(.removeFactor("app-1"), to: Fixture.session)
        let named = transport.requests.filter { $0.json?["tenantId"] == "tenant-1" }
        #expect(
            named.map { $0.url.lastPathComponent } == [
                "accounts:signInWithIdp", "mfaSignIn:finalize", "mfaEnrollment:start", "mfaEnrollment:withdraw",
            ])
    }

    @Test func noErrorShowsTheTokensOfTheQuestion() async throws {
        let (error, _) = try await challenge(Self.question(Self.app))
        #expect(!everythingPrinted(of: error).contains(Self.pending))
        let (refused, _) = try await answerRefused("NEW_WORD : \(Self.pending) 123456")
        let told = everythingPrinted(of: refused)
        #expect(!told.contains(Self.pending) && !told.contains("123456"))
    }
}
