import AuthStreams
import AuthStreamsFirebase
import Testing

@Suite struct CallableStatusTests {
    private func error(of answer: AuthHTTPResponse) async throws -> AuthError {
        let functions = CallableFunctions(project: Fixture.project, transport: ScriptedTransport(answer))
        return try await failure { () throws(AuthError) in try await functions.call("f") }
    }

    private static let rows: [(status: String, http: Int, code: AuthError.Code)] = [
        ("CANCELLED", 499, .server), ("UNKNOWN", 500, .server), ("INVALID_ARGUMENT", 400, .misconfigured),
        ("DEADLINE_EXCEEDED", 504, .timedOut), ("NOT_FOUND", 404, .misconfigured),
        ("ALREADY_EXISTS", 409, .accountExists), ("PERMISSION_DENIED", 403, .accessDenied),
        ("UNAUTHENTICATED", 401, .invalidCredential), ("RESOURCE_EXHAUSTED", 429, .rateLimited),
        ("FAILED_PRECONDITION", 400, .misconfigured), ("ABORTED", 409, .server),
        ("OUT_OF_RANGE", 400, .misconfigured), ("UNIMPLEMENTED", 501, .misconfigured), ("INTERNAL", 500, .server),
        ("UNAVAILABLE", 503, .server), ("DATA_LOSS", 500, .server), ("SOMETHING_NEW", 500, .server),
    ]

    @Test(arguments: rows)
    func everyStatusHasItsMeaning(row: (status: String, http: Int, code: AuthError.Code)) async throws {
        let body = #"{"error":{"status":"\#(row.status)","message":"the message","details":{"token":"the details"}}}"#
        // The body's status wins: over its usual companion, over another, and over 200.
        for http in [row.http, 418, 200] {
            let error = try await error(of: .json(body, status: http))
            #expect(error.code == row.code)
            #expect(error.serverCode == row.status)
            #expect(!error.explanation.isEmpty)
            #expect(!error.isUserCancellation)
            #expect(error.serverMessage == "the message")
            #expect(error.serverDetails == ["token": "the details"])
            #expect(!error.debugDescription.contains("the details"))
        }
    }

