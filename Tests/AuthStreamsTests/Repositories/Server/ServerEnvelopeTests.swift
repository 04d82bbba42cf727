import AuthStreams
import Foundation
import TestSupport
import Testing

/// An envelope around every answer: what it says counts, with HTTP 200 as with 4xx.
@Suite struct ServerEnvelopeTests {
    private typealias Fixture = ServerFixture

    private static var contract: ServerContract {
        var contract = ServerContract()
        contract.envelope = .init(
            status: "code", success: ["0000", "200", "true"], payload: "data",
            problems: [
                "A1": "session-expired", "A2": "session-revoked", "A3": "user-disabled", "A4": "user-not-found",
                "A5": "invalid-access-token", "A6": "rate-limited", "A7": "provider-unavailable",
                "A8": "invalid-credential", "A9": "locked", "A10": "no-such-type", "A11": "credential-in-use",
            ])
        contract.problems["locked"] = .userDisabled
        contract.session.accessToken = "tokens.access"
        return contract
    }

    private static func answer(_ code: String, status: Int = 200, data: String = "null") -> AuthHTTPResponse {
        .json(#"{"code":\#(code),"message":"S3CRET","data":\#(data)}"#, status: status)
    }

    // MARK: Success

    @Test(arguments: [#""0000""#, "200", "true"]) func aListedValueIsASuccess(code: String) async throws {
        let data = #"{"tokens":{"access":"at"},"user":{"id":"u1"}}"#
        let transport = AnsweringTransport([
            Self.answer(code, data: data), Self.answer(code), Self.answer(code),
        ])
        let repository = Fixture.repository(transport, Self.contract)
        #expect(try await repository.signIn(with: Fixture.credential).accessToken == Secret("at"))
        try await repository.signOut(Fixture.session)
        try await repository.deleteAccount(Fixture.session)
    }

    @Test(arguments: [
        "{}", #"{"code":null}"#, #"{"code":""}"#, #"{"code":["0000"]}"#, #"{"code":{"value":"0000"}}"#,
        #"{"code":200.5}"#, #"{"Code":"0000"}"#, "[]", "", "<html>S3CRET</html>",
        #"{"tokens":{"access":"S3CRET"},"user":{"id":"u1"}}"#,
    ])
    func successIsNeverGuessed(text: String) async throws {
        for operation in ServerOperation.allCases {
            let error = try #require(try await operation.error(after: .json(text), Self.contract), "\(operation)")
            #expect(error.code == .invalidResponse)
            #expect(error.explanation.contains("'code'"))
            #expect(!everythingPrinted(of: error).contains("S3CRET"))
        }
    }

    @Test func noBodyNeedsNoEnvelope() async throws {
        #expect(try await ServerOperation.signOut.error(after: AuthHTTPResponse(status: 204), Self.contract) == nil)
        let error = try await ServerOperation.signOut.error(after: AuthHTTPResponse(status: 202), Self.contract)
        #expect(error?.code == .invalidResponse)
    }

    @Test(arguments: [
        ("null", "data.tokens.access"), ("{}", "data.tokens.access"), (#"{"tokens":"S3CRET"}"#, "data.tokens.access"),
        (#"{"tokens":{"access":7}}"#, "data.tokens.access"), (#"["S3CRET"]"#, "data"), (#""S3CRET""#, "data"),
        (#"{"tokens":{"access":"S3CRET"},"user":[]}"#, "data.user"),
        (#"{"tokens":{"access":"S3CRET"},"user":{"id":{}}}"#, "data.user.id"),
        (#"{"tokens":{"access":"S3CRET"},"user":{"id":"u1"},"refreshToken":1}"#, "data.refreshToken"),
    ])
    func theWholePathOfWhatIsMissingIsNamed(data: String, path: String) async throws {
        let answer = Self.answer(#""0000""#, data: data)
        let error = try #require(try await ServerOperation.signIn.error(after: answer, Self.contract))
        #expect(error.code == .invalidResponse)
        #expect(error.explanation.contains("'\(path)'"))
        #expect(!everythingPrinted(of: error).contains("S3CRET"))
    }

    // MARK: Errors

    private static let meanings: [(code: String, AuthError.Code, SignOutReason?)] = [
        ("A1", .sessionExpired, .expired), ("A2", .sessionExpired, .revoked), ("A3", .userDisabled, .disabled),
        ("A4", .userNotFound, .deleted), ("A5", .invalidCredential, nil), ("A6", .rateLimited, nil),
        ("A7", .server, nil), ("A8", .invalidCredential, nil), ("A9", .userDisabled, .disabled),
    ]

    @Test(arguments: [200, 201, 400, 401, 403, 409], meanings)
    func anErrorMeansTheSameWithAnyStatus(status: Int, meaning: (String, AuthError.Code, SignOutReason?)) async throws {
        let (code, expected, end) = meaning
        // A sign-out whose access token is refused is sent once more.
        for operation in ServerOperation.allCases where operation != .signOut || code != "A5" {
            let answer = Self.answer("\"\(code)\"", status: status)
            let error = try await operation.error(after: answer, Self.contract)
            // A session that is over is signed out.
            if operation == .signOut, end != nil {
                #expect(error == nil)
            } else {
                #expect(error?.code == expected, "\(operation)")
                #expect(error?.classification.sessionEnd == end)
                #expect(error?.classification.refusesAccessToken == (code == "A5"))
                #expect(error?.isRetryable == [.rateLimited, .server].contains(expected))
                #expect(error?.serverCode == code)
                #expect(!everythingPrinted(of: try #require(error)).contains("S3CRET"))
            }
        }
    }

    @Test(arguments: [429, 500, 503]) func aFailingServerEndsNoSession(status: Int) async throws {
        let error = try await ServerOperation.refresh.error(
            after: Self.answer(#""A1""#, status: status), Self.contract)
        #expect(error?.code == (status == 429 ? .rateLimited : .server))
        #expect(error?.classification.sessionEnd == nil)
    }

    @Test(arguments: [200, 400, 401, 403]) func aCodeThatIsNotListedEndsNoSession(status: Int) async throws {
        for operation in [ServerOperation.refresh, .signIn, .delete] {
            let error = try await operation.error(after: Self.answer(#""B-77""#, status: status), Self.contract)
            #expect(error?.classification.sessionEnd == nil)
            #expect(error?.serverCode == "B-77")
            if status == 200 {
                #expect(error?.code == .refused)
                #expect(error?.explanation.contains("`problems`") == true)
            }
        }
    }

    @Test func aTypeThatIsNotThereIsAMistakeInTheContract() async throws {
        let error = try await ServerOperation.refresh.error(after: Self.answer(#""A10""#), Self.contract)
        #expect(error?.code == .misconfigured)
        #expect(error?.explanation.contains("'no-such-type'") == true)
    }

    @Test(arguments: ["eyJhbGciOi.x.y", "S3cretToken", "a b", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "12345678"])
    func aCodeThatCouldBeATokenIsNotPrinted(code: String) async throws {
        for status in [200, 400] {
            let error = try await ServerOperation.refresh.error(
                after: Self.answer("\"\(code)\"", status: status), Self.contract)
            #expect(!everythingPrinted(of: try #require(error)).contains(code))
        }
    }

    /// It adds nothing to the status, which decides.
    @Test func aCodeThatRepeatsTheStatusIsNoCode() async throws {
        let answer = Self.answer("401", status: 401)
        #expect(try await ServerOperation.refresh.error(after: answer, Self.contract)?.code == .invalidResponse)
        #expect(try await ServerOperation.signIn.error(after: answer, Self.contract)?.code == .invalidCredential)
        let other = Self.answer("402", status: 401)
        #expect(try await ServerOperation.refresh.error(after: other, Self.contract)?.code == .refused)
    }

    /// Many servers have one code for an expired token of either kind.
    @Test func aCodeMayMeanSomethingElseAtARefresh() async throws {
        var contract = Self.contract
        contract.envelope?.problems["T1"] = "invalid-access-token"
        contract.envelope?.refreshProblems = ["T1": "session-expired", "T2": "no-such-type"]
        for status in [200, 401] {
            let answer = Self.answer(#""T1""#, status: status)
            #expect(try await ServerOperation.refresh.error(after: answer, contract)?.code == .sessionExpired)
            #expect(try await ServerOperation.adopt.error(after: answer, contract)?.code == .sessionExpired)
            let other = try await ServerOperation.delete.error(after: answer, contract)
            #expect(other?.classification.refusesAccessToken == true)
        }
        let mistake = try await ServerOperation.refresh.error(after: Self.answer(#""T2""#), contract)
        #expect(mistake?.code == .misconfigured)
    }

    @Test func aConflictIsInThePayload() async throws {
        let data = #"{"email":"a@b.example","providers":["kakao",7]}"#
        let error = try await ServerOperation.signIn.error(
            after: Self.answer(#""A11""#, data: data), Self.contract)
        #expect(error?.code == .credentialInUse)
        #expect(error?.conflict?.email == "a@b.example")
        #expect(error?.conflict?.providers == [.kakao])
    }

    @Test func problemDetailsStillCount() async throws {
        let answer = AuthHTTPResponse.problem("/problems/session-expired", status: 401)
        #expect(try await ServerOperation.refresh.error(after: answer, Self.contract)?.code == .sessionExpired)
    }

    // MARK: Other envelopes

    @Test func successAndTheErrorsCodeMayBeTwoMembers() async throws {
        var contract = ServerContract()
        contract.envelope = .init(
            status: "isSuccess", success: ["true"], errorCode: "error.code", problems: ["E1": "user-disabled"])
        let error = try await ServerOperation.refresh.error(
            after: .json(#"{"isSuccess":false,"error":{"code":"E1"},"accessToken":"S3CRET"}"#), contract)
        #expect(error?.code == .userDisabled)
        let unsaid = try await ServerOperation.refresh.error(after: .json(#"{"isSuccess":false}"#), contract)
        #expect(unsaid?.code == .invalidResponse)
        #expect(unsaid?.explanation.contains("'error.code'") == true)
        #expect(
            try await ServerOperation.refresh.error(after: .json(#"{"isSuccess":true,"accessToken":"at"}"#), contract)
                == nil)
    }

    @Test func onlyErrorsMayHaveACode() async throws {
        var contract = ServerContract()
        contract.envelope = .init(status: nil, errorCode: "code", problems: ["E1": "session-expired"])
        #expect(try await ServerOperation.refresh.error(after: .json(#"{"accessToken":"at"}"#), contract) == nil)
        let answer = AuthHTTPResponse.json(#"{"code":"E1"}"#, status: 401)
        #expect(try await ServerOperation.refresh.error(after: answer, contract)?.code == .sessionExpired)
        // With HTTP 200 as well.
        for text in [#"{"code":"E1"}"#, #"{"code":"E1","accessToken":"at"}"#] {
            #expect(try await ServerOperation.refresh.error(after: .json(text), contract)?.code == .sessionExpired)
        }
        for text in [#"{"code":null,"accessToken":"at"}"#, #"{"code":"","accessToken":"at"}"#] {
            #expect(try await ServerOperation.refresh.error(after: .json(text), contract) == nil)
        }
    }
}
