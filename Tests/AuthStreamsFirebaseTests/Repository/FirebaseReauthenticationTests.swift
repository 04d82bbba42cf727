import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct FirebaseReauthenticationTests {
    private func repository(_ transport: any AuthHTTPTransport) -> FirebaseRepository {
        FirebaseRepository(
            project: Fixture.project, routes: .standard(functionsIn: .seoul), transport: transport,
            clock: Fixture.clock)
    }

    private func refusal(
        of credential: Credential, _ transport: ScriptedTransport
    ) async throws -> AuthError {
        let repository = repository(transport)
        return try await failure { () throws(AuthError) in
            try await repository.reauthenticate(Fixture.session, with: credential)
        }
    }

    @Test func theSamePersonGetsFreshTokensAndNobodyIsMade() async throws {
        let token = Fixture.idToken(["auth_time": 1_800_000_000])
        let transport = ScriptedTransport(Fixture.signedIn(idToken: token), Fixture.account)
        let session = try await repository(transport).reauthenticate(Fixture.session, with: Fixture.google)
        #expect(session.accessToken == Secret(token))
        #expect(session.user.id == "uid-1")
        #expect(session.provider == .google)
        #expect(transport.requests[0].json?["autoCreate"] == false)
        #expect(transport.requests[0].json?["idToken"] == nil)
    }

    @Test func aSignInMayMakeAUser() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(), Fixture.account)
        _ = try await repository(transport).signIn(with: Fixture.google)
        #expect(transport.requests[0].json?["autoCreate"] == nil)
    }

    @Test func anotherPersonsCredentialIsInUseAndNothingOfTheirsIsKept() async throws {
        let anothers = Fixture.idToken(of: "uid-2")
        let transport = ScriptedTransport(Fixture.signedIn(idToken: anothers, user: "uid-2"))
        let error = try await refusal(of: Fixture.google, transport)
        #expect(error.code == .credentialInUse)
        #expect(error.conflict?.credential?.provider == .google)
        // No user is looked up, and the error has none of their tokens.
        #expect(transport.requests.count == 1)
        var told = error.debugDescription
        dump(error, to: &told)
        #expect(!told.contains(anothers))
    }

    @Test func anotherPersonsCustomTokenIsNotTakenToFirebase() async throws {
        let transport = ScriptedTransport(Fixture.functionResult(for: "kakao:1002"))
        let error = try await refusal(of: Fixture.kakao, transport)
        #expect(error.code == .credentialInUse)
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["socialLogin"])
    }

    @Test func aCustomTokenThatNamesNoUserIsNotTakenToFirebase() async throws {
        let transport = ScriptedTransport(Fixture.functionResult)
        let error = try await refusal(of: Fixture.kakao, transport)
        #expect(error.code == .invalidCustomToken)
        #expect(error.explanation.contains("'uid'"))
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["socialLogin"])
    }

    @Test func aCustomTokenOfTheSamePersonSignsIn() async throws {
        let transport = ScriptedTransport(
            Fixture.functionResult(for: "uid-1"), Fixture.signedIn(user: nil), Fixture.account)
        _ = try await repository(transport).reauthenticate(Fixture.session, with: Fixture.kakao)
        #expect(transport.requests.count == 3)
        #expect(transport.requests[0].headers[.authorization] == nil)
        #expect(transport.requests[0].json?["data"]?["action"] == "reauthenticate")
    }

    @Test func whoFirebaseSignsInHasTheLastWord() async throws {
        let transport = ScriptedTransport(
            Fixture.functionResult(for: "uid-1"), Fixture.signedIn(idToken: Fixture.idToken(of: "uid-2"), user: nil),
            .json(#"{"users":[{"localId":"uid-2"}]}"#))
        #expect(try await refusal(of: Fixture.kakao, transport).code == .credentialInUse)
    }

    /// It may be another user who was deleted or disabled, and whose credential this is.
    @Test(arguments: ["USER_NOT_FOUND", "USER_DISABLED", "TOKEN_EXPIRED", "INVALID_ID_TOKEN"])
    func aWordAboutTheCredentialsUserEndsNoSession(message: String) async throws {
        let error = try await refusal(of: Fixture.google, ScriptedTransport(.refusal(message)))
        #expect(error.code == .invalidCredential)
        #expect(error.serverCode == message && !error.classification.refusesAccessToken)
        let byFunction = try await refusal(
            of: Fixture.kakao, ScriptedTransport(.json(#"{"error":{"status":"PERMISSION_DENIED"}}"#, status: 403)))
        #expect(byFunction.code == .invalidCredential)
    }

    @Test func aLookUpThatIsRefusedSaysNothingAboutTheSession() async throws {
        let error = try await refusal(
            of: Fixture.google, ScriptedTransport(Fixture.signedIn(), .refusal("INVALID_ID_TOKEN")))
        #expect(error.code == .misconfigured)
    }

    @Test func aProviderWithoutRouteEndsBeforeAnyRequest() async throws {
        let error = try await refusal(of: Credential(provider: "line", idToken: Secret("t")), ScriptedTransport())
        #expect(error.code == .unsupportedProvider)
    }
}
