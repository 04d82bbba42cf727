import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// What the emulated server checks of options and answers, spoken by hand.
@Suite(.enabled(if: Signatures.isAvailable, "needs libcrypto"))
struct ServerPasskeyWireTests {
    private let device = EmulatedAuthenticator()
    private static let unknownChallenge = "The challenge is not known, was used, or has expired."
    private static let otherPurpose = "The challenge was for something else."

    /// Requires that the server refuses an answer for that reason.
    private func expect(
        _ reply: ServerReply, refusedFor reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(reply.problem == "401 invalid-credential", sourceLocation: sourceLocation)
        #expect(reply["detail"] == .string(reason), sourceLocation: sourceLocation)
    }

    private func requestOptions(
        _ backend: EmulatedBackend, _ token: String? = nil
    ) async throws -> PublicKeyCredentialRequestOptionsJSON {
        try PublicKeyCredentialRequestOptionsJSON(
            json: await backend.api("passkeys/sign-in/options", [:], accessToken: token).json)
    }

    private func creationOptions(
        _ backend: EmulatedBackend, _ token: String, _ body: AuthJSON = [:]
    ) async throws -> PublicKeyCredentialCreationOptionsJSON {
        try PublicKeyCredentialCreationOptionsJSON(
            json: await backend.api("passkeys/registration/options", body, accessToken: token).json)
    }

    /// Registers a passkey, and returns the access token.
    private func registered(
        _ backend: EmulatedBackend, _ device: EmulatedAuthenticator, person: String = "1001",
        email: String = "minji@example.com"
    ) async throws -> String {
        let token = try await backend.signInAtServer(person, email: email).access
        let response = try device.create(await creationOptions(backend, token))
        let reply = try await backend.api("passkeys/registration/verify", response.json, accessToken: token)
        try #require(reply.status == 200)
        return token
    }

    private func verify(_ backend: EmulatedBackend, _ response: AuthenticationResponseJSON) async throws -> ServerReply
    {
        try await backend.api("passkeys/sign-in/verify", response.json)
    }

    @Test func optionsAskForADiscoverablePasskeyOfTheDomain() async throws {
        try await EmulatedBackend.run { backend in
            let token = try await registered(backend, device)
            let creation = try await creationOptions(backend, token)
            #expect(creation.rp.id == "pulseboard.example" && creation.authenticatorSelection.residentKey == .required)
            #expect(creation.user.name == "minji@example.com" && creation.challenge.count == 32)
            #expect(creation.excludeCredentials.map(\.id) == device.passkeys.map(\.id))
            let request = try await requestOptions(backend)
            #expect(request.rpID == "pulseboard.example" && request.allowCredentials.isEmpty)
            #expect(try await requestOptions(backend, token).allowCredentials.map(\.id) == device.passkeys.map(\.id))
        }
    }

    @Test func challengeCountsOnceAndForAWhile() async throws {
        try await EmulatedBackend.run { backend in
            _ = try await registered(backend, device)
            let response = try device.get(await requestOptions(backend))
            #expect(try await verify(backend, response).status == 200)
            expect(try await verify(backend, response), refusedFor: Self.unknownChallenge)
            let late = try device.get(await requestOptions(backend))
            backend.clock.advance(by: .seconds(600))
            expect(try await verify(backend, late), refusedFor: Self.unknownChallenge)
        }
    }

    @Test func optionsOfTwoDevicesAreOpenAtOnce() async throws {
        try await EmulatedBackend.run { backend in
            _ = try await registered(backend, device)
            let (first, second) = (try await requestOptions(backend), try await requestOptions(backend))
            #expect(try await verify(backend, try device.get(first)).status == 200)
            #expect(try await verify(backend, try device.get(second)).status == 200)
        }
    }

    @Test func userWithoutAPasskeyGetsNoOptionsToProveTheirIdentity() async throws {
        try await EmulatedBackend.run { backend in
            let token = try await backend.signInAtServer().access
            let reply = try await backend.api("passkeys/sign-in/options", [:], accessToken: token)
            expect(reply, refusedFor: "The user has no passkey.")
        }
    }

