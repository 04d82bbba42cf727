import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The answers that refuse a token, as a contract lists them.
@Suite struct ServerRefusalTests {
    private typealias Fixture = ServerFixture

    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: AuthHTTPResponse
        let refusal: ServerRefusal

        init(_ text: String, status: Int, as refusal: ServerRefusal, headers: [HeaderName: String] = [:]) {
            testDescription = "\(status) \(text)"
            response = .json(text, status: status, headers: headers)
            self.refusal = refusal
        }
    }

    private static let answers = [
        Answer("", status: 401, as: 401),
        Answer("Unauthorized", status: 401, as: 401, headers: [.contentType: "text/plain"]),
        Answer(#"{"message":"expired"}"#, status: 418, as: 418), Answer("[1]", status: 403, as: .status(403)),
        Answer(#"{"type":"about:blank"}"#, status: 401, as: 401, headers: [.contentType: "application/problem+json"]),
        Answer(#"{"code":"E1203","message":"…"}"#, status: 200, as: "E1203"),
        Answer(#"{"code":1203}"#, status: 400, as: "1203"), Answer(#"{"code":"E401"}"#, status: 500, as: "E401"),
        Answer(#"{"error":{"code":"EXPIRED"}}"#, status: 500, as: .code("EXPIRED", at: "error.code", status: 500)),
        Answer(
            #"[{"errorCode":"INVALID_SESSION_ID"}]"#, status: 403, as: .code("INVALID_SESSION_ID", at: "0.errorCode")),
        Answer("TOKEN_EXPIRED\n", status: 419, as: "TOKEN_EXPIRED"),
        Answer(#""TOKEN_EXPIRED""#, status: 419, as: "TOKEN_EXPIRED"),
    ]

    @Test(arguments: answers) func aListedAnswerToARefreshEndsTheSession(answer: Answer) async throws {
        var contract = ServerContract()
        for operation in [ServerOperation.refresh, .adopt] {
            let unlisted = try #require(try await operation.error(after: answer.response, contract))
            #expect(unlisted.classification.sessionEnd == nil)
        }
        contract.refreshRefusals = [answer.refusal]
        for operation in [ServerOperation.refresh, .adopt] {
            let error = try #require(try await operation.error(after: answer.response, contract))
            #expect(error.code == .sessionExpired && error.classification.sessionEnd == .expired)
        }
        let other = try await ServerOperation.delete.error(after: answer.response, contract)
        #expect(other?.classification.sessionEnd == nil && other?.classification.refusesAccessToken != true)
    }

    @Test(arguments: answers) func aListedAnswerRefusesTheAccessToken(answer: Answer) async throws {
        var contract = ServerContract()
        contract.accessTokenRefusals = [answer.refusal]
        let deletion = try #require(try await ServerOperation.delete.error(after: answer.response, contract))
        #expect(deletion.code == .invalidCredential && deletion.classification.refusesAccessToken)
        for change in [ServerChange.link, .reauthenticate, .everywhere] {
            let repository = Fixture.repository(AnsweringTransport([answer.response]), contract)
            let error = try await serverFailure { () throws(AuthError) in try await change.run(repository) }
            #expect(error.code == .invalidCredential && error.classification.refusesAccessToken, "\(change)")
        }
        let refresh = try #require(try await ServerOperation.refresh.error(after: answer.response, contract))
        #expect(refresh.classification.sessionEnd == nil)
        // The refresh token is sent once more, alone.
        let transport = AnsweringTransport([answer.response, AuthHTTPResponse(status: 204)])
        try await Fixture.repository(transport, contract).signOut(Fixture.session)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old+access", nil])
    }

    @Test(arguments: [401, 403, 500]) func noPageAndNoFullServerIsARefusal(status: Int) async throws {
        var contract = ServerContract()
        contract.refreshRefusals = [401, 403, 429, 500]
        let page = try await ServerOperation.refresh.error(after: .page(status: status), contract)
        #expect(page?.classification.sessionEnd == nil)
        let full = try await ServerOperation.refresh.error(after: .json("{}", status: 429), contract)
        #expect(full?.code == .rateLimited)
    }

    @Test(arguments: [
        #"{"code":"E1"}"#, #"{"data":{"code":"E1203"}}"#, #"{"code":["E1203"]}"#, #"{"code":"xE1203"}"#, "E1203 or not",
        "",
    ])
    func anotherBodyIsNoRefusal(body: String) async throws {
        var contract = ServerContract()
        contract.refreshRefusals = ["E1203", .code("E1203", at: "code", status: 400)]
        let error = try #require(try await ServerOperation.refresh.error(after: .json(body, status: 401), contract))
        #expect(error.classification.sessionEnd == nil)
    }

    @Test(arguments: [
        ("auth/expired", #"{"code":"auth\/expired"}"#), ("만료", #"{"code":"\ub9cc\ub8cc"}"#),
        ("E1203", "\u{FEFF}{\"code\":\"E1203\"}"), ("E1203", #"{"code":"E1203","message":"잘린 \ud83d"}"#),
    ])
    func aCodeIsFoundInEachFormOfJSON(code: String, body: String) async throws {
        var contract = ServerContract()
        contract.refreshRefusals = [.code(code)]
        for status in [200, 400] {
            let error = try await ServerOperation.refresh.error(after: .json(body, status: status), contract)
            #expect(error?.code == .sessionExpired)
        }
        let api = TokenGuard { $0.headers[.authorization] == "Bearer t1" ? .json(body) : .json("{}") }
        let access = APIAccess(to: [Fixture.base], refusals: [.code(code)], over: api)
        _ = try await AuthorizedClient(access, bearers: ScriptedBearers()).data(
            for: AuthHTTPRequest(.get, Fixture.base))
        #expect(api.requests.count == 2)
    }

    /// The access token is not sent with a refresh, so this type does not say why the session would go on.
    @Test func aTypeThatEndsNoSessionDoesNotHideARefusal() async throws {
        var contract = ServerContract()
        contract.refreshRefusals = [401]
        let answer = AuthHTTPResponse.problem("/p/invalid-access-token", status: 401)
        let error = try await ServerOperation.refresh.error(after: answer, contract)
        #expect(error?.classification.sessionEnd == .expired)
    }

    @Test func aTypeSaysMoreThanThatAnAccessTokenIsRefused() async throws {
        var contract = ServerContract()
        contract.accessTokenRefusals = [401]
        let answer = AuthHTTPResponse.problem("/p/requires-recent-sign-in", status: 401)
        let error = try #require(try await ServerOperation.delete.error(after: answer, contract))
        #expect(error.code == .requiresRecentSignIn && !error.classification.refusesAccessToken)
    }

    @Test func aSignOutIsDoneWhenTheRefreshTokenIsRefused() async throws {
        var contract = ServerContract()
        contract.accessTokenRefusals = [401]
        contract.refreshRefusals = [401]
        let transport = AnsweringTransport([AuthHTTPResponse(status: 401), AuthHTTPResponse(status: 401)])
        try await Fixture.repository(transport, contract).signOut(Fixture.session)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old+access", nil])
    }

    @Test func aPageIsKnownAfterWhiteSpaceAndAMark() async throws {
        var contract = ServerContract()
        contract.refreshRefusals = [401]
        for text in ["\n <!doctype html>", "\u{FEFF}<html>"] {
            let answer = AuthHTTPResponse.json(text, status: 401, headers: [.contentType: "text/plain"])
            let error = try await ServerOperation.refresh.error(after: answer, contract)
            #expect(error?.classification.sessionEnd == nil)
        }
    }

    /// What the server says more precisely has precedence.
    @Test func aTypeSaysWhyTheSessionIsOver() async throws {
        var contract = ServerContract()
        contract.refreshRefusals = [403]
        let answer = AuthHTTPResponse.problem("/p/user-disabled", status: 403)
        #expect(
            try await ServerOperation.refresh.error(after: answer, contract)?.classification.sessionEnd == .disabled)
    }

    // MARK: The server's own words

    @Test(arguments: [200, 400, 403, 404, 409, 410, 418, 422])
    func aCodeThatIsNotListedIsNamedAndIsARefusal(status: Int) async throws {
        var contract = ServerContract()
        contract.envelope = .init(status: "code", success: ["OK"], payload: "data")
        for operation in [ServerOperation.signIn, .refresh, .delete] {
            let answer = AuthHTTPResponse.json(#"{"code":"E1203","message":"이미 탈퇴한 회원입니다."}"#, status: status)
            let error = try #require(try await operation.error(after: answer, contract))
            #expect(error.serverCode == "E1203" && error.serverMessage == nil)
            #expect(error.code != .invalidResponse && error.code != .misconfigured)
            #expect(error.classification.sessionEnd == nil)
            contract.errorMessage = "message"
            #expect(try await operation.error(after: answer, contract)?.serverMessage == "이미 탈퇴한 회원입니다.")
            contract.errorMessage = nil
        }
    }

    /// The member `code` is read without an envelope, too.
    @Test(arguments: [
        "E1203", "AUTH_001_A", "tokenExpired", "token_not_valid", "user.notFound", "MemberNotFound2", "40102", "-401",
        "auth/expired", "JWTExpired",
        "invalidJWT", "isSNSUser",
    ])
    func theCodeIsReadWithoutAnEnvelope(code: String) async throws {
        for status in [400, 410, 418] {
            let answer = AuthHTTPResponse.json(#"{"code":"\#(code)","detail":"…"}"#, status: status)
            let error = try #require(try await ServerOperation.signIn.error(after: answer))
            #expect(error.code == .refused && error.serverCode == code)
        }
        let failure = try await ServerOperation.signIn.error(after: .json(#"{"code":"\#(code)"}"#, status: 500))
        #expect(failure?.code == .server && failure?.serverCode == code)
    }

    /// It says of an error, so that nothing is taken for done.
    @Test func aCodeWithoutAnEnvelopeIsNoSuccess() async throws {
        let answer = AuthHTTPResponse.json(#"{"code":"E9999","message":"점검 중입니다."}"#)
        for operation in ServerOperation.allCases {
            let error = try #require(try await operation.error(after: answer), "\(operation)")
            #expect(error.code == .refused && error.serverCode == "E9999")
            #expect(error.classification.sessionEnd == nil)
        }
        // Unless there is what was asked for.
        let session = AuthHTTPResponse.json(#"{"code":"OK","accessToken":"at","user":{"id":"u1"}}"#)
        #expect(try await ServerOperation.signIn.error(after: session) == nil)
    }

    /// The form of Spring: a type that adds nothing, and a code beside it.
    @Test func aCodeBesideAProblemWithoutATypeCounts() async throws {
        var contract = ServerContract()
        contract.envelope = .init(status: nil, errorCode: "code", problems: ["E1203": "session-expired"])
        for type in [nil, #""about:blank""#] {
            let member = type.map { #""type":\#($0),"# } ?? ""
            for (code, expected) in [("E1203", AuthError.Code.sessionExpired), ("E7", .refused)] {
                let answer = AuthHTTPResponse.json(
                    #"{\#(member)"status":418,"code":"\#(code)"}"#, status: 418,
                    headers: [.contentType: "application/problem+json"])
                let error = try await ServerOperation.refresh.error(after: answer, contract)
                #expect(error?.code == expected && error?.serverCode == code)
            }
        }
        let other = AuthHTTPResponse.problem("/p/quota-exceeded", status: 418)
        let error = try await ServerOperation.signIn.error(after: other)
        #expect(error?.code == .refused && error?.serverCode == "quota-exceeded")
    }

    @Test func anErrorMayBeInAnArray() async throws {
        var contract = ServerContract()
        contract.envelope = .init(
            status: nil, errorCode: "0.errorCode", problems: ["INVALID_SESSION_ID": "session-expired"])
        contract.errorMessage = "0.message"
        let answer = AuthHTTPResponse.json(#"[{"message":"만료","errorCode":"INVALID_SESSION_ID"}]"#, status: 403)
        let error = try await ServerOperation.refresh.error(after: answer, contract)
        #expect(error?.code == .sessionExpired && error?.serverMessage == "만료")
    }

    @Test func aMessageWithoutEndIsCut() async throws {
        var contract = ServerContract()
        contract.errorMessage = "message"
        let text = "a" + String(repeating: "\u{301}", count: 100_000) + "b"
        let answer = AuthHTTPResponse.json(#"{"message":"\#(text)"}"#, status: 400)
        let message = try await ServerOperation.signIn.error(after: answer, contract)?.serverMessage
        #expect((1...200).contains(message?.unicodeScalars.count ?? 0))
    }

    @Test func aMessageHidesWhatCouldBeASecret() async throws {
        var contract = ServerContract()
        contract.errorMessage = "error.text"
        let text = "No: abcdefghijklmnopqrstuvwxyz\\n0123456789"
        let answer = AuthHTTPResponse.json(#"{"error":{"text":"\#(text)"}}"#, status: 400)
        let error = try #require(try await ServerOperation.signIn.error(after: answer, contract))
        #expect(error.serverMessage == "No: … 0123456789")
        #expect(!error.description.contains("No") && error.debugDescription.contains("No"))
        let wrong = AuthHTTPResponse.json(#"{"error":{"text":{"a":1}}}"#, status: 400)
        #expect(try await ServerOperation.signIn.error(after: wrong, contract)?.serverMessage == nil)
    }
}

/// A whole app whose server refuses in its own way.
@Suite struct AuthorizedRefusalTests {
    struct Refusal: Sendable {
        let answer: AuthHTTPResponse
        let listed: ServerRefusal
    }

    private static let refusals = [
        Refusal(answer: .json("", status: 401), listed: 401), Refusal(answer: .page(status: 403), listed: 403),
        Refusal(answer: .json(#"{"code":"TOKEN_EXPIRED"}"#, status: 419), listed: 419),
        Refusal(answer: .json(#"{"code":"TOKEN_EXPIRED"}"#, status: 500), listed: "TOKEN_EXPIRED"),
        Refusal(answer: .json(#"{"code":"E1203"}"#), listed: "E1203"),
    ]

    @Test(arguments: refusals.indices) func aListedAnswerIsRefreshedAndRepeated(index: Int) async throws {
        let (refusal, bearers) = (Self.refusals[index], ScriptedBearers())
        let server = URL(literal: "https://api.example.com/v1")
        let api = TokenGuard { $0.headers[.authorization] == "Bearer t1" ? refusal.answer : .json(#"{"notes":[]}"#) }
        let access = APIAccess(to: [server], refusals: [refusal.listed], over: api)
        let client = AuthorizedClient(access, bearers: bearers)
        let answer = try await client.data(for: AuthHTTPRequest(.get, server))
        #expect(answer.status == 200 && api.tokens.count == 2 && api.tokens[0] != api.tokens[1])
    }

    @Test func anUnlistedAnswerIsTheApps() async throws {
        let server = URL(literal: "https://api.example.com/v1")
        for answer in [AuthHTTPResponse.json("{}", status: 403), .json(#"{"code":"E1"}"#), .json("", status: 500)] {
            let api = TokenGuard { _ in answer }
            let access = APIAccess(to: [server], refusals: [401, "E1203"], over: api)
            let got = try await AuthorizedClient(access, bearers: ScriptedBearers())
                .data(for: AuthHTTPRequest(.get, server))
            #expect(got.status == answer.status && api.requests.count == 1)
        }
    }
}
