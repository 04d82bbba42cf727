import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// The code for the app's server: asked for with `audience`, answered with `server_code`.
@Suite struct GoogleServerCodeTests {
    private static let server = "1234-server.apps.googleusercontent.com"
    /// What Google says in a token that one client asked for on behalf of another.
    private static let forTheServer: [String: AuthJSON] = ["aud": .string(server)]

    private func google(
        answering members: [String: AuthJSON] = ["server_code": "secret-server"],
        claims: [String: AuthJSON] = forTheServer, server: String? = server
    ) -> GoogleFixture {
        var google = GoogleFixture(claims: claims)
        (google.members, google.serverClientID) = (members, server)
        return google
    }

    @Test func audienceIsSentAndTheCodeHandedOver() async throws {
        let google = google()
        let (agent, transport) = (google.agent, google.transport)
        let credential = try await google.signIn(agent: agent, transport: transport)
        #expect(credential.serverAuthCode == Secret("secret-server"))
        #expect(credential.idToken != nil && credential.authorizationCode == nil && credential.userID == "1001")
        #expect(transport.forms.first?["audience"] == Self.server)
        #expect(transport.forms.first?["client_id"] == GoogleFixture.clientID)
        #expect(await agent.pages.first?["audience"] == Self.server)
    }

    @Test(arguments: [nil, ""])
    func withoutAServerNothingIsAskedNorTaken(server: String?) async throws {
        let google = google(claims: [:], server: server)
        let (agent, transport) = (google.agent, google.transport)
        let credential = try await google.signIn(agent: agent, transport: transport)
        #expect(credential.serverAuthCode == nil)
        #expect(transport.forms.first?.keys.contains("audience") == false)
        #expect(await agent.pages.first?.keys.contains("audience") == false)
    }

    @Test(arguments: [nil, "", 7, .null, ["secret-server"], true] as [AuthJSON?])
    func answerWithoutAUsableCodeIsASignInWithoutOne(code: AuthJSON?) async throws {
        let credential = try await google(answering: code.map { ["server_code": $0] } ?? [:]).signIn()
        #expect(credential.serverAuthCode == nil && credential.userID == "1001")
    }

    @Test func tokenForTheAppItselfServesAsWell() async throws {
        #expect(try await google(claims: [:]).signIn().serverAuthCode == Secret("secret-server"))
    }

    @Test(
        arguments: [
            ["azp": "other"], ["azp": .null], ["aud": "other"], ["aud": [.string(server), "other"]],
            ["azp": .string(server)],
        ] as [[String: AuthJSON]])
    func tokenThatThisClientDidNotAskForIsRefused(claims: [String: AuthJSON]) async throws {
        let google = google(claims: Self.forTheServer.merging(claims) { $1 })
        let error = try await #require(throws: AuthError.self) { try await google.signIn() }
        #expect(error.code == .invalidIDToken && error.step == .exchanging)
        expectNoLeak(of: google.hidden, in: error)
    }

    @Test func tokenForTheServerIsRefusedWhereNoneIsNamed() async throws {
        let error = try await #require(throws: AuthError.self) { try await google(server: nil).signIn() }
        #expect(error.code == .invalidIDToken)
    }

    @Test func serverThatGoogleDoesNotKnowIsAMisconfiguration() async throws {
        var bent = google()
        bent.tokenAnswer = { .text(#"{"error":"invalid_audience"}"#, status: 400) }
        let google = bent
        let error = try await #require(throws: AuthError.self) { try await google.signIn() }
        #expect(error.code == .misconfigured && error.serverCode == "invalid_audience")
    }
}

/// The same by real HTTP, to the end: the server redeems the code.
@MainActor
@Suite(.limitedParallelization) struct GoogleServerCodeEndToEndTests {
    @Test(arguments: [GoogleProvider.Redirect.loopback, .reversedClientID], ["", nil, "https://app.example/google"])
    func serverRedeemsTheCodeOnce(redirect: GoogleProvider.Redirect, redirectURI: String?) async throws {
        try await EmulatedPhone.run { phone in
            let server = phone.emulator.configuration.google.web
            let credential = try await phone.credential(phone.google(redirect, serverClientID: server.id))
            let code = try #require(credential.serverAuthCode)
            let claims = try #require(credential.idToken.flatMap { JSONWebToken($0) }).claims
            #expect(claims["aud"]?.string == server.id && claims["azp"]?.string?.isEmpty == false)
            #expect(claims["nonce"]?.string == credential.rawNonce?.reveal())

            let answer = try await redeem(code, as: server, redirectURI, phone)
            #expect(answer["access_token"] != nil && answer["refresh_token"] != nil)
            let token = try #require(answer["id_token"]?.string.flatMap { JSONWebToken(Secret($0)) })
            #expect(token.claims["sub"]?.string == credential.userID)
            let again = try await redeem(code, as: server, redirectURI, phone)
            #expect(again["error"] == "invalid_grant")
        }
    }

    @Test func nobodyButTheServerRedeemsIt() async throws {
        try await EmulatedPhone.run { phone in
            let clients = phone.emulator.configuration.google
            let provider = phone.google(.loopback, serverClientID: clients.web.id)
            let code = try #require(try await phone.credential(provider).serverAuthCode)
            var guess = clients.web
            guess.secret = "wrong"
            let guessed = try await redeem(code, as: guess, "", phone)
            #expect(guessed["error"] == "invalid_client")
            let byTheApp = try await redeem(code, as: clients.desktop, "", phone)
            #expect(byTheApp["error"] == "invalid_grant")
        }
    }

    @Test func codeIsNotRedeemedAtAnotherPlace() async throws {
        try await EmulatedPhone.run { phone in
            let server = phone.emulator.configuration.google.web
            let provider = phone.google(.loopback, serverClientID: server.id)
            let code = try #require(try await phone.credential(provider).serverAuthCode)
            let answer = try await redeem(code, as: server, "https://evil.example/google", phone)
            #expect(answer["error"] == "redirect_uri_mismatch")
        }
    }

    @Test func serverOfAnotherProjectIsAMisconfiguration() async throws {
        try await EmulatedPhone.run { phone in
            let clients = phone.emulator.configuration.google
            // No client at all, one that is no server's, the app itself.
            for id in ["9999-web.apps.googleusercontent.com", clients.iOS.id, clients.desktop.id] {
                let error = try await phone.failure(phone.google(.loopback, serverClientID: id))
                #expect(error.code == .misconfigured && error.serverCode == "invalid_audience")
            }
        }
    }

    private func redeem(
        _ code: Secret, as client: EmulatorConfiguration.Google.Client, _ redirectURI: String?, _ phone: EmulatedPhone
    ) async throws -> AuthJSON {
        var form = [
            ("grant_type", "authorization_code"), ("client_id", client.id), ("client_secret", client.secret ?? ""),
            ("code", code.reveal()),
        ]
        if let redirectURI { form.append(("redirect_uri", redirectURI)) }
        let response = try await phone.transport.send(
            AuthHTTPRequest(
                .post, phone.emulator.url(for: "https://oauth2.googleapis.com/token"),
                headers: [.contentType: FormCoding.contentType], body: Data(FormCoding.encode(form).utf8)))
        return try JSONDecoder().decode(AuthJSON.self, from: response.body)
    }
}
