import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsFirebase

@Suite struct IdentityToolkitWireTests {
    private func toolkit(
        _ transport: ScriptedTransport, project: FirebaseProject = Fixture.project
    ) -> IdentityToolkit {
        IdentityToolkit(project: project, transport: transport, clock: Fixture.clock)
    }

    @Test func appleGoesByItsTokenRawNonceAndFirstTimeName() async throws {
        let transport = ScriptedTransport(Fixture.signedIn())
        _ = try await toolkit(transport).signInWithIdp(IdpAssertion(Fixture.apple))
        let request = try #require(transport.requests.first)
        #expect(
            request.line
                == "POST https://identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=AIza%20key%2B1")
        #expect(request.headers == [.contentType: "application/json", .accept: "application/json"])
        let user =
            "%7B%22name%22%3A%7B%22firstName%22%3A%22%ED%99%8D%20%5C%22%26%5C%22%EA%B8%B8%EB%8F%99%22%7D%7D"
        let postBody =
            "id_token=provider%2Bid%2Ftoken%3D%26.&providerId=apple.com&nonce=raw%2Bnonce%2F%26%3D&user=\(user)"
        #expect(
            request.text == #"{"postBody":"\#(postBody)","requestUri":"http://localhost","#
                + #""returnIdpCredential":true,"returnSecureToken":true}"#)
    }

    /// Firebase joins the two members in their order, which is not that of every name.
    @Test(
        arguments: [
            ("민지", "김", #"{"name":{"firstName":"김민지"}}"#), ("민지", nil, #"{"name":{"firstName":"민지"}}"#),
            ("Alex", "Morgan", #"{"name":{"firstName":"Alex","lastName":"Morgan"}}"#),
            (nil, "Morgan", #"{"name":{"lastName":"Morgan"}}"#),
        ] as [(String?, String?, String)])
    func aNameGoesInTheOrderInWhichItIsShown(given: String?, family: String?, user: String) throws {
        var credential = Fixture.apple
        credential.profile = Credential.Profile(name: PersonName(givenName: given, familyName: family))
        let form = try #require(FormCoding.decode(try IdpAssertion(credential).postBody))
        #expect(form.first { $0.name == "user" }?.value == user)
    }

    @Test func anAddressWithoutANameIsNotSent() throws {
        var credential = Fixture.apple
        credential.profile = Credential.Profile(email: "gildong@example.com")
        #expect(try !IdpAssertion(credential).postBody.contains("user="))
    }

    @Test func googleGoesByItsIDTokenAlone() throws {
        #expect(
            try IdpAssertion(Fixture.google).postBody
                == "id_token=provider%2Bid%2Ftoken%3D%26.&providerId=google.com")
    }

    @Test func anAccessTokenGoesWhereThereIsNoIDToken() throws {
        let credential = Credential(provider: .google, idToken: Secret(""), accessToken: Secret(Fixture.accessToken))
        #expect(
            try IdpAssertion(credential).postBody == "access_token=provider%2Baccess%2Ftoken%3D&providerId=google.com")
    }

    @Test func aProviderMayHaveAnotherNameAtFirebase() throws {
        let credential = Credential(provider: "line", idToken: Secret("t"), rawNonce: Secret("n"))
        #expect(
            try IdpAssertion(credential, as: "oidc.line").postBody == "id_token=t&providerId=oidc.line&nonce=n")
    }

    @Test(arguments: [
        Credential(provider: .apple), Credential(provider: .apple, idToken: Secret(""), accessToken: Secret("x")),
        Credential(provider: .google, rawNonce: Secret("n")), Credential(provider: .google, accessToken: Secret("")),
    ])
    func aCredentialWithoutTokenIsNoAssertion(credential: Credential) async throws {
        let error = try await failure { () throws(AuthError) in try IdpAssertion(credential) }
        #expect(error.code == .invalidCredential)
        #expect(error.provider == credential.provider)
    }

    @Test func linkingSendsTheUsersIDToken() async throws {
        let transport = ScriptedTransport(Fixture.signedIn())
        _ = try await toolkit(transport).signInWithIdp(IdpAssertion(Fixture.google), linkingTo: Secret("user-token"))
        #expect(transport.requests.first?.json?["idToken"] == "user-token")
    }

    @Test func aCustomTokenGoesAsItIs() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(user: nil))
        let tokens = try await toolkit(transport).signInWithCustomToken(Secret(Fixture.customToken))
        let request = try #require(transport.requests.first)
        #expect(
            request.line
                == "POST https://identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken?key=AIza%20key%2B1")
        #expect(request.text == #"{"returnSecureToken":true,"token":"custom.token+secret"}"#)
        // The answer has no `localId`; only the token says whose it is.
        #expect(tokens.userID == "uid-1")
    }

    @Test func lookupAndDeleteSendTheIDToken() async throws {
        let transport = ScriptedTransport(Fixture.account, .json("{}"))
        _ = try await toolkit(transport).lookup(Secret("a.b+c."))
        try await toolkit(transport).delete(Secret("a.b+c."))
        #expect(
            transport.requests.map(\.line) == [
                "POST https://identitytoolkit.googleapis.com/v1/accounts:lookup?key=AIza%20key%2B1",
                "POST https://identitytoolkit.googleapis.com/v1/accounts:delete?key=AIza%20key%2B1",
            ])
        #expect(transport.requests.map(\.text) == [#"{"idToken":"a.b+c."}"#, #"{"idToken":"a.b+c."}"#])
    }

    @Test func aRefreshIsAForm() async throws {
        let transport = ScriptedTransport(.json(#"{"id_token":"\#(Fixture.idToken())"}"#))
        _ = try await toolkit(transport).refresh(Secret(Fixture.refreshToken))
        let request = try #require(transport.requests.first)
        #expect(request.line == "POST https://securetoken.googleapis.com/v1/token?key=AIza%20key%2B1")
        #expect(
            request.headers == [.contentType: "application/x-www-form-urlencoded", .accept: "application/json"])
        #expect(request.text == "grant_type=refresh_token&refresh_token=refresh%2Btoken%2Fsecret%3D")
    }

    @Test func anEmulatorHasEveryHostBelowItsOwn() async throws {
        var project = Fixture.project
        project.endpoints = .emulator(at: try #require(URL(string: "http://127.0.0.1:9099/")))
        let transport = ScriptedTransport(Fixture.account, .json(#"{"id_token":"\#(Fixture.idToken())"}"#))
        _ = try await toolkit(transport, project: project).lookup(Secret("t"))
        _ = try await toolkit(transport, project: project).refresh(Secret("t"))
        #expect(
            transport.requests.map(\.line) == [
                "POST http://127.0.0.1:9099/identitytoolkit.googleapis.com/v1/accounts:lookup?key=AIza%20key%2B1",
                "POST http://127.0.0.1:9099/securetoken.googleapis.com/v1/token?key=AIza%20key%2B1",
            ])
    }

    @Test func aTenantGoesWithEverySignIn() async throws {
        var project = Fixture.project
        project.tenantID = "tenant-1"
        let transport = ScriptedTransport(Fixture.signedIn(), Fixture.signedIn())
        _ = try await toolkit(transport, project: project).signInWithIdp(IdpAssertion(Fixture.google))
        _ = try await toolkit(transport, project: project).signInWithCustomToken(Secret("t"))
        #expect(transport.requests.map { $0.json?["tenantId"] } == ["tenant-1", "tenant-1"])
    }

    @Test func theProjectsHeadersGoWithEveryRequestAndReplaceNothing() async throws {
        var project = Fixture.project
        project.headers = ["X-Firebase-Locale": "ko", .contentType: "text/evil", "X-Firebase-AppCheck": "evil"]
        project.appCheckToken = { Secret("check") }
        let transport = ScriptedTransport(Fixture.account, .json(#"{"id_token":"\#(Fixture.idToken())"}"#))
        _ = try await toolkit(transport, project: project).lookup(Secret("t"))
        _ = try await toolkit(transport, project: project).refresh(Secret("t"))
        #expect(transport.requests.map { $0.headers["x-firebase-locale"] } == ["ko", "ko"])
        #expect(transport.requests.map { $0.headers["x-firebase-appcheck"] } == ["check", "check"])
        #expect(transport.requests.first?.headers[.contentType] == "application/json")
    }

    @Test(arguments: ["http://192.168.0.2:9099", "http://127.0.0.1.evil.example", "ftp://127.0.0.1"])
    func tokensDoNotTravelInTheClear(base: String) async throws {
        var project = Fixture.project
        project.endpoints = .emulator(at: try #require(URL(string: base)))
        let toolkit = toolkit(ScriptedTransport(), project: project)
        let error = try await failure { () throws(AuthError) in try await toolkit.lookup(Secret("t")) }
        #expect(error.code == .misconfigured)
    }

    @Test func aProjectWithoutKeyIsToldSo() async throws {
        let toolkit = toolkit(ScriptedTransport(), project: FirebaseProject(id: "demo", apiKey: ""))
        let error = try await failure { () throws(AuthError) in try await toolkit.lookup(Secret("t")) }
        #expect(error.code == .misconfigured)
        #expect(error.explanation.contains("API key"))
    }
}
