import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct FirebaseSDKErrorsTests {
    private func error(_ domain: String, _ code: Int) -> AuthError {
        let userInfo = [
            "FIRAuthErrorUserInfoDeserializedResponseKey": "token-secret", NSLocalizedDescriptionKey: "token-secret",
        ]
        return AuthError(firebase: NSError(domain: domain, code: code, userInfo: userInfo))
    }

    @Test(arguments: [
        (17000, AuthError.Code.invalidCustomToken), (17002, .invalidCustomToken), (17004, .invalidCredential),
        (17005, .userDisabled), (17006, .misconfigured), (17007, .accountExists), (17008, .invalidInput),
        (17009, .invalidCredential), (17010, .rateLimited), (17011, .userNotFound), (17012, .accountExists),
        (17014, .requiresRecentSignIn), (17017, .sessionExpired), (17020, .network), (17021, .sessionExpired),
        (17023, .misconfigured), (17024, .invalidCredential), (17025, .credentialInUse), (17026, .invalidInput),
        (17028, .misconfigured), (17052, .rateLimited), (17058, .cancelled), (17071, .misconfigured),
        (17072, .misconfigured), (17073, .misconfigured), (17078, .secondFactorRequired), (17085, .misconfigured),
        (17086, .accessDenied), (17090, .accessDenied), (17094, .nonceMismatch), (17105, .accessDenied),
        (17995, .storage), (17999, .unexpected), (1, .unexpected),
    ])
    func aCodeOfTheSDKIsTheCodeOfItsREST(code: Int, meaning: AuthError.Code) {
        let error = error("FIRAuthErrorDomain", code)
        #expect(error.code == meaning)
        #expect(error.cause?.code == code)
        #expect(error.cause?.domain == "FIRAuthErrorDomain")
        #expect(!error.debugDescription.contains("token-secret"))
    }

    @Test(arguments: [
        (3, "INVALID_ARGUMENT", AuthError.Code.misconfigured), (4, "DEADLINE_EXCEEDED", .timedOut),
        (5, "NOT_FOUND", .misconfigured), (7, "PERMISSION_DENIED", .accessDenied),
        (8, "RESOURCE_EXHAUSTED", .rateLimited),
        (13, "INTERNAL", .server), (14, "UNAVAILABLE", .server), (16, "UNAUTHENTICATED", .invalidCredential),
        (99, "UNKNOWN", .server), (-1, "UNKNOWN", .server),
    ])
    func aFunctionsCodeIsItsStatus(code: Int, status: String, meaning: AuthError.Code) {
        let error = error("com.firebase.functions", code)
        #expect(error.code == meaning)
        #expect(error.serverCode == status)
        #expect(!error.debugDescription.contains("token-secret"))
    }

    @Test func aSecondFactorIsToldByTheDetails() {
        let userInfo: [String: Any] = ["details": ["reason": "SECOND_FACTOR_REQUIRED"]]
        let error = AuthError(firebase: NSError(domain: "com.firebase.functions", code: 9, userInfo: userInfo))
        #expect(error.code == .secondFactorRequired)
        #expect(error.serverCode == "SECOND_FACTOR_REQUIRED")
    }

    @Test func otherDomainsAreTrouble() {
        #expect(error("com.firebase.appCheck", 1).code == .network)
        #expect(error("com.firebase.appCheck", 2).code == .misconfigured)
        #expect(error(NSURLErrorDomain, NSURLErrorTimedOut).code == .network)
        #expect(error("com.example", 17005).code == .unexpected)
        #expect(!error("com.example", 1).debugDescription.contains("token-secret"))
    }

    @Test func whatNeedsNoReadingPasses() async throws {
        let own = AuthError(.storageLocked, "Locked.")
        #expect(AuthError(firebase: own) == own)
        #expect(AuthError(firebase: CancellationError()).code == .cancelled)
        let error = try await failure { () throws(AuthError) in
            try await firebaseErrors { throw NSError(domain: "FIRAuthErrorDomain", code: 17005) }
        }
        #expect(error.code == .userDisabled)
        #expect(try await firebaseErrors { 7 } == 7)
    }
}