    @Test func challengeOfAnotherServerIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            _ = try await registered(backend, device)
            var options = try await requestOptions(backend)
            options.challenge = Data(repeating: 7, count: 32)
            expect(try await verify(backend, try device.get(options)), refusedFor: Self.unknownChallenge)
        }
    }

    @Test func passkeyOfAnotherDomainIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            let token = try await backend.signInAtServer().access
            var options = try await creationOptions(backend, token)
            options.rp.id = "evil.example"
            // The origin is right, so that the domain alone is wrong.
            let response = try device.create(options, origin: "https://pulseboard.example")
            let reply = try await backend.api("passkeys/registration/verify", response.json, accessToken: token)
            expect(reply, refusedFor: PasskeyRefusal.rpID.rawValue)
        }
    }

    @Test func originOfAnotherAppIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            _ = try await registered(backend, device)
            let response = try device.get(await requestOptions(backend), origin: "https://evil.example")
            expect(try await verify(backend, response), refusedFor: PasskeyRefusal.origin.rawValue)
        }
    }

    @Test func configuredOriginsAndDomainCount() async throws {
        let local = { (configuration: inout EmulatorConfiguration) in
            configuration.server.relyingPartyID = "localhost"
            configuration.server.passkeyOrigins = ["http://localhost:3000"]
        }
        try await EmulatedBackend.run(local) { backend in
            let token = try await backend.signInAtServer().access
            let response = try device.create(
                await creationOptions(backend, token), origin: "http://localhost:3000")
            let reply = try await backend.api("passkeys/registration/verify", response.json, accessToken: token)
            #expect(reply.status == 200)
            let plain = try device.get(await requestOptions(backend))
            expect(try await verify(backend, plain), refusedFor: PasskeyRefusal.origin.rawValue)
        }
    }

    @Test func answerOfAnotherUserProvesNothing() async throws {
        try await EmulatedBackend.run { backend in
            let token = try await registered(backend, device)
            let other = EmulatedAuthenticator()
            _ = try await registered(backend, other, person: "1002", email: "jun@example.com")
            // Options of the caller, answered by the other's passkey.
            var options = try await requestOptions(backend, token)
            options.allowCredentials = []
            var body = try #require(try other.get(options).json.object)
            body["provider"] = "passkey"
            let reply = try await backend.api("reauthenticate", .object(body), accessToken: token)
            expect(reply, refusedFor: PasskeyRefusal.notAllowed.rawValue)
            // Options of a sign-in do not serve for a re-authentication.
            body = try #require(try device.get(await requestOptions(backend)).json.object)
            body["provider"] = "passkey"
            expect(
                try await backend.api("reauthenticate", .object(body), accessToken: token),
                refusedFor: Self.otherPurpose)
        }
    }

    @Test func registrationOfAnotherUsersOptionsIsRefused() async throws {
        try await EmulatedBackend.run { backend in
            let mine = try await backend.signInAtServer().access
            let theirs = try await backend.signInAtServer("1002", email: "jun@example.com").access
            let response = try device.create(await creationOptions(backend, theirs))
            let reply = try await backend.api("passkeys/registration/verify", response.json, accessToken: mine)
            expect(reply, refusedFor: Self.otherPurpose)
        }
    }

    @Test func counterThatGoesBackIsACopy() async throws {
        try await EmulatedBackend.run { backend in
            var traits = EmulatedAuthenticator.Traits()
            traits.counts = true
            let key = EmulatedAuthenticator(traits)
            _ = try await registered(backend, key)
            let copy = EmulatedAuthenticator(traits, passkeys: key.passkeys)
            #expect(try await verify(backend, try key.get(await requestOptions(backend))).status == 200)
            expect(
                try await verify(backend, try copy.get(await requestOptions(backend))),
                refusedFor: PasskeyRefusal.counter.rawValue)
            #expect(try await verify(backend, try key.get(await requestOptions(backend))).status == 200)
        }
    }

    @Test func counterOfZeroIsRightForEver() async throws {
        try await EmulatedBackend.run { backend in
            _ = try await registered(backend, device)
            for _ in 1...5 {
                #expect(try await verify(backend, try device.get(await requestOptions(backend))).status == 200)
            }
        }
    }

    @Test func passkeyWithoutAQuestionWasAskedForSo() async throws {
        try await EmulatedBackend.run { backend in
            let token = try await backend.signInAtServer().access
            let asked = try device.create(await creationOptions(backend, token), isConditional: true)
            let refused = try await backend.api("passkeys/registration/verify", asked.json, accessToken: token)
            expect(refused, refusedFor: PasskeyRefusal.userNotPresent.rawValue)
            let options = try await creationOptions(backend, token, ["mediation": "conditional"])
            let offered = try device.create(options, isConditional: true)
            let taken = try await backend.api("passkeys/registration/verify", offered.json, accessToken: token)
            #expect(taken.status == 200)
        }
    }

    @Test func unverifiedPersonIsAskedForTheSecondFactor() async throws {
        try await EmulatedBackend.run { backend in
            var traits = EmulatedAuthenticator.Traits()
            traits.verifiesPerson = false
            let key = EmulatedAuthenticator(traits)
            _ = try await registered(backend, key)
            let user = try #require(backend.emulator.server.users.first)
            backend.emulator.server.addFactor(to: user.id, at: "+82 10-0000-0000")
            let reply = try await verify(backend, try key.get(await requestOptions(backend)))
            #expect(reply["challenge"]?["reason"] == "secondFactor")
        }
    }

    @Test(arguments: ["passkeys/sign-in/verify", "passkeys/registration/verify"])
    func answerThatIsNoneIsNamed(_ path: String) async throws {
        try await EmulatedBackend.run { backend in
            let token = try await backend.signInAtServer().access
            let reply = try await backend.api(path, ["id": "AQ"], accessToken: token)
            #expect(reply.problem == "400 invalid-request")
        }
    }

    @Test func callerIsRequired() async throws {
        try await EmulatedBackend.run { backend in
            for path in ["passkeys/registration/options", "passkeys"] {
                let reply = try await backend.api(path, method: path == "passkeys" ? .get : .post)
                #expect(["401 invalid-access-token", "400 invalid-request"].contains(reply.problem))
            }
            let options = try await backend.api("passkeys/sign-in/options", [:], accessToken: "at-unknown")
            #expect(options.problem == "401 invalid-access-token")
        }
    }
}
