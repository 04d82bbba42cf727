import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct SocialLoginFunctionTests {
    private func source(
        _ transport: any AuthHTTPTransport, data: (@Sendable (Credential) throws -> AuthJSON)? = nil
    ) -> SocialLoginFunction {
        SocialLoginFunction(
            CallableFunctions(project: Fixture.project, in: .seoul, transport: transport), data: data)
    }

    @Test(arguments: [
        (
            Fixture.kakao,
            #"{"accessToken":"provider+access/token=","idToken":"provider+id/token=&.","nonce":"raw+nonce/&=","provider":"kakao"}"#
        ),
        (
            Credential(provider: .kakao, idToken: Secret("no nonce"), accessToken: Secret("at")),
            #"{"accessToken":"at","provider":"kakao"}"#
        ),
        (
            Fixture.naver,
            #"{"code":"authorization+code/&","provider":"naver","redirectURI":"demo://authorize?x=1","state":"state+1"}"#
        ),
        (
            Credential(
                provider: .naver,
                authorizationCode: .init(code: Secret("c"), state: Secret(""), codeVerifier: Secret("v"))),
            #"{"code":"c","codeVerifier":"v","provider":"naver"}"#
        ),
        (Credential(provider: "line", idToken: Secret("t")), #"{"idToken":"t","provider":"line"}"#),
        (Credential(provider: "line", accessToken: Secret("t")), #"{"accessToken":"t","provider":"line"}"#),
    ])
    func theFunctionGetsTheProofAndNothingElse(credential: Credential, data: String) async throws {
        let transport = ScriptedTransport(Fixture.functionResult)
        let token = try await source(transport).customToken(for: credential)
        #expect(token.reveal() == Fixture.customToken)
        #expect(
            transport.requests.map(\.line)
                == ["POST https://asia-northeast3-demo.cloudfunctions.net/socialLogin"])
        #expect(transport.requests.map(\.text) == [#"{"data":\#(data)}"#])
        #expect(transport.requests.first?.headers[.authorization] == nil)
    }

    @Test(arguments: [
        Credential(provider: .kakao), Credential(provider: .kakao, idToken: Secret("without nonce")),
        Credential(provider: .kakao, rawNonce: Secret("n"), accessToken: Secret("")),
        Credential(provider: .kakao, authorizationCode: .init(code: Secret("c"))),
        Credential(provider: .naver, accessToken: Secret("anybody's")),
        Credential(provider: .naver, authorizationCode: .init(code: Secret(""), state: Secret("s"))),
        Credential(provider: "line", rawNonce: Secret("n")),
    ])
    func aCredentialWithoutItsProofIsRefusedBeforeAnyRequest(credential: Credential) async throws {
        let source = source(ScriptedTransport())
        let validation = try await failure { () throws(AuthError) in try source.validate(credential) }
        let call = try await failure { () throws(AuthError) in try await source.customToken(for: credential) }
        #expect(validation.code == .invalidCredential)
        #expect(call.code == .invalidCredential)
        #expect(validation.provider == credential.provider)
    }

    @Test(arguments: [
        #"{"result":{}}"#, #"{"result":null}"#, #"{"result":"token"}"#, #"{"result":{"customToken":""}}"#,
        #"{"result":{"customToken":null}}"#, #"{"result":{"customToken":7}}"#, #"{"result":{"customToken":["t"]}}"#,
        #"{"result":{"custom_token":"t"}}"#,
    ])
    func aResultWithoutUsableTokenIsAnInvalidCustomToken(answer: String) async throws {
        let source = source(ScriptedTransport(.json(answer)))
        let error = try await failure { () throws(AuthError) in try await source.customToken(for: Fixture.kakao) }
        #expect(error.code == .invalidCustomToken)
    }

    @Test func aFunctionMayExpectOtherFields() async throws {
        let transport = ScriptedTransport(Fixture.functionResult)
        let source = source(transport) { credential in
            guard let token = credential.accessToken else { throw AuthError(.invalidCredential, "No access token.") }
            return ["accessToken": .string(token.reveal()), "provider": "KAKAO_SDK"]
        }
        _ = try await source.customToken(for: Fixture.kakao)
        #expect(
            transport.requests.map(\.text) == [
                #"{"data":{"accessToken":"provider+access/token=","provider":"KAKAO_SDK"}}"#
            ])
        let error = try await failure { () throws(AuthError) in try source.validate(Credential(provider: .kakao)) }
        #expect(error.code == .invalidCredential)
    }

    @Test func theFunctionsOwnPermissionDeniedIsADisabledAccount() async throws {
        let disabled = source(ScriptedTransport(.json(#"{"error":{"status":"PERMISSION_DENIED"}}"#, status: 403)))
        let error = try await failure { () throws(AuthError) in try await disabled.customToken(for: Fixture.kakao) }
        #expect(error.code == .userDisabled)
        // A gateway's 403 says nothing about an account.
        let closed = source(ScriptedTransport(.html(status: 403)))
        let refusal = try await failure { () throws(AuthError) in try await closed.customToken(for: Fixture.kakao) }
        #expect(refusal.code == .accessDenied)
    }

    @Test func credentialsDoNotTravelInTheClear() async throws {
        let functions = CallableFunctions(project: Fixture.project, transport: ScriptedTransport())
        let url = try #require(URL(string: "http://192.168.0.2:5001/demo/us-central1/socialLogin"))
        let source = SocialLoginFunction(functions, function: .url(url))
        let error = try await failure { () throws(AuthError) in try await source.customToken(for: Fixture.kakao) }
        #expect(error.code == .misconfigured)
    }
}