    @Test(
        arguments: [
            ("INTERNAL", "INTERNAL", nil), ("UNAUTHENTICATED", "Unauthenticated", nil),
            ("INTERNAL", "The feed is down.", "The feed is down."), ("NOT_FOUND", "", nil),
            ("NOT_FOUND", " \\n ", nil), ("NOT_FOUND", "No eyJhbGciOiJub25lIn0eyJzdWIi\\there.", "No … here."),
        ] as [(String, String, String?)])
    func theMessageIsThatOfTheAppsFunction(status: String, message: String, shown: String?) async throws {
        let error = try await error(of: .json(#"{"error":{"status":"\#(status)","message":"\#(message)"}}"#))
        #expect(error.serverMessage == shown)
        #expect(error.serverDetails == nil)
    }

    @Test(
        arguments: [
            (#"{"seats":0}"#, ["seats": 0]), ("[1,null]", [1, nil]), (#""mfa""#, "mfa"), ("false", false),
            (
                #"{"n":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"-9007199254740993"}}"#,
                ["n": -9_007_199_254_740_993]
            ),
            (
                #"{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"x"}"#,
                ["@type": "type.googleapis.com/google.protobuf.Int64Value", "value": "x"]
            ),
        ] as [(String, AuthJSON)])
    func theDetailsReachTheApp(details: String, expected: AuthJSON) async throws {
        for status in [#""status":"ABORTED","#, ""] {
            let error = try await error(of: .json(#"{"error":{\#(status)"details":\#(details)}}"#, status: 409))
            #expect(error.serverDetails == expected)
        }
    }

    @Test func withoutDetailsThereAreNone() async throws {
        for body in [#"{"error":{"status":"ABORTED","details":null}}"#, #"{"error":"no"}"#] {
            #expect(try await error(of: .json(body, status: 409)).serverDetails == nil)
        }
    }

    /// A function that quotes what it was called with.
    @Test func theMessageHidesWhatWasSent() async throws {
        let body = #"{"error":{"status":"ABORTED","message":"kakao: short-code, id.token, hidden-1, check-1, ab"}}"#
        var project = Fixture.project
        project.appCheckToken = { Secret("check-1") }
        let functions = CallableFunctions(project: project, transport: ScriptedTransport(.json(body)))
        let error = try await failure { () throws(AuthError) in
            try await functions.call(
                "f", with: ["provider": "kakao", "code": "short-code", "all": [["ab", "a=hidden-1"]]],
                idToken: Secret("id.token"))
        }
        #expect(error.serverMessage == "kakao: …, …, …, …, ab")
    }

    @Test func otherErrorsOfTheSameAnswerKeepIt() async throws {
        let body = #"{"error":{"status":"PERMISSION_DENIED","message":"Banned.","details":{"until":2030}}}"#
        let functions = CallableFunctions(
            project: Fixture.project, transport: ScriptedTransport(.json(body, status: 403)))
        let error = try await failure { () throws(AuthError) in
            try await SocialLoginFunction(functions).customToken(for: Fixture.kakao)
        }
        #expect(error.code == .userDisabled && error.serverCode == "PERMISSION_DENIED")
        #expect(error.serverMessage == "Banned." && error.serverDetails == ["until": 2030])
    }

    @Test(arguments: [
        (400, AuthError.Code.misconfigured), (401, .invalidCredential), (403, .accessDenied), (404, .misconfigured),
        (409, .accountExists), (418, .server), (429, .rateLimited), (499, .server), (500, .server),
        (501, .misconfigured), (503, .server), (504, .timedOut), (302, .invalidResponse),
    ])
    func withoutStatusTheOneOfHTTPCounts(http: Int, code: AuthError.Code) async throws {
        for answer in [
            AuthHTTPResponse.html(status: http), AuthHTTPResponse(status: http), .json(#"{"result":1}"#, status: http),
        ] {
            let error = try await error(of: answer)
            #expect(error.code == code)
            #expect(error.serverCode == nil)
        }
    }

    @Test(arguments: [#"{"error":"no"}"#, #"{"error":{}}"#, #"{"error":{"status":7}}"#, #"{"error":[],"result":1}"#])
    func anErrorWithoutStatusIsStillAnError(body: String) async throws {
        #expect(try await error(of: .json(body)).code == .server)
        #expect(try await error(of: .json(body, status: 401)).code == .invalidCredential)
    }

    @Test(arguments: [
        (
            "FAILED_PRECONDITION", "SECOND_FACTOR_REQUIRED", AuthError.Code.secondFactorRequired,
            "SECOND_FACTOR_REQUIRED"
        ),
        ("FAILED_PRECONDITION", "ANOTHER_REASON", .misconfigured, "FAILED_PRECONDITION"),
        ("INVALID_ARGUMENT", "SECOND_FACTOR_REQUIRED", .misconfigured, "INVALID_ARGUMENT"),
    ])
    func aSecondFactorIsToldByItsReason(
        status: String, reason: String, code: AuthError.Code, serverCode: String
    ) async throws {
        let body = #"{"error":{"status":"\#(status)","message":"m","details":{"reason":"\#(reason)"}}}"#
        let error = try await error(of: .json(body, status: 400))
        #expect(error.code == code)
        #expect(error.serverCode == serverCode)
    }

    @Test func howLongToWaitIsKept() async throws {
        let body = #"{"error":{"status":"RESOURCE_EXHAUSTED"}}"#
        let error = try await error(of: .json(body, status: 429, headers: [.retryAfter: "12"]))
        #expect(error.retryAfter == .seconds(12))
        #expect(error.isRetryable)
    }

    @Test func aStatusThatIsNoCodeIsNotRepeated() async throws {
        let error = try await error(of: .json(#"{"error":{"status":"eyJ secret"}}"#, status: 500))
        #expect(error.code == .server)
        #expect(error.serverCode == nil)
    }

    @Test func aPageAsksForFiveMinutesAtMost() async throws {
        for (value, seconds) in [("86400", 300), ("12", 12)] {
            let page = AuthHTTPResponse.json(
                "<!doctype html>", status: 503, headers: [.contentType: "text/html", .retryAfter: value])
            #expect(try await error(of: page).retryAfter == .seconds(seconds))
        }
    }
}
