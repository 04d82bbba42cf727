import AuthStreams
import AuthStreamsFirebase
import Foundation
import TestSupport
import Testing

/// What the project's blocking function says reaches the app, and nothing else of Firebase's message.
@Suite struct BlockingFunctionTests {
    private static let code = "BLOCKING_FUNCTION_ERROR_RESPONSE"

    private func error(
        of message: String, status: Int = 400, refreshing token: String = Fixture.refreshToken
    ) async throws -> AuthError {
        let body: AuthJSON = ["error": ["code": .integer(Int64(status)), "message": .string(message)]]
        let answer = AuthHTTPResponse(status: status, body: try body.encoded())
        let toolkit = IdentityToolkit(project: Fixture.project, transport: ScriptedTransport(answer))
        return try await failure { () throws(AuthError) in try await toolkit.refresh(Secret(token)) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        var code = BlockingFunctionTests.code
        var message: String?
        var details: AuthJSON?
        var testDescription: String { text }
    }

    private static let whole =
        #"{"error":{"code":400,"message":"Signup with google.com not allowed","status":"PERMISSION_DENIED","#
        + #""details":{"type":"mfa"}}}"#

    private static let rows = [
        Row(
            text: " : HTTP Cloud Function returned an error: \(whole)", code: "PERMISSION_DENIED",
            message: "Signup with google.com not allowed", details: ["type": "mfa"]),
        Row(
            text: ":HTTP Cloud Function returned an error: \(whole)", code: "PERMISSION_DENIED",
            message: "Signup with google.com not allowed", details: ["type": "mfa"]),
        Row(
            text: " : ((HTTP request to http://127.0.0.1:5001/before returned HTTP error 400: \(whole)))",
            code: "PERMISSION_DENIED", message: "Signup with google.com not allowed", details: ["type": "mfa"]),
        Row(
            text: #" : ((HTTP Cloud Function returned an error: {"error":{"status":"ABORTED","message":"No."}}))"#,
            code: "ABORTED", message: "No."),
        Row(text: #" : {"error":{"message":"No.","details":null}}"#, message: "No."),
        Row(text: #" : {"error":{"details":["a",{"b":1}]}}"#, details: ["a", ["b": 1]]),
        Row(text: #" : {"error":{"details":"mfa }"}}"#, details: "mfa }"),
        Row(text: #" : {"error":{"status":"TOKEN_EXPIRED","message":7}}"#, code: "TOKEN_EXPIRED"),
        Row(text: #" : {"error":{"status":"a b\nc"}}"#),
        Row(text: #" : {"error":{"status":"permission-denied"}}"#),
        Row(text: #" : {"error":{"status":"","message":"","details":{}}}"#, details: [:]),
        Row(text: #" : {"error":{"message":"Ask for eyJhbGciOiJub25lIn0eyJzdWIi\tnow"}}"#, message: "Ask for … now"),
        Row(text: " : HTTP Cloud Function returned an error: no"),
        Row(text: " : HTTP Cloud Function deadline exceeded."), Row(text: ""), Row(text: " : "), Row(text: " : }{"),
        Row(text: " : {}"), Row(text: #" : {"error":"no"}"#),
        Row(text: #" : {"error":{"message":"No."}"#), Row(text: #" : {"error":{"message":"No.}}"#),
        Row(text: #" : {"error":{"message":"No."}} {"#, message: "No."),
        Row(text: " : {\"error\":{\"details\":\(String(repeating: "[", count: 1000))}}"),
    ]

    @Test(arguments: rows) func itsJSONIsReadAndNothingElse(row: Row) async throws {
        let error = try await error(of: Self.code + row.text)
        #expect(error.code == .accessDenied && !error.isRetryable)
        #expect(error.serverCode == row.code)
        #expect(error.serverMessage == row.message)
        #expect(error.serverDetails == row.details)
        #expect(error.classification.sessionEnd == nil)
        #expect(!error.debugDescription.contains("HTTP"))
    }

    /// The function's status says why, and not that the same request may succeed.
    @Test(arguments: ["UNAVAILABLE", "INTERNAL", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "UNAUTHENTICATED"])
    func aStatusDoesNotChangeTheCode(status: String) async throws {
        let error = try await error(of: #"\#(Self.code) : {"error":{"status":"\#(status)"}}"#)
        #expect(error.code == .accessDenied && !error.isRetryable && error.serverCode == status)
    }

    @Test func aFailingServerIsNotBelieved() async throws {
        let error = try await error(of: "\(Self.code) : \(Self.whole)", status: 503)
        #expect(error.code == .server && error.serverMessage == nil && error.serverDetails == nil)
    }

    /// Any other code's message may quote the refused token.
    @Test(arguments: ["INVALID_IDP_RESPONSE", "UNKNOWN_CODE", "BLOCKING_FUNCTION_ERROR_RESPONSE_2", ""])
    func anotherCodesDetailIsNotRead(code: String) async throws {
        let error = try await error(of: "\(code) : \(Self.whole)")
        #expect(error.serverMessage == nil && error.serverDetails == nil)
    }

    @Test func theMessageHidesWhatWasSent() async throws {
        let error = try await error(
            of: #"\#(Self.code) : {"error":{"message":"short/token= is refused"}}"#, refreshing: "short/token=")
        #expect(error.serverMessage == "… is refused")
        #expect(!error.debugDescription.contains("short/token="))
    }

    @Test func theDetailsAreNotPrinted() async throws {
        let error = try await error(
            of: #"\#(Self.code) : {"error":{"message":"No.","details":{"S3CRET":["S3CRET"]}}}"#)
        #expect(error.serverDetails == ["S3CRET": ["S3CRET"]])
        #expect(!everythingPrinted(of: error).contains("S3CRET"))
        #expect(!"\((error as NSError).userInfo)".contains("S3CRET"))
        #expect(error.debugDescription.contains("The server said: No."))
    }

    @Test func aSignInIsRefusedLikewise() async throws {
        let answer = AuthHTTPResponse.refusal(#"\#(Self.code) : {\"error\":{\"message\":\"No.\",\"details\":[1]}}"#)
        let repository = FirebaseRepository(project: Fixture.project, transport: ScriptedTransport(answer))
        let error = try await failure { () throws(AuthError) in try await repository.signIn(with: Fixture.google) }
        #expect(error.code == .accessDenied && error.provider == .google)
        #expect(error.serverMessage == "No." && error.serverDetails == [1])
    }
}
