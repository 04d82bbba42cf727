import AuthStreams
import Foundation
import TestSupport
import Testing

/// A challenge in place of a session, by the documented contract.
@Suite struct ServerChallengeTests {
    static let code =
        #"{"kind":"code","token":"pending+1","expiresIn":300,"attemptsLeft":3,"#
        + #""destination":"a•••@example.com","length":6,"resendAfter":30}"#

    /// The error of a sign-in that the server answers so.
    static func failure(
        _ body: String, status: Int = 403, _ contract: ServerContract = ServerContract()
    ) async throws -> AuthError {
        let repository = ServerFixture.repository(AnsweringTransport([.json(body, status: status)]), contract)
        return try await serverFailure { () throws(AuthError) in
            try await repository.signIn(with: ServerFixture.credential)
        }
    }

    /// The challenge of a sign-in that the server answers so.
    static func challenge(
        _ body: String, status: Int = 403, _ contract: ServerContract = ServerContract()
    ) async throws -> Challenge {
        try #require(try await failure(body, status: status, contract).challenge)
    }

    @Test(arguments: [200, 202, 401, 403, 428]) func aCodeIsAsked(status: Int) async throws {
        let error = try await Self.failure(#"{"challenge":\#(Self.code)}"#, status: status)
        let challenge = try #require(error.challenge)
        #expect(error.code == .verificationRequired && error.provider == .google)
        #expect(challenge.step == .code(.init(to: "a•••@example.com", length: 6, resendAfter: .seconds(30))))
        #expect(challenge.pendingToken == Secret("pending+1"))
        #expect(challenge.expiresIn == .seconds(300) && challenge.attemptsLeft == 3)
    }

    @Test func theOtherKindsAreRead() async throws {
        let factors = try await Self.challenge(
            #"{"challenge":{"kind":"factors","token":"t","factors":[{"id":7,"kind":"sms","name":"•• 12"},{"id":"f2"}]}}"#
        )
        #expect(
            factors.step == .factors([.init(id: "7", kind: "sms", name: "•• 12"), .init(id: "f2", kind: "")]))
        let form = try await Self.challenge(
            #"""
            {"challenge":{"kind":"form","token":"t","fields":[
              {"name":"nickname","label":"별명"},{"name":"color","kind":"palette","required":false},
              {"name":"terms","kind":"consent","url":"https://example.com/terms"},
              {"name":"other","kind":"consent","url":"javascript:x"}]}}
            """#)
        #expect(
            form.step
                == .form([
                    .init(id: "nickname", label: "별명"),
                    .init(id: "color", kind: .init(rawValue: "palette"), isRequired: false),
                    .init(id: "terms", kind: .consent, url: URL(string: "https://example.com/terms")),
                    .init(id: "other", kind: .consent),
                ]))
        let enrollment = try await Self.challenge(
            #"{"challenge":{"kind":"enrollment","token":"t","secret":"ABC","uri":"otpauth://totp/x?secret=ABC"}}"#)
        #expect(
            enrollment.step
                == .enrollment(.init(secret: Secret("ABC"), url: Secret("otpauth://totp/x?secret=ABC"))))
        let page = try await Self.challenge(#"{"challenge":{"kind":"page","page":"https://example.com/step"}}"#)
        #expect(page.step == .page(.init(try #require(URL(string: "https://example.com/step")))))
        #expect(page.pendingToken == nil)
    }

    @Test func aStepThatThisVersionDoesNotKnowIsItsPage() async throws {
        let needs = try await Self.failure(#"{"needs":"terms-2027","page":"https://example.com/terms?id=1"}"#)
        #expect(needs.code == .additionalStepRequired && needs.challenge?.kind.rawValue == "terms-2027")
        let ends = try await Self.challenge(
            #"{"needs":"terms","page":"https://example.com/terms","callbackURL":"demo://step"}"#)
        let url = try #require(URL(string: "https://example.com/terms"))
        let (terms, callback) = (Challenge.Kind(rawValue: "terms"), URL(string: "demo://step"))
        #expect(ends.step == .page(.init(url, callbackURL: callback, kind: terms)))
        let kind = try await Self.failure(
            #"{"challenge":{"kind":"liveness","token":"t","page":"http://127.0.0.1:8080/selfie"}}"#)
        #expect(kind.challenge?.kind.rawValue == "liveness" && kind.challenge?.pendingToken == Secret("t"))
        let without = try await Self.failure(#"{"challenge":{"kind":"liveness","token":"t"}}"#)
        #expect(without.code == .additionalStepRequired && without.challenge == nil)
        #expect(without.explanation.contains("liveness"))
    }

    @Test(arguments: [
        ("secondFactor", AuthError.Code.secondFactorRequired), ("verification", .verificationRequired),
        ("registration", .registrationRequired), ("unheard-of", .verificationRequired),
    ])
    func theServerSaysWhy(reason: String, code: AuthError.Code) async throws {
        let error = try await Self.failure(#"{"challenge":{"kind":"code","token":"t","reason":"\#(reason)"}}"#)
        #expect(error.code == code)
    }

    /// In each place of a session: with its status, and by the contract's envelope.
    @Test func everyChangeMayBeChallenged() async throws {
        let answer = AuthHTTPResponse.json(#"{"challenge":\#(Self.code)}"#)
        for change in [ServerChange.link, .unlink, .reauthenticate, .anonymous] {
            let error = await change.error(after: answer)
            #expect(error?.challenge?.kind == .code, "\(change)")
        }
        #expect(try await ServerOperation.delete.error(after: answer)?.challenge?.kind == .code)
        #expect(try await ServerOperation.refresh.error(after: answer)?.challenge == nil)
        #expect(try await ServerOperation.signOut.error(after: answer)?.challenge == nil)
    }

    /// A member of that name means something else beside a session, in a list of users and in a page.
    @Test func whatOnlyLooksLikeAChallengeIsNone() async throws {
        let session = #""accessToken":"at","user":{"id":"u1"}"#
        let beside = ServerFixture.repository(
            AnsweringTransport([.json(#"{\#(session),"challenge":\#(Self.code),"needs":"rest"}"#)]))
        #expect(try await beside.signIn(with: ServerFixture.credential).user.id == "u1")
        for body in [#"{"challenge":"code"}"#, #"{"challenge":{"token":"t"}}"#, #"{"challenge":[]}"#] {
            let error = try await Self.failure(body, status: 200)
            #expect(error.code == .invalidResponse && error.challenge == nil)
        }
        #expect(try await Self.failure(#"{"challenge":\#(Self.code)}"#, status: 500).challenge == nil)
        #expect(try await Self.failure(#"{"challenge":\#(Self.code)}"#, status: 429).challenge == nil)
    }

    @Test(arguments: [
        (#"{"kind":"code"}"#, "challenge.token"), (#"{"kind":"code","token":"\n"}"#, "challenge.token"),
        (#"{"kind":"factors","token":"t","factors":[]}"#, "challenge.factors"),
        (#"{"kind":"factors","token":"t","factors":[{}]}"#, "challenge.factors.id"),
        (#"{"kind":"form","token":"t"}"#, "challenge.fields"),
        (#"{"kind":"form","token":"t","fields":[{"kind":"text"}]}"#, "challenge.fields.name"),
        (#"{"kind":"enrollment","token":"t","uri":"otpauth://totp/x"}"#, "challenge.secret"),
        (#"{"kind":"enrollment","token":"t","secret":"S","uri":"https://x"}"#, "challenge.uri"),
        (#"{"kind":"page","token":"t"}"#, "challenge.page"),
        (#"{"kind":"page","token":"t","page":"http://example.com/x"}"#, "challenge.page"),
        (#"{"kind":"page","token":"t","page":"javascript:alert(1)"}"#, "challenge.page"),
    ])
    func aChallengeThatCannotBeReadNamesItsMember(body: String, member: String) async throws {
        let error = try await Self.failure(#"{"challenge":\#(body)}"#)
        #expect(error.code == .invalidResponse && error.challenge == nil)
        #expect(error.explanation.contains("'\(member)'"), "\(error.explanation)")
    }

    @Test func numbersThatMakeNoSenseAreLeftOutOrLimited() async throws {
        func challenge(_ members: String) async throws -> Challenge {
            try await Self.challenge(#"{"challenge":{"kind":"code","token":"t",\#(members)}}"#)
        }
        #expect(try await challenge(#""expiresIn":-5"#).expiresIn == .zero)
        #expect(try await challenge(#""expiresIn":1e300"#).expiresIn == .seconds(86_400))
        #expect(try await challenge(#""expiresIn":"soon""#).expiresIn == nil)
        #expect(try await challenge(#""expiresIn":"180""#).expiresIn == .seconds(180))
        #expect(try await challenge(#""attemptsLeft":-1"#).attemptsLeft == 0)
        #expect(try await challenge(#""attemptsLeft":9223372036854775807"#).attemptsLeft == 1_000_000)
        for length in ["0", "-6", "65", "\"six\""] {
            #expect(try await challenge(#""length":\#(length)"#).step == .code(.init()))
        }
    }
}

/// The person's answer to a challenge, and what the server says to it.
@Suite struct ServerAnswerTests {
    static let challenge = Challenge(
        .code(.init(length: 6, resendAfter: .seconds(30))), pendingToken: Secret("pending+1"),
        context: ["operation": Secret("signIn"), "provider": Secret("google.com")])

    private static func answer(
        _ response: AuthHTTPResponse, _ answer: ChallengeAnswer = .code(Secret("123456")),
        to challenge: Challenge = challenge, _ contract: ServerContract = ServerContract(),
        in session: AuthSession? = nil
    ) async -> (result: Result<AuthSession, AuthError>, request: AuthHTTPRequest?) {
        let transport = AnsweringTransport([response])
        let repository = ServerFixture.repository(transport, contract)
        do throws(AuthError) {
            return (
                .success(try await repository.answer(challenge, with: answer, in: session)), transport.requests.first
            )
        } catch { return (.failure(error), transport.requests.first) }
    }

    private static func error(
        _ response: AuthHTTPResponse, _ answer: ChallengeAnswer = .code(Secret("123456")),
        to challenge: Challenge = challenge, _ contract: ServerContract = ServerContract()
    ) async throws -> AuthError {
        guard case .failure(let error) = await self.answer(response, answer, to: challenge, contract).result else {
            throw AuthError(.unexpected, "It succeeded.")
        }
        return error
    }

    private static func problem(_ type: String, _ members: String = "", status: Int = 400) -> AuthHTTPResponse {
        .json(
            #"{"type":"https://e.example/p/\#(type)"\#(members)}"#, status: status,
            headers: [.contentType: "application/problem+json"])
    }

    @Test func eachAnswerHasItsBody() async throws {
        let rows: [(ChallengeAnswer, Challenge, AuthJSON)] = [
            (.code(Secret("123456")), Self.challenge, ["token": "pending+1", "code": "123456"]),
            (.resend, Self.challenge, ["token": "pending+1", "resend": true]),
            (.factor("f2"), Self.challenge, ["token": "pending+1", "factor": "f2"]),
            (
                .form([
                    "nickname": Secret("민지"), "terms.service": Secret("true"), "news": Secret("false"),
                    "bio": Secret(""),
                ]),
                Challenge(
                    .form([
                        .init(id: "nickname"), .init(id: "terms.service", kind: .consent),
                        .init(id: "news", kind: .consent, isRequired: false), .init(id: "bio", isRequired: false),
                    ]), pendingToken: Secret("pending+1")),
                ["token": "pending+1", "nickname": "민지", "terms": ["service": true], "news": false]
            ),
            (
                .callback(try #require(URL(string: "demo://done?x=1"))), Self.challenge,
                ["token": "pending+1", "callback": "demo://done?x=1"]
            ),
        ]
        for (answer, challenge, body) in rows {
            let request = await Self.answer(ServerFixture.signedIn, answer, to: challenge).request
            #expect(request?.line == "POST https://api.example.com/v1/auth/challenge")
            #expect(request?.json == body)
            #expect(request?.headers[.authorization] == nil)
        }
    }

    @Test func aSessionIsTheSignInsOwn() async throws {
        let session = try await Self.answer(ServerFixture.signedIn).result.get()
        #expect(session.provider == .google && session.accessToken == Secret("at") && session.user.id == "u1")
    }

    @Test func inASessionTheAnswerHasItsTokenAndKeepsItsUser() async throws {
        var link = Self.challenge
        link.context["operation"] = Secret("link")
        var anonymous = ServerFixture.session
        anonymous.provider = .anonymous
        let (linked, request) = await Self.answer(
            .json(#"{"user":{"id":"u1","displayName":"민지"}}"#), to: link, in: anonymous)
        #expect(request?.headers[.authorization] == "Bearer old+access")
        #expect(try linked.get().provider == .google && linked.get().user.displayName == "민지")
        let silent = await Self.answer(AuthHTTPResponse(status: 204), in: ServerFixture.session).result
        #expect(try silent.get().accessToken == Secret("old+access"))
        let other = await Self.answer(.json(#"{"user":{"id":"u2"}}"#), in: ServerFixture.session).result
        #expect(other.failure?.code == .invalidResponse)
    }

    @Test func aWrongCodeAsksTheSameAgain() async throws {
        let error = try await Self.error(Self.problem("invalid-code"))
        #expect(error.code == .codeMismatch && error.challenge == Self.challenge && error.serverCode == "invalid-code")
        let next = try await Self.error(Self.problem("invalid-code", #","attemptsLeft":2,"token":"pending+2""#))
        #expect(next.challenge?.attemptsLeft == 2 && next.challenge?.pendingToken == Secret("pending+2"))
        #expect(next.challenge?.context == Self.challenge.context)
        let whole = try await Self.error(
            Self.problem("invalid-code", #","challenge":{"kind":"code","token":"pending+3","length":4}"#))
        #expect(whole.code == .codeMismatch && whole.challenge?.pendingToken == Secret("pending+3"))
        #expect(whole.challenge?.step == .code(.init(length: 4)))
    }

    @Test func theNextChallengeIsAskedNext() async throws {
        let error = try await Self.error(
            .json(#"{"challenge":{"kind":"form","token":"t2","fields":[{"name":"nickname"}]}}"#))
        #expect(error.code == .registrationRequired && error.challenge?.kind == .form)
        let context = try #require(error.challenge?.context)
        #expect(Self.challenge.context.allSatisfy { context[$0.key] == $0.value })
    }

    /// The last answer of a sign-up in two steps need not repeat it.
    @Test func whoFilledInTheFormOfASignUpIsNew() async throws {
        let asked = try await Self.error(
            .json(#"{"challenge":{"kind":"form","token":"t2","fields":[{"name":"nickname"}]}}"#))
        let form = try #require(asked.challenge)
        let registered = await Self.answer(ServerFixture.signedIn, .form(["nickname": Secret("a")]), to: form).result
        #expect(try registered.get().isNewUser)
        let other = await Self.answer(ServerFixture.signedIn).result
        #expect(try !other.get().isNewUser)
    }

    /// A server that wants a step of a change may send its user along.
    @Test func aChallengeBesideAUserIsAsked() async throws {
        let answer = #"{"user":{"id":"u1"},"challenge":{"kind":"code","token":"t2"}}"#
        let error = try await Self.error(.json(answer))
        #expect(error.challenge?.pendingToken == Secret("t2"))
    }

    @Test func aChallengeWithoutAKindIsNoSuccess() async throws {
        let error = try await Self.error(.json(#"{"challenge":{"type":"code","token":"t2"}}"#))
        #expect(error.code == .invalidResponse && error.challenge == nil)
    }

    /// What the person could not answer any more ends the attempt: nothing is asked after these.
    @Test(arguments: [
        ("challenge-expired", AuthError.Code.timedOut), ("too-many-attempts", .accessDenied),
        ("access-denied", .accessDenied), ("user-disabled", .userDisabled),
    ])
    func otherProblemsEndTheAttempt(type: String, code: AuthError.Code) async throws {
        let repeated = #","challenge":{"kind":"code","token":"pending+1"}"#
        for more in ["", repeated] {
            let error = try await Self.error(Self.problem(type, more, status: 403))
            #expect(error.code == code && error.challenge == nil)
        }
    }

    /// A status may mean a wrong code, and a type at the same status something else.
    @Test func aTypeSaysMoreThanAListedStatus() async throws {
        var contract = ServerContract()
        contract.wrongAnswers = [.status(401)]
        let transport = AnsweringTransport([
            AuthHTTPResponse(status: 401), Self.problem("too-many-attempts", status: 401),
        ])
        let repository = ServerFixture.repository(transport, contract)
        func answer() async throws -> AuthError {
            try await serverFailure { () throws(AuthError) in
                try await repository.answer(Self.challenge, with: .code(Secret("123456")), in: nil)
            }
        }
        let wrong = try await answer()
        #expect(wrong.code == .codeMismatch && wrong.challenge == Self.challenge)
        let over = try await answer()
        #expect(over.code == .accessDenied && over.challenge == nil)
    }

    @Test func anExpiredCodeIsAskedAgainWhereAnotherOneIsSent() async throws {
        let again = try await Self.error(Self.problem("code-expired", status: 401))
        #expect(again.code == .codeMismatch && again.challenge == Self.challenge)
        var last = Self.challenge
        last.step = .code(.init(length: 6))
        let end = try await Self.error(Self.problem("code-expired", status: 401), to: last)
        #expect(end.code == .codeMismatch && end.challenge == nil)
        let none = try await Self.error(Self.problem("invalid-code", #","attemptsLeft":0"#), to: last)
        #expect(none.code == .codeMismatch && none.challenge?.attemptsLeft == 0)
    }

    @Test func aFieldThatTheServerRefusesIsNamed() async throws {
        let form = Challenge(
            .form([.init(id: "nickname")]), pendingToken: Secret("t"), context: ["operation": Secret("signIn")])
        let answer = ChallengeAnswer.form(["nickname": Secret("taken-name")])
        let error = try await Self.error(
            Self.problem("invalid-input", #","field":"nickname","detail":"taken-name is taken""#), answer, to: form)
        #expect(error.code == .invalidInput && error.challenge == form)
        #expect(error.serverDetails == ["field": "nickname"] && error.explanation.contains("'nickname'"))
        #expect(!everythingPrinted(of: error).contains("taken-name"))
    }

    @Test func theWishForAnotherCodeIsAnswered() async throws {
        let silent = try await Self.error(AuthHTTPResponse(status: 204), .resend)
        #expect(silent.code == .verificationRequired && silent.challenge == Self.challenge)
        let limited = try await Self.error(
            Self.problem("rate-limited", status: 429).with([.retryAfter: "20"]), .resend)
        #expect(limited.code == .rateLimited && limited.retryAfter == .seconds(20) && limited.challenge == nil)
        let body = #"{"challenge":{"kind":"code","token":"pending+1","length":6,"resendAfter":30}}"#
        let sent = try await Self.error(.json(body), .resend)
        #expect(sent.code == .verificationRequired && sent.challenge?.step == Self.challenge.step)
    }

    @Test func whatCannotBeSentIsRefusedBeforeAnyRequest() async throws {
        var none = ServerContract()
        none.challengeAnswer = nil
        let silent = ServerFixture.repository(AnsweringTransport([]), none)
        let unsupported = try await serverFailure { () throws(AuthError) in
            try await silent.answer(Self.challenge, with: .code(Secret("1")), in: nil)
        }
        #expect(unsupported.code == .unsupportedProvider)
        let repository = ServerFixture.repository(AnsweringTransport([]))
        for answer in [ChallengeAnswer.form(["token": Secret("mine")]), .address("a@example.com")] {
            let error = try await serverFailure { () throws(AuthError) in
                try await repository.answer(Self.challenge, with: answer, in: nil)
            }
            #expect(error.code == .misconfigured && !everythingPrinted(of: error).contains("mine"))
        }
    }

    @Test(arguments: [200, 400, 401, 403, 404, 409, 422, 500]) func noAnswerIsInAnError(status: Int) async throws {
        let echo = #"{"detail":"pending+1 654321","code":"pending+1","message":"pending+1 and 654321"}"#
        var contract = ServerContract()
        contract.errorMessage = "message"
        for response in [AuthHTTPResponse.json(echo, status: status), Self.problem("unheard-of", status: status)] {
            let error = try await Self.error(response, .code(Secret("654321")), contract)
            let text = everythingPrinted(of: error)
            #expect(!text.contains("pending+1") && !text.contains("654321"))
        }
    }
}

extension AuthHTTPResponse {
    fileprivate func with(_ headers: [HeaderName: String]) -> Self {
        Self(status: status, headers: self.headers.merging(headers) { $1 }, body: body)
    }
}

extension Result where Success == AuthSession, Failure == AuthError {
    fileprivate var failure: AuthError? { if case .failure(let error) = self { error } else { nil } }
}
