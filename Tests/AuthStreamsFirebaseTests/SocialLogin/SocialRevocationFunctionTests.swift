import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct SocialRevocationFunctionTests {
    private func revocation(
        _ transport: any AuthHTTPTransport, _ format: SocialLoginFunction.Format = .standard
    ) -> SocialRevocationFunction {
        SocialRevocationFunction(
            CallableFunctions(project: Fixture.project, in: .seoul, transport: transport), format: format)
    }

    private static let done = AuthHTTPResponse.json(#"{"result":{"revoked":true}}"#)

    @Test(arguments: [
        (Fixture.kakao, #"{"idToken":"provider+id/token=&.","nonce":"raw+nonce/&=","provider":"kakao"}"#),
        (
            Fixture.naver,
            #"{"code":"authorization+code/&","provider":"naver","redirectURI":"demo://authorize?x=1","state":"state+1"}"#
        ),
        (
            Credential(
                provider: .apple, idToken: Secret("t"), rawNonce: Secret("n"),
                authorizationCode: .init(code: Secret("c"))), #"{"code":"c","provider":"apple.com"}"#
        ),
        (Fixture.google, #"{"accessToken":"provider+access/token=","provider":"google.com"}"#),
    ])
    func theTwinGetsWhatCanBeRevokedAndWhoCalls(credential: Credential, data: String) async throws {
        let transport = ScriptedTransport(Self.done)
        try await revocation(transport).revoke(credential, idToken: Secret("id-token"))
        #expect(
            transport.requests.map(\.line)
                == ["POST https://asia-northeast3-demo.cloudfunctions.net/revokeSocialLogin"])
        #expect(transport.requests.map(\.text) == [#"{"data":\#(data)}"#])
        #expect(transport.requests.first?.headers[.authorization] == "Bearer id-token")
    }

    @Test(arguments: [
        (#"{"error":{"status":"PERMISSION_DENIED"}}"#, 403, AuthError.Code.accessDenied),
        (#"{"error":{"status":"UNAUTHENTICATED","message":"Unauthenticated"}}"#, 401, .invalidCredential),
        (#"{"error":{"status":"UNAVAILABLE"}}"#, 503, .server),
        (#"{"error":{"status":"NOT_FOUND"}}"#, 404, .misconfigured),
        (#"{"result":{"revoked":false}}"#, 200, .invalidResponse), (#"{"result":{}}"#, 200, .invalidResponse),
        (#"{"result":null}"#, 200, .invalidResponse), (#"{"result":{"revoked":"true"}}"#, 200, .invalidResponse),
    ])
    func nothingButAYesIsAYesAndNoneEndsTheSession(body: String, status: Int, code: AuthError.Code) async throws {
        let revocation = revocation(ScriptedTransport(.json(body, status: status)))
        let error = try await failure { () throws(AuthError) in
            try await revocation.revoke(Fixture.kakao, idToken: Secret("id-token"))
        }
        #expect(error.code == code)
        #expect(error.provider == .kakao)
        #expect(!error.debugDescription.contains("id-token"))
    }

    @Test(arguments: [
        Credential(provider: .apple, idToken: Secret("t")), Credential(provider: .naver, accessToken: Secret("t")),
        Credential(provider: .google, idToken: Secret("t")), Credential(provider: .kakao),
    ])
    func whatCannotBeRevokedIsRefusedBeforeAnyRequest(credential: Credential) async throws {
        let revocation = revocation(ScriptedTransport())
        let error = try await failure { () throws(AuthError) in
            try await revocation.revoke(credential, idToken: Secret("t"))
        }
        #expect(error.code == .invalidCredential)
    }

    @Test func credentialsDoNotTravelInTheClear() async throws {
        let revocation = SocialRevocationFunction(
            CallableFunctions(
                project: Fixture.project, at: .domain(URL(literal: "http://192.168.0.2")),
                transport: ScriptedTransport()))
        let error = try await failure { () throws(AuthError) in
            try await revocation.revoke(Fixture.kakao, idToken: Secret("t"))
        }
        #expect(error.code == .misconfigured)
    }
}
