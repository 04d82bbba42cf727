import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct FirebaseRevocationTests {
    private func repository(
        _ transport: any AuthHTTPTransport, _ functions: AccountFunctions? = .standard(in: .seoul)
    ) -> FirebaseRepository {
        FirebaseRepository(
            project: Fixture.project, routes: .standard(functionsIn: .seoul), functions: functions,
            transport: transport, clock: Fixture.clock)
    }

    private var appleByCode: Credential {
        var credential = Fixture.apple
        credential.authorizationCode = .init(
            code: Secret(Fixture.code), redirectURI: URL(string: "https://demo.example/apple"))
        return credential
    }

    @Test func aRepositoryKnowsWhereItCanRevoke() {
        for provider in [ProviderID.apple, .google, .kakao, .naver] {
            #expect(repository(ScriptedTransport()).revokesAccess(at: provider), "\(provider)")
        }
        let withoutFunctions = repository(ScriptedTransport(), nil)
        #expect(withoutFunctions.revokesAccess(at: .apple))
        #expect(withoutFunctions.revokesAccess(at: .google))
        #expect(!withoutFunctions.revokesAccess(at: .kakao))
        #expect(!repository(ScriptedTransport()).revokesAccess(at: .anonymous))
    }

    @Test func applesCodeIsTakenToFirebase() async throws {
        let transport = ScriptedTransport(.json("{}"))
        try await repository(transport).revokeAccess(with: appleByCode, of: Fixture.session)
        #expect(
            transport.requests.map(\.line)
                == ["POST https://identitytoolkit.googleapis.com/v2/accounts:revokeToken?key=AIza%20key%2B1"])
        #expect(
            transport.requests[0].json
                == [
                    "providerId": "apple.com", "tokenType": "CODE", "token": .string(Fixture.code),
                    "idToken": .string(Fixture.idToken()), "redirectUri": "https://demo.example/apple",
                ])
    }

    @Test func googlesTokenIsTakenToGoogleWithNothingOfTheProject() async throws {
        let transport = ScriptedTransport(.json(""))
        try await repository(transport).revokeAccess(with: Fixture.google, of: Fixture.session)
        #expect(transport.requests.map(\.line) == ["POST https://oauth2.googleapis.com/revoke"])
        #expect(transport.requests.map(\.text) == ["token=provider%2Baccess%2Ftoken%3D"])
        #expect(
            transport.requests.map(\.headers)
                == [[.contentType: "application/x-www-form-urlencoded", .accept: "application/json"]])
    }

    @Test(
        arguments: [
            (400, #"{"error":"invalid_token"}"#, nil), (400, #"{"error":"invalid_request"}"#, .invalidCredential),
            (400, "<html>", .invalidResponse), (200, "<html>Sign in to Wi-Fi", .invalidResponse), (200, "{}", nil),
            (202, "{}", .invalidResponse), (204, "", .invalidResponse), (302, "", .invalidResponse),
            (429, "", .rateLimited), (503, "", .server),
        ] as [(Int, String, AuthError.Code?)])
    func whatIsDeadAlreadyCountsAsRevoked(status: Int, body: String, code: AuthError.Code?) async throws {
        let repository = repository(ScriptedTransport(.json(body, status: status)))
        var seen: AuthError.Code?
        do throws(AuthError) {
            try await repository.revokeAccess(with: Fixture.google, of: Fixture.session)
        } catch { seen = error.code }
        #expect(seen == code)
    }

    @Test func anotherPersonsAccessIsNotRevoked() async throws {
        var session = Fixture.session
        session.user.providers = [.init(id: .google, userID: "g-1")]
        var own = Fixture.google
        own.userID = "g-1"
        try await repository(ScriptedTransport(.json(""))).revokeAccess(with: own, of: session)
        var another = Fixture.google
        another.userID = "g-2"
        var byIDToken = Fixture.google
        byIDToken.idToken = Secret(Fixture.idToken(of: "g-2"))
        for credential in [another, byIDToken] {
            let repository = repository(ScriptedTransport())
            let error = try await failure { () throws(AuthError) in
                try await repository.revokeAccess(with: credential, of: session)
            }
            #expect(error.code == .accessDenied)
        }
    }

    /// At Apple and Google no server checks whose it is; a function does.
    @Test func accessOfWhoIsKnownToBeNobodyThereIsNotRevoked() async throws {
        var session = Fixture.session
        session.user.providers = [.init(id: .kakao, userID: "1001")]
        for credential in [Fixture.google, appleByCode] {
            let repository = repository(ScriptedTransport())
            let error = try await failure { () throws(AuthError) in
                try await repository.revokeAccess(with: credential, of: session)
            }
            #expect(error.code == .accessDenied)
        }
        session.user.providers = [.init(id: .google)]
        try await repository(ScriptedTransport(.json("{}"))).revokeAccess(with: Fixture.google, of: session)
        let functions = AccountFunctions(at: .region(.seoul), revocation: "revoke", of: [.apple])
        let done = ScriptedTransport(.json(#"{"result":{"revoked":true}}"#))
        try await repository(done, functions).revokeAccess(with: appleByCode, of: session)
    }

    @Test func theOthersGoThroughTheFunction() async throws {
        let transport = ScriptedTransport(.json(#"{"result":{"revoked":true}}"#))
        try await repository(transport).revokeAccess(with: Fixture.kakao, of: Fixture.session)
        #expect(
            transport.requests.map(\.line)
                == ["POST https://asia-northeast3-demo.cloudfunctions.net/revokeSocialLogin"])
        #expect(transport.requests[0].headers[.authorization] == "Bearer \(Fixture.idToken())")
    }

    @Test func aFunctionThatTakesAppleAndGoogleGoesFirst() async throws {
        let functions = AccountFunctions(at: .region(.seoul), revocation: "revoke", of: [.apple, .google])
        let done = AuthHTTPResponse.json(#"{"result":{"revoked":true}}"#)
        let transport = ScriptedTransport(done, done)
        try await repository(transport, functions).revokeAccess(with: appleByCode, of: Fixture.session)
        try await repository(transport, functions).revokeAccess(with: Fixture.google, of: Fixture.session)
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["revoke", "revoke"])
        #expect(!repository(transport, functions).revokesAccess(at: .kakao))
    }

    @Test func whatCannotBeRevokedIsRefusedBeforeAnyRequest() async throws {
        let withoutFunctions = repository(ScriptedTransport(), nil)
        var googleByIDToken = Fixture.google
        googleByIDToken.accessToken = Secret("")
        for (credential, code) in [
            (Fixture.apple, AuthError.Code.invalidCredential), (googleByIDToken, .invalidCredential),
            (Fixture.kakao, .unsupportedProvider), (Credential(provider: "line"), .unsupportedProvider),
        ] {
            let error = try await failure { () throws(AuthError) in
                try await withoutFunctions.revokeAccess(with: credential, of: Fixture.session)
            }
            #expect(error.code == code)
            #expect(error.provider == credential.provider)
        }
    }

    @Test func allSessionsEndThroughTheFunction() async throws {
        let transport = ScriptedTransport(
            .json(#"{"result":{"revoked":true}}"#), .json(#"{"result":{"revoked":false}}"#))
        let repository = repository(transport)
        try await repository.signOutEverywhere(Fixture.session)
        #expect(
            transport.requests.map(\.line) == ["POST https://asia-northeast3-demo.cloudfunctions.net/revokeSessions"])
        #expect(transport.requests.map(\.text) == [#"{"data":null}"#])
        #expect(transport.requests[0].headers[.authorization] == "Bearer \(Fixture.idToken())")
        let error = try await failure { () throws(AuthError) in
            try await repository.signOutEverywhere(Fixture.session)
        }
        #expect(error.code == .invalidResponse)
    }

    @Test(arguments: [nil, AccountFunctions(at: .region(.seoul), revocation: "revokeSocialLogin")])
    func withoutTheFunctionNoSessionElsewhereEnds(functions: AccountFunctions?) async throws {
        let repository = repository(ScriptedTransport(), functions)
        let error = try await failure { () throws(AuthError) in
            try await repository.signOutEverywhere(Fixture.session)
        }
        #expect(error.code == .unsupportedProvider)
    }

    @Test func tokensDoNotTravelInTheClear() async throws {
        let base = URL(literal: "http://192.168.0.2:9099")
        let project = FirebaseProject(id: "demo", apiKey: "k", endpoints: .emulator(at: base))
        let repository = FirebaseRepository(
            project: project, functions: .standard(), transport: ScriptedTransport(), clock: Fixture.clock)
        for credential in [appleByCode, Fixture.google, Fixture.kakao] {
            let error = try await failure { () throws(AuthError) in
                try await repository.revokeAccess(with: credential, of: Fixture.session)
            }
            #expect(error.code == .misconfigured)
        }
        let everywhere = try await failure { () throws(AuthError) in
            try await repository.signOutEverywhere(Fixture.session)
        }
        #expect(everywhere.code == .misconfigured)
    }
}
