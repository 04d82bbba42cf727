import AuthStreams
import Foundation
import Testing

/// A further step as existing servers write it: one contract each, and the requests and answers of the server.
@Suite struct ServerStepTests {
    /// Signs in, answers the step, and returns the session with the request of the answer.
    private func run(
        _ contract: ServerContract, _ signIn: AuthHTTPResponse, _ answer: ChallengeAnswer, _ last: AuthHTTPResponse,
        code: AuthError.Code = .registrationRequired
    ) async throws -> (session: AuthSession, request: AuthHTTPRequest, challenge: Challenge) {
        let transport = AnsweringTransport([signIn, last])
        let repository = ServerFixture.repository(transport, contract)
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.signIn(with: ServerFixture.credential)
        }
        #expect(error.code == code)
        let challenge = try #require(error.challenge)
        let session = try await repository.answer(challenge, with: answer, in: nil)
        return (session, try #require(transport.requests.last), challenge)
    }

    static let form = Challenge.Step.form([.init(id: "nickname", label: "별명"), .init(id: "terms", kind: .consent)])
    static let filledIn = ChallengeAnswer.form(["nickname": Secret("민지"), "terms": Secret("true")])

    /// `{isNewMember, signupToken}` in an envelope, and a sign-up with it.
    @Test func aSignUpInTwoStepsInAnEnvelope() async throws {
        var contract = ServerContract()
        contract.envelope = .init(status: "code", success: ["COMMON200"], payload: "result")
        contract.session.isNewUser = "isNewMember"
        contract.steps = [
            .init(Self.form, token: "signupToken", to: .init(.post, "signup"), expiresIn: .seconds(600))
        ]
        let (session, request, challenge) = try await run(
            contract,
            .json(
                #"{"isSuccess":true,"code":"COMMON200","result":{"isNewMember":true,"signupToken":"su.1","email":"a@b.kr"}}"#
            ),
            Self.filledIn,
            .json(
                #"{"isSuccess":true,"code":"COMMON200","result":{"isNewMember":true,"accessToken":"at","refreshToken":"rt","user":{"id":"7"}}}"#
            ))
        #expect(challenge.step == Self.form && challenge.expiresIn == .seconds(600))
        #expect(request.line == "POST https://api.example.com/v1/signup")
        #expect(request.json == ["signupToken": "su.1", "nickname": "민지", "terms": true])
        #expect(session.isNewUser && session.user.id == "7" && session.provider == .google)
        // A person who has an account gets a session at once.
        let known = ServerFixture.repository(
            AnsweringTransport([
                .json(
                    #"{"code":"COMMON200","result":{"isNewMember":false,"accessToken":"at","user":{"id":"7"}}}"#)
            ]), contract)
        #expect(try await known.signIn(with: ServerFixture.credential).user.id == "7")
    }

    /// `{token: null, isCompletedSignUp: false, kakaoId}`: the token is a number, and the sign-up has names of its own.
    @Test func aSignUpByAnIdentifierAndACondition() async throws {
        var contract = ServerContract()
        contract.envelope = .init(status: "success", success: ["true"], payload: "data")
        contract.session.accessToken = "token.accessToken.value"
        contract.session.user = ""
        contract.user.id = "memberId"
        var step = ServerContract.Step(
            Self.form, on: [.code("false", at: "data.isCompletedSignUp")], token: "kakaoId",
            to: .init(.post, "api/member/profile"))
        step.names.fields = "profile"
        contract.steps = [step]
        let (session, request, _) = try await run(
            contract, .json(#"{"success":true,"data":{"token":null,"isCompletedSignUp":false,"kakaoId":3021}}"#),
            Self.filledIn,
            .json(
                #"{"success":true,"data":{"isCompletedSignUp":true,"kakaoId":3021,"memberId":7,"token":{"accessToken":{"value":"at"}}}}"#
            ))
        #expect(request.json == ["kakaoId": "3021", "profile": ["nickname": "민지", "terms": true]])
        #expect(session.accessToken == Secret("at") && session.user.id == "7")
    }

    /// The server gives tokens of a guest, with which the person signs up; the sign-up's answer repeats `isNewUser`.
    @Test func aSignUpWithTheTokensOfAGuest() async throws {
        var contract = ServerContract()
        var step = ServerContract.Step(
            Self.form, on: [.code("true", at: "isNewUser")], token: "accessToken", to: .init(.post, "auth/signup"))
        step.names.token = .bearer()
        contract.steps = [step]
        let (session, request, challenge) = try await run(
            contract,
            .json(#"{"accessToken":"guest","refreshToken":"gr","expiresIn":900,"isNewUser":true,"user":{"id":"7"}}"#),
            Self.filledIn, .json(#"{"accessToken":"at","refreshToken":"rt","isNewUser":true,"user":{"id":"7"}}"#))
        #expect(request.headers[.authorization] == "Bearer guest" && request.json == ["nickname": "민지", "terms": true])
        #expect(challenge.expiresIn == nil, "The lifetime is that of the tokens.")
        #expect(session.accessToken == Secret("at") && session.isNewUser)
    }

    /// The tokens of a guest come after the code, in place of a session, and those of a new guest are a session.
    @Test func theTokensOfAGuestAfterAnotherStep() async throws {
        var contract = ServerContract()
        contract.signInAnonymously = .init(.post, "guests")
        var signUp = ServerContract.Step(
            Self.form, on: [.code("true", at: "isNewUser")], token: "accessToken", to: .init(.post, "auth/signup"))
        signUp.names.token = .bearer()
        contract.steps = [
            .init(
                .code(.init(length: 6)), on: [.code("CODE", at: "next")], token: "codeToken",
                to: .init(.post, "auth/code")), signUp,
        ]
        let guest = AuthHTTPResponse.json(#"{"accessToken":"guest","isNewUser":true,"user":{"id":"7"}}"#)
        let transport = AnsweringTransport([.json(#"{"next":"CODE","codeToken":"c.1"}"#), guest, guest, guest])
        let repository = ServerFixture.repository(transport, contract)
        let asked = try await serverFailure { () throws(AuthError) in
            try await repository.signIn(with: ServerFixture.credential)
        }
        let code = try #require(asked.challenge)
        let next = try await serverFailure { () throws(AuthError) in
            try await repository.answer(code, with: .code(Secret("123456")), in: nil)
        }
        let form = try #require(next.challenge)
        #expect(form.kind == .form && form.pendingToken == Secret("guest"))
        let session = try await repository.answer(form, with: Self.filledIn, in: nil)
        #expect(session.accessToken == Secret("guest"), "The session that ends a step may look like its beginning.")
        #expect(try await repository.signInAnonymously().accessToken == Secret("guest"))
    }

    /// The session that ends the steps repeats what began the first of them.
    @Test func theStepsOfAGuestEnd() async throws {
        var contract = ServerContract()
        var form = ServerContract.Step(
            Self.form, on: [.code("true", at: "isNewUser")], token: "accessToken", to: .init(.post, "auth/signup"))
        form.names.token = .bearer()
        contract.steps = [
            form,
            .init(
                .code(.init(length: 6)), on: [.code("CODE", at: "next")], token: "codeToken",
                to: .init(.post, "auth/code")),
        ]
        contract.wrongAnswers = [.status(401)]
        let transport = AnsweringTransport([
            .json(#"{"accessToken":"guest","isNewUser":true,"user":{"id":"7"}}"#),
            .json(#"{"next":"CODE","codeToken":"c.1"}"#), AuthHTTPResponse(status: 401),
            .json(#"{"accessToken":"at","isNewUser":true,"user":{"id":"7"}}"#),
        ])
        let repository = ServerFixture.repository(transport, contract)
        let asked = try await serverFailure { () throws(AuthError) in
            try await repository.signIn(with: ServerFixture.credential)
        }
        var challenge = try #require(asked.challenge)
        for answer in [Self.filledIn, .code(Secret("000000"))] {
            let next = try await serverFailure { () throws(AuthError) in
                try await repository.answer(challenge, with: answer, in: nil)
            }
            challenge = try #require(next.challenge)
            #expect(challenge.kind == .code)
        }
        let session = try await repository.answer(challenge, with: .code(Secret("123456")), in: nil)
        #expect(session.accessToken == Secret("at") && session.isNewUser)
    }

    /// A problem that ends an answer, or a session, may begin a step.
    @Test func aListedStepNeedsNoOtherSign() async throws {
        var contract = ServerContract()
        contract.problems["no-account"] = .userNotFound
        contract.steps = [.init(Self.form, on: [404], token: "signupToken", to: .init(.post, "signup"))]
        let problem = #"{"type":"https://e.example/p/no-account","signupToken":"su.1"}"#
        let (_, request, challenge) = try await run(
            contract, .json(problem, status: 404, headers: [.contentType: "application/problem+json"]),
            Self.filledIn, ServerFixture.signedIn)
        #expect(challenge.kind == .form && request.json?["signupToken"] == "su.1")
    }

    /// Consents as words, and as the names of those that were given.
    @Test func consentsInTheServersForm() async throws {
        let fields: [Challenge.Field] = [
            .init(id: "terms", kind: .consent), .init(id: "ads", kind: .consent, isRequired: false),
            .init(id: "nickname"),
        ]
        let forms: [(ServerContract.AnswerNames.Consents, AuthJSON)] = [
            (.boolean, ["terms": true, "ads": false]), (.words(yes: "Y", no: "N"), ["terms": "Y", "ads": "N"]),
            (.list("agreedTerms"), ["agreedTerms": ["terms"]]),
        ]
        for (form, expected) in forms {
            var contract = ServerContract()
            var step = ServerContract.Step(.form(fields), token: "signupToken", to: .init(.post, "signup"))
            step.names.consents = form
            contract.steps = [step]
            let (_, request, _) = try await run(
                contract, .json(#"{"signupToken":"su.1"}"#),
                .form(["terms": Secret("true"), "ads": Secret("false"), "nickname": Secret("민지")]),
                ServerFixture.signedIn)
            var members = try #require(expected.object)
            members["signupToken"] = "su.1"
            members["nickname"] = "민지"
            #expect(request.json == .object(members))
        }
    }

    /// A server that renews the token with each wrong code.
    @Test func aWrongCodeRenewsTheTokenOfAStep() async throws {
        var contract = ServerContract()
        contract.wrongAnswers = [.status(401)]
        contract.steps = [
            .init(.code(.init(length: 6)), on: [.status(202)], token: "otpToken", to: .init(.post, "otp"))
        ]
        let transport = AnsweringTransport([
            .json(#"{"otpToken":"o.1"}"#, status: 202), .json(#"{"otpToken":"o.2","attemptsLeft":2}"#, status: 401),
            ServerFixture.signedIn,
        ])
        let repository = ServerFixture.repository(transport, contract)
        let asked = try await serverFailure { () throws(AuthError) in
            try await repository.signIn(with: ServerFixture.credential)
        }
        let first = try #require(asked.challenge)
        let wrong = try await serverFailure { () throws(AuthError) in
            try await repository.answer(first, with: .code(Secret("000000")), in: nil)
        }
        #expect(wrong.code == .codeMismatch && wrong.challenge?.attemptsLeft == 2)
        let second = try #require(wrong.challenge)
        _ = try await repository.answer(second, with: .code(Secret("123456")), in: nil)
        #expect(transport.requests.last?.json == ["otpToken": "o.2", "code": "123456"])
    }

    /// A token in a header field of the answer, sent back in the same.
    @Test func aSignUpTokenInAHeaderField() async throws {
        var contract = ServerContract()
        contract.steps = [
            .init(Self.form, on: [.status(206)], token: .header("X-Signup-Token"), to: .init(.post, "signup"))
        ]
        let (_, request, _) = try await run(
            contract, .json(#"{"isNewUser":true}"#, status: 206, headers: ["x-signup-token": "su.1"]), Self.filledIn,
            ServerFixture.signedIn)
        #expect(request.headers["X-Signup-Token"] == "su.1")
        #expect(request.json == ["nickname": "민지", "terms": true])
    }

    /// An error with HTTP 200 that wants a code, with another path for another code.
    @Test func aCodeByBusinessCodesWithHTTP200() async throws {
        var contract = ServerContract()
        contract.envelope = .init(
            status: "code", success: ["OK"], payload: "data",
            problems: ["E3002": "invalid-code", "E3003": "challenge-expired"])
        var step = ServerContract.Step(
            .code(.init(length: 6, resendAfter: .seconds(60))), on: ["E3001"], token: "otpToken",
            to: .init(.post, "auth/otp"), resend: .init(.post, "auth/otp/send"))
        step.names.code = "otp"
        contract.steps = [step]
        let challenged = AuthHTTPResponse.json(
            #"{"code":"E3001","message":"인증번호","data":{"otpToken":"otp.1","destination":"010-••••-1234","expiresIn":180}}"#
        )
        let (session, request, challenge) = try await run(
            contract, challenged, .code(Secret("123456")),
            .json(#"{"code":"OK","data":{"accessToken":"at","user":{"id":"7"}}}"#), code: .verificationRequired)
        #expect(
            challenge.step == .code(.init(to: "010-••••-1234", length: 6, resendAfter: .seconds(60))))
        #expect(challenge.expiresIn == .seconds(180))
        #expect(request.line == "POST https://api.example.com/v1/auth/otp")
        #expect(request.json == ["otpToken": "otp.1", "otp": "123456"] && session.user.id == "7")
        // A wrong one, another one, and one that came too late.
        let transport = AnsweringTransport([
            .json(#"{"code":"E3002","data":{"attemptsLeft":2}}"#),
            .json(#"{"code":"E3001","data":{"otpToken":"otp.2"}}"#), .json(#"{"code":"E3003"}"#),
        ])
        let repository = ServerFixture.repository(transport, contract)
        var errors: [AuthError] = []
        for answer in [ChallengeAnswer.code(Secret("000000")), .resend, .code(Secret("111111"))] {
            let last = errors.last?.challenge ?? challenge
            errors.append(
                try await serverFailure { () throws(AuthError) in
                    try await repository.answer(last, with: answer, in: nil)
                })
        }
        #expect(errors.map(\.code) == [.codeMismatch, .verificationRequired, .timedOut])
        #expect(errors[0].challenge?.attemptsLeft == 2 && errors[0].challenge?.pendingToken == Secret("otp.1"))
        #expect(errors[1].challenge?.pendingToken == Secret("otp.2") && errors[2].challenge == nil)
        #expect(transport.requests.map { $0.url.path() } == ["/v1/auth/otp", "/v1/auth/otp/send", "/v1/auth/otp"])
        #expect(transport.requests[1].json == ["otpToken": "otp.1"])
    }

    /// Nest: a plain 401 means that the code was wrong, and the challenge stands beside other members.
    @Test func otherNamesAndAPlainStatus() async throws {
        var contract = ServerContract()
        contract.challengeAnswer = .init(.post, "auth/2fa")
        contract.challenge.challenge = ""
        contract.challenge.kind = "status"
        contract.challenge.kinds = ["TWO_FACTOR": .code, "CHOOSE": .factors]
        contract.challenge.token = "mfaToken"
        contract.challenge.answer.code = "totp"
        contract.wrongAnswers = [401]
        let (_, request, challenge) = try await run(
            contract, .json(#"{"status":"TWO_FACTOR","mfaToken":"m.1"}"#), .code(Secret("123456")),
            ServerFixture.signedIn, code: .verificationRequired)
        #expect(challenge.kind == .code)
        #expect(request.line == "POST https://api.example.com/v1/auth/2fa")
        #expect(request.json == ["mfaToken": "m.1", "totp": "123456"])
        let wrong = ServerFixture.repository(
            AnsweringTransport([.json(#"{"statusCode":401,"message":"Unauthorized"}"#, status: 401)]), contract)
        let error = try await serverFailure { () throws(AuthError) in
            try await wrong.answer(challenge, with: .code(Secret("000000")), in: nil)
        }
        #expect(error.code == .codeMismatch && error.challenge == challenge)
        let page = ServerFixture.repository(AnsweringTransport([.page(status: 401)]), contract)
        let portal = try await serverFailure { () throws(AuthError) in
            try await page.answer(challenge, with: .code(Secret("000000")), in: nil)
        }
        #expect(portal.code != .codeMismatch, "A page of a proxy says nothing about the code.")
    }

    /// The server keeps the sign-in that is not complete by a cookie of the app's own transport, or by the code alone.
    @Test func aChallengeWithoutAToken() async throws {
        var contract = ServerContract()
        contract.challenge.token = nil
        let (_, request, challenge) = try await run(
            contract, .json(#"{"challenge":{"kind":"code"}}"#), .code(Secret("123456")), ServerFixture.signedIn,
            code: .verificationRequired)
        #expect(challenge.pendingToken == nil && request.json == ["code": "123456"])
    }

    @Test func aStepWithoutItsTokenIsNamed() async throws {
        var contract = ServerContract()
        contract.steps = [.init(Self.form, on: ["E1"], token: "signupToken", to: .init(.post, "signup"))]
        let error = try await ServerChallengeTests.failure(#"{"code":"E1"}"#, contract)
        #expect(error.code == .invalidResponse && error.explanation.contains("'signupToken'"))
        // Without a token it is the server's error.
        contract.steps = [.init(Self.form, token: "signupToken", to: .init(.post, "signup"))]
        #expect(try await ServerChallengeTests.failure(#"{"code":"E1"}"#, contract).code == .refused)
    }
}
