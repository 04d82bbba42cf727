import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

/// The token endpoint's answers, good and bad.
@MainActor
struct KakaoTokenTests {
    @Test(arguments: [
        ("KOE001", AuthError.Code.misconfigured), ("KOE002", .misconfigured), ("KOE003", .server),
        ("KOE004", .misconfigured), ("KOE005", .misconfigured), ("KOE006", .misconfigured), ("KOE007", .misconfigured),
        ("KOE008", .misconfigured), ("KOE009", .misconfigured), ("KOE010", .misconfigured), ("KOE101", .misconfigured),
        ("KOE201", .misconfigured), ("KOE203", .accessDenied), ("KOE204", .misconfigured), ("KOE205", .misconfigured),
        ("KOE207", .misconfigured), ("KOE237", .rateLimited), ("KOE303", .misconfigured), ("KOE310", .misconfigured),
        ("KOE319", .invalidCredential), ("KOE320", .invalidCredential), ("KOE322", .sessionExpired),
    ])
    func everyCodeOfTheAuthorizationServerIsMapped(koe: String, code: AuthError.Code) async throws {
        let body = #"{"error":"invalid_grant","error_description":"said","error_code":"\#(koe)"}"#
        let error = try #require(await KakaoFixture(server: TokenServer(status: 400, body)).failure())
        #expect(error.code == code)
        #expect(error.serverCode == koe)
        #expect(error.step == .exchanging)
    }

    @Test(arguments: [
        (-1, AuthError.Code.server), (-2, .misconfigured), (-3, .misconfigured), (-4, .accessDenied),
        (-5, .misconfigured),
        (-7, .server), (-8, .misconfigured), (-9, .misconfigured), (-10, .rateLimited), (-12, .misconfigured),
        (-101, .userNotFound),
        (-102, .credentialInUse), (-103, .userNotFound), (-201, .misconfigured), (-401, .invalidCredential),
        (-402, .accessDenied), (-406, .accessDenied), (-501, .userNotFound), (-603, .server), (-9798, .server),
        (-12345, .server),
    ])
    func everyNumberOfTheAPIServerIsMapped(number: Int, code: AuthError.Code) async throws {
        let error = try #require(
            await KakaoFixture(server: TokenServer(status: 400, #"{"msg":"leak","code":\#(number)}"#)).failure())
        #expect(error.code == code)
        #expect(error.serverCode == "\(number)")
    }

    @Test func aMissingConsentNamesItsScopesAndNothingElse() async throws {
        let body =
            #"{"msg":"leak","code":-402,"required_scopes":["account_email","Leak <b>",7,"","talk_message2"],"allowed_scopes":["x"]}"#
        let error = try #require(await KakaoFixture(server: TokenServer(status: 403, body)).failure())
        #expect(error.explanation.hasSuffix("Missing: account_email, talk_message2."))
        #expect(!error.debugDescription.lowercased().contains("leak"))
    }

    @Test func maintenanceKeepsItsNumber() async throws {
        let error = try #require(
            await KakaoFixture(server: TokenServer(status: 503, #"{"msg":"leak","code":-9798}"#)).failure())
        #expect(error.code == .server)
        #expect(error.serverCode == "-9798")
    }

    @Test(arguments: [
        ("KOE004", "Kakao Login"), ("KOE006", "Redirect URI"), ("KOE009", "bundle id"), ("KOE010", "native app key"),
        ("KOE101", "native app key"), ("KOE205", "Consent items"),
    ])
    func whatIsSetUpWronglySaysWhereInTheConsole(koe: String, setting: String) throws {
        #expect(try #require(KakaoErrors.kauth[koe]).explanation.contains(setting))
    }

    @Test func unknownKOECodeFallsBackToItsOAuthError() async throws {
        let body = #"{"error":"invalid_grant","error_code":"KOE999"}"#
        let error = try #require(await KakaoFixture(server: TokenServer(status: 400, body)).failure())
        #expect(error.code == .invalidCredential)
        #expect(error.serverCode == "invalid_grant")
    }

    @Test(arguments: [
        (200, ""), (200, "<html>leak</html>"), (200, "{}"), (200, "[]"), (200, #"{"access_token":""}"#),
        (200, #"{"access_token":7}"#), (404, "<html>leak</html>"), (302, ""), (400, #"{"neither":"leak"}"#),
    ])
    func answerThatIsNoneIsInvalid(status: Int, body: String) async throws {
        let error = try #require(await KakaoFixture(server: TokenServer(status: status, body)).failure())
        #expect(error.code == .invalidResponse)
    }

    @Test func verifierKeepsToTheAlphabetOfItsStandard() async throws {
        for _ in 0..<64 {
            let server = TokenServer(KakaoFixture.accessTokenOnly)
            var kakao = KakaoFixture(server: server)
            kakao.configuration.usesOpenIDConnect = false
            var provider = kakao.provider
            provider.makeSecrets = { AuthorizationSecrets() }
            _ = try await provider.authenticate().value
            let form = try #require(server.requests.first?.split(separator: " ").last.map(String.init))
            let fields = try #require(FormCoding.decode(form))
            let verifier = try #require(fields.first { $0.name == "code_verifier" }?.value)
            #expect(verifier.wholeMatch(of: /[A-Za-z0-9\-._~]{43,128}/) != nil)
        }
    }

    @Test func cancelledWhileTheCodeIsRedeemed() async throws {
        let server = TokenServer("", isSilent: true)
        let kakao = KakaoFixture(server: server)
        let attempt = Task { await kakao.failure() }
        _ = await server.isAsked.value()
        attempt.cancel()
        let error = try #require(await attempt.value)
        #expect(error.code == .cancelled)
        #expect(error.step == .exchanging)
    }

    @Test func emulatorDiffersByItsBaseAlone() throws {
        let endpoints = KakaoProvider.Endpoints.emulator(at: try url("http://127.0.0.1:9099/"))
        #expect(endpoints.authorize.absoluteString == "http://127.0.0.1:9099/kauth.kakao.com/oauth/authorize")
        #expect(endpoints.token.absoluteString == "http://127.0.0.1:9099/kauth.kakao.com/oauth/token")
        #expect(endpoints.keys.absoluteString == "http://127.0.0.1:9099/kauth.kakao.com/.well-known/jwks.json")
        #expect(endpoints.issuer.absoluteString == "http://127.0.0.1:9099/kauth.kakao.com")
        #expect(KakaoProvider.Endpoints.production.issuer.absoluteString == "https://kauth.kakao.com")
    }
}
