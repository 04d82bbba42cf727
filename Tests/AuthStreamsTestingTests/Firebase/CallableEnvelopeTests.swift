import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsTesting

@Suite struct CallableEnvelopeTests {
    @Test(arguments: [
        ("{}", "application/json"), ("{\"data\":{},\"more\":1}", "application/json"), ("[]", "application/json"),
        ("", "application/json"), ("{\"data\":{}}", "text/plain"), ("data=1", "application/x-www-form-urlencoded"),
    ])
    func bodyThatIsNotExactlyDataIsABadRequest(body: String, type: String) async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.post(EmulatedBackend.function, Data(body.utf8), type: type)
            #expect(answer.status == 400)
            #expect(answer.json == ["error": ["status": "INVALID_ARGUMENT", "message": "Bad Request"]])
        }
    }

    @Test func otherMethodIsABadRequest() async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.post(EmulatedBackend.function, Data(#"{"data":{}}"#.utf8), method: .delete)
            #expect(answer.json["error"]?["message"] == "Bad Request")
        }
    }

    @Test(arguments: ["Bearer x", "Bearer", "Basic eDp5"])
    func authorizationThatDoesNotHoldIsRefusedBeforeTheFunctionRuns(header: String) async throws {
        try await EmulatedBackend.run { backend in
            let answer = try await backend.post(
                EmulatedBackend.function, Data(#"{"data":{}}"#.utf8), headers: [.authorization: header])
            #expect(answer.status == 401)
            #expect(answer.json["error"]?["status"] == "UNAUTHENTICATED")
        }
    }

    @Test func authorizationOfAUserIsTaken() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.signInWithCustomToken(backend.customToken())
            let answer = try await backend.post(
                EmulatedBackend.function, Data(#"{"data":{}}"#.utf8),
                headers: [.authorization: "Bearer \(session["idToken"]?.string ?? "")"])
            #expect(answer.json["error"]?["status"] == "INVALID_ARGUMENT")
        }
    }

    @Test func functionOfAnotherNameOrRegionIsNotThere() async throws {
        try await EmulatedBackend.run { backend in
            for url in [
                "https://asia-northeast3-authstreams-demo.cloudfunctions.net/other",
                "https://us-central1-authstreams-demo.cloudfunctions.net/socialLogin",
            ] {
                let answer = try await backend.post(url, Data(#"{"data":{}}"#.utf8))
                #expect(answer.status == 404)
                #expect(answer.json["error"] == nil, "It is no error of a function.")
            }
        }
    }

    @Test(arguments: CallableError.Code.allCases)
    func everyCodeHasItsStatus(code: CallableError.Code) async throws {
        let expected: [String: Int] = [
            "CANCELLED": 499, "UNKNOWN": 500, "INVALID_ARGUMENT": 400, "DEADLINE_EXCEEDED": 504, "NOT_FOUND": 404,
            "ALREADY_EXISTS": 409, "PERMISSION_DENIED": 403, "RESOURCE_EXHAUSTED": 429, "FAILED_PRECONDITION": 400,
            "ABORTED": 409, "OUT_OF_RANGE": 400, "UNIMPLEMENTED": 501, "INTERNAL": 500, "UNAVAILABLE": 503,
            "DATA_LOSS": 500, "UNAUTHENTICATED": 401,
        ]
        try await EmulatedBackend.run { backend in
            backend.emulator.inject(.error(code.rawValue), at: "asia-northeast3-authstreams-demo.cloudfunctions.net")
            let answer = try await backend.socialLogin([:])
            let status = try #require(answer.json["error"]?["status"]?.string)
            #expect(status == code.status)
            #expect(answer.status == expected[status])
        }
    }
}
