import AuthStreams
import Foundation
import Testing

/// Passkeys, by the documented contract and by that of servers that wrap the JSON of WebAuthn.
@Suite struct ServerPasskeyNamesTests {
    private static let all = ServerContract(offering: [.passkeys])
    private static let session = ServerFixture.session
    private static let options =
        #"{"challenge":"AAECAw","rpId":"example.com","hints":["client-device"],"later":{"x":1}}"#
    private static let response: AuthJSON = [
        "id": "AQ", "rawId": "AQ", "type": "public-key", "response": ["clientDataJSON": "e30"],
        "clientExtensionResults": [:],
    ]
    private static let user = AuthHTTPResponse.json(#"{"user":{"id":"u1"}}"#)

    /// A server whose answers and requests have objects around the JSON, and an identifier of the challenge.
    private static var wrapping: ServerContract {
        var contract = all
        contract.passkey.options = "data.publicKey"
        contract.passkey.response = "credential"
        contract.passkey.repeated = ["flow.challengeID"]
        contract.passkey.mediation = nil
        contract.removePasskey = .init(.post, "auth/passkeys/remove")
        contract.passkey.id = "credentialID"
        contract.passkey.passkeys = "data.items"
        return contract
    }

    /// The requests that a call sends.
    private func requests(
        _ answer: AuthHTTPResponse, _ contract: ServerContract = all,
        _ call: (ServerRepository) async throws(AuthError) -> Void
    ) async throws -> [AuthHTTPRequest] {
        let transport = AnsweringTransport([answer])
        try await call(ServerFixture.repository(transport, contract))
        return transport.requests
    }

    @Test func optionsAreHandedOnAsTheyAre() async throws {
        let sent = try await requests(.json(Self.options)) { repository throws(AuthError) in
            let prepared = try await repository.prepare(.passkeyAssertion, in: nil)
            #expect(
                prepared["publicKey"] == [
                    "challenge": "AAECAw", "rpId": "example.com", "hints": ["client-device"], "later": ["x": 1],
                ])
            #expect(prepared["members"] == [:])
        }
        #expect(sent.map(\.line) == ["POST https://api.example.com/v1/auth/passkeys/sign-in/options"])
        #expect(sent.first?.json == [:] && sent.first?.headers[.authorization] == nil)
    }

