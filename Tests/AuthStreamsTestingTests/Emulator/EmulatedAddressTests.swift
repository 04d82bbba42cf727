import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// Which endpoint a client asks for, also by an earlier address.
@Suite(.limitedParallelization) struct EmulatedAddressTests {
    @Test(arguments: [
        ("/kauth.kakao.com/oauth/token", "kauth.kakao.com", "/oauth/token"),
        ("/KAUTH.kakao.com", "kauth.kakao.com", "/"),
        ("/accounts.google.com/o/oauth2/auth", "accounts.google.com", "/o/oauth2/v2/auth"),
        ("/www.googleapis.com/oauth2/v4/token", "oauth2.googleapis.com", "/token"),
        ("/www.googleapis.com/oauth2/v3/userinfo", "openidconnect.googleapis.com", "/v1/userinfo"),
        (
            "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyAssertion", "identitytoolkit.googleapis.com",
            "/v1/accounts:signInWithIdp"
        ),
        ("/demo-app/us-central1/socialLogin", "us-central1-demo-app.cloudfunctions.net", "/socialLogin"),
        ("/demo-app/us-central1/a/b", "us-central1-demo-app.cloudfunctions.net", "/a/b"),
        (
            "/emulator/v1/projects/demo-app/oobCodes", "identitytoolkit.googleapis.com",
            "/emulator/v1/projects/demo-app/oobCodes"
        ),
    ]) func isThatOfTodaysDocumentation(requested: String, host: String, path: String) throws {
        let address = try #require(EmulatedAddress(requested))
        #expect(address.host == host && address.path == path)
    }

    @Test(arguments: ["/", "", "*", "/favicon", "/demo-app/us-central1", "/emulator/v1"])
    func pathWithoutAHostHasNone(requested: String) {
        #expect(EmulatedAddress(requested) == nil)
    }

    /// The SDK for Apple systems sends what it sends, whatever the version in the address.
    @Test func faultAndJournalKnowTheEndpoint() async throws {
        try await withEmulator { emulator in
            emulator.inject(.status(503), at: "identitytoolkit.googleapis.com/v1/accounts:signUp")
            let wire = Wire(emulator)
            let earlier = "https://www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser"
            let answer = try await wire.post(earlier)
            #expect(answer.status == 503)
            #expect(emulator.journal.entries.map(\.path) == ["/v1/accounts:signUp"])
        }
    }

    /// The requests of an app with that SDK: an anonymous user, who is deleted.
    @Test func requestsOfTheSDKForAppleSystemsAreAnswered() async throws {
        try await withEmulator { emulator in
            func call(_ method: String, _ body: AuthJSON) async throws -> AuthJSON {
                let url = emulator.url(
                    for: "https://www.googleapis.com/identitytoolkit/v3/relyingparty/\(method)?key=emulator-api-key")
                let request = AuthHTTPRequest(
                    .post, url, headers: [.contentType: "application/json"], body: body.data)
                return AuthJSON(json: try await URLSessionTransport.untimed().send(request).body) ?? .null
            }
            let user = try await call("signupNewUser", ["returnSecureToken": true, "clientType": "CLIENT_TYPE_IOS"])
            let token = try #require(user["idToken"])
            let info = try await call("getAccountInfo", ["idToken": token])
            #expect(info["users"]?.array?.count == 1)
            let id = try #require(info["users"]?.array?.first?["localId"])
            _ = try await call("deleteAccount", ["idToken": token, "localId": id])
            #expect(emulator.firebase.users.isEmpty)
        }
    }
}