    /// An unknown address is no error of a mail. Options without a user are one.
    @Test func missingUserEndsTheRequestForOptions() async throws {
        _ = try await requests(.problem("/p/user-not-found", status: 404)) { repository throws(AuthError) in
            do throws(AuthError) {
                _ = try await repository.prepare(.passkeyAssertion, in: nil)
                Issue.record("The options of no user were returned.")
            } catch { #expect(error.code == .userNotFound && error.provider == .passkey) }
        }
    }

    @Test(arguments: [true, false])
    func registrationSaysHowThePersonIsAsked(_ isConditional: Bool) async throws {
        let sent = try await requests(.json(Self.options)) { repository throws(AuthError) in
            _ = try await repository.prepare(
                .passkeyRegistration(isConditional: isConditional), in: Self.session)
        }
        #expect(sent.map(\.line) == ["POST https://api.example.com/v1/auth/passkeys/registration/options"])
        #expect(sent.first?.json == (isConditional ? ["mediation": "conditional"] : [:]))
        #expect(sent.first?.headers[.authorization] == "Bearer old+access")
    }

    @Test func answersHaveTheirOwnPaths() async throws {
        let credential = Credential.assertion(Self.response)
        let signIn = try await requests(ServerFixture.signedIn) { repository throws(AuthError) in
            #expect(try await repository.signIn(with: credential).provider == .passkey)
        }
        #expect(signIn.map(\.line) == ["POST https://api.example.com/v1/auth/passkeys/sign-in/verify"])
        #expect(signIn.first?.json == Self.response)
        let link = try await requests(Self.user) { repository throws(AuthError) in
            _ = try await repository.link(credential, to: Self.session)
        }
        #expect(link.map(\.line) == ["POST https://api.example.com/v1/auth/passkeys/registration/verify"])
        #expect(link.first?.json == Self.response)
        let proof = try await requests(Self.user) { repository throws(AuthError) in
            _ = try await repository.reauthenticate(Self.session, with: credential)
        }
        #expect(proof.map(\.line) == ["POST https://api.example.com/v1/auth/reauthenticate"])
        var named = try #require(Self.response.object)
        named["provider"] = "passkey"
        #expect(proof.first?.json == .object(named))
    }

    @Test func serverThatWrapsIsUnderstood() async throws {
        let answer = AuthHTTPResponse.json(#"{"flow":{"challengeID":"c-1"},"data":{"publicKey":\#(Self.options)}}"#)
        var members: [String: Secret] = [:]
        let asked = try await requests(answer, Self.wrapping) { repository throws(AuthError) in
            let prepared = try await repository.prepare(.passkeyRegistration(isConditional: true), in: Self.session)
            #expect(prepared["publicKey"]?["challenge"] == "AAECAw")
            #expect(prepared["members"] == ["flow.challengeID": "c-1"])
            members = ["flow.challengeID": Secret("c-1")]
        }
        #expect(asked.first?.json == [:])
        var credential = Credential.assertion(Self.response)
        credential.members = members
        let sent = try await requests(ServerFixture.signedIn, Self.wrapping) {
            [credential] repository throws(AuthError) in
            _ = try await repository.signIn(with: credential)
        }
        #expect(sent.first?.json == ["flow": ["challengeID": "c-1"], "credential": Self.response])
    }

    @Test func listHasWhatTheServerSays() async throws {
        let list =
            #"{"passkeys":[{"id":"a","name":"iCloud Keychain","createdAt":1800000000},{"id":7,"lastUsedAt":"2027-01-15T08:00:00Z"}]}"#
        let sent = try await requests(.json(list)) { repository throws(AuthError) in
            let passkeys = try await repository.passkeys(of: Self.session)
            #expect(passkeys.map(\.id) == ["a", "7"] && passkeys.map(\.name) == ["iCloud Keychain", nil])
            #expect(passkeys.map(\.createdAt) == [ServerFixture.now, nil])
            #expect(passkeys.map(\.lastUsedAt) == [nil, ServerFixture.now])
        }
        #expect(sent.map(\.line) == ["GET https://api.example.com/v1/auth/passkeys"])
        let items = AuthHTTPResponse.json(#"{"data":{"items":[{"credentialID":"a"}]}}"#)
        _ = try await requests(items, Self.wrapping) { repository throws(AuthError) in
            #expect(try await repository.passkeys(of: Self.session).map(\.id) == ["a"])
        }
    }

    @Test func removalNamesThePasskeyInThePathOrInTheBody() async throws {
        let path = try await requests(Self.user) { repository throws(AuthError) in
            _ = try await repository.apply(.removePasskey("a/b"), to: Self.session)
        }
        #expect(path.map(\.line) == ["DELETE https://api.example.com/v1/auth/passkeys/a%2Fb"])
        let body = try await requests(Self.user, Self.wrapping) { repository throws(AuthError) in
            _ = try await repository.apply(.removePasskey("a/b"), to: Self.session)
        }
        #expect(body.first?.json == ["credentialID": "a/b"])
    }

    @Test(arguments: [
        (#"{"flow":{},"data":{"publicKey":{}}}"#, "flow.challengeID"),
        (#"{"flow":{"challengeID":"c"}}"#, "data.publicKey"),
        (#"{"flow":{"challengeID":"c"},"data":{"publicKey":"x"}}"#, "data.publicKey"),
    ])
    func missingMemberIsNamed(_ answer: String, _ name: String) async throws {
        let repository = ServerFixture.repository(AnsweringTransport([.json(answer)]), Self.wrapping)
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.prepare(.passkeyAssertion, in: nil)
        }
        #expect(error.code == .invalidResponse && error.explanation.contains("'\(name)'") && error.provider == .passkey)
    }

    @Test func listWithoutAnIdentifierIsRefused() async throws {
        for list in [#"{"passkeys":[{"name":"x"}]}"#, #"{"passkeys":{}}"#, "{}"] {
            let repository = ServerFixture.repository(AnsweringTransport([.json(list)]), Self.all)
            let error = try await serverFailure { () throws(AuthError) in
                try await repository.passkeys(of: Self.session)
            }
            #expect(error.code == .invalidResponse)
        }
    }

    @Test func withoutAnEndpointNothingIsSent() async throws {
        let repository = ServerFixture.repository(AnsweringTransport([]))
        #expect(!repository.accepts(.passkey))
        #expect(ServerFixture.repository(AnsweringTransport([]), Self.all, accepting: [.kakao]).accepts(.passkey))
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await repository.prepare(.passkeyAssertion, in: nil) },
            { _ = try await repository.prepare(.passkeyRegistration(isConditional: false), in: ServerFixture.session) },
            { _ = try await repository.signIn(with: .assertion(["id": "AQ"])) },
            { _ = try await repository.link(.assertion(["id": "AQ"]), to: ServerFixture.session) },
            { _ = try await repository.passkeys(of: ServerFixture.session) },
            { _ = try await repository.apply(.removePasskey("a"), to: ServerFixture.session) },
        ]
        for call in calls {
            do {
                try await call()
                Issue.record("It succeeded.")
            } catch { #expect((error as? AuthError)?.code == .unsupportedProvider) }
        }
    }

    @Test func whatIsNoAnswerOfAPasskeyIsNotSent() async throws {
        let repository = ServerFixture.repository(AnsweringTransport([]), Self.all)
        for text in ["", "x", "[]", "7"] {
            var credential = Credential(provider: .passkey, isBound: true)
            credential.passkey = Secret(text)
            let error = try await serverFailure { [credential] () throws(AuthError) in
                try await repository.signIn(with: credential)
            }
            #expect(error.code == .invalidCredential)
        }
    }

    @Test func printedCredentialHidesTheAnswer() {
        let credential = Credential.assertion(["id": "S3CRET"])
        #expect(!"\(credential)".contains("S3CRET") && credential.passkey?.reveal().contains("S3CRET") == true)
    }
}
