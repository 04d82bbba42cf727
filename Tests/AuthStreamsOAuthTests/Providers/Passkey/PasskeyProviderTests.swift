import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams
@testable import AuthStreamsOAuth

/// What the provider asks the server and the device for, and what it refuses before it does.
@Suite struct PasskeyProviderTests {
    /// A device that notes what it is asked for.
    private final class Device: PasskeyAuthenticator {
        let asked = Lock([(domain: String?, mediation: SignInMethod.Kind, isNew: Bool)]())
        /// Resolved when the person chooses; from the beginning unless the test changes it.
        let choice = Lock<Promise<Void>?>(nil)

        func assertion(
            _ options: PublicKeyCredentialRequestOptionsJSON, mediation: SignInMethod.Kind,
            in presentation: PresentationContext
        ) async throws(AuthError) -> AuthenticationResponseJSON {
            asked.withLock { $0.append((options.rpID, mediation, false)) }
            if let choice = choice.withLock({ $0 }), await choice.value() == nil {
                throw AuthError(.cancelled, "The suggestions were taken away.")
            }
            return AuthenticationResponseJSON(
                credentialID: Data([1]), rawClientDataJSON: Data("{}".utf8), rawAuthenticatorData: Data([2]),
                signature: Data([3]), userID: nil)
        }

        func registration(
            _ options: PublicKeyCredentialCreationOptionsJSON, mediation: SignInMethod.Kind,
            in presentation: PresentationContext
        ) async throws(AuthError) -> RegistrationResponseJSON {
            asked.withLock { $0.append((options.rp.id, mediation, true)) }
            throw AuthError(.passkeyExists, "It has one.")
        }
    }

    private let device = Device()
    private let prepared = Lock([Preparation]())

    private func options(_ domain: AuthJSON? = "example.com", timeout: AuthJSON = .null) -> AuthJSON {
        var members: [String: AuthJSON] = ["challenge": "AAECAwQFBgcICQoLDA0ODw"]
        members["rpId"] = domain
        members["timeout"] = timeout
        members["rp"] = ["name": "Example"]
        if let domain { members["rp"] = ["name": "Example", "id": domain] }
        members["user"] = ["id": "AQ", "name": "mina", "displayName": ""]
        members["pubKeyCredParams"] = []
        return ["publicKey": .object(members), "members": ["flow": "f-1"]]
    }

    private func attempt(
        _ request: AuthRequest = AuthRequest(), domain: String? = nil, answer: AuthJSON
    ) async -> Result<Credential, AuthError> {
        var request = request
        request.prepare = { [prepared] preparation in
            prepared.withLock { $0.append(preparation) }
            return answer
        }
        return await PasskeyProvider(authenticator: device, relyingPartyID: domain).authenticate(request).result
    }

    private func failure(_ result: Result<Credential, AuthError>) -> AuthError? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test func credentialIsTheAnswerWithTheMembersOfTheServer() async throws {
        let credential = try await attempt(answer: options()).get()
        #expect(credential.provider == .passkey && credential.isBound && credential.members == ["flow": Secret("f-1")])
        let json = try #require(credential.passkey.flatMap { AuthJSON(json: Data($0.reveal().utf8)) })
        #expect(json["id"] == "AQ" && json["response"]?["signature"] == "Aw" && json["type"] == "public-key")
        #expect(prepared.withLock { $0 } == [.passkeyAssertion])
    }

    @Test(
        arguments: [nil, SignInMethod.Kind.sheet, .immediate, .conditional],
        [AuthRequest.Purpose.signIn, .reauthenticate, .link])
    func purposeAndKindDecideWhatIsAsked(_ kind: SignInMethod.Kind?, _ purpose: AuthRequest.Purpose) async throws {
        let result = await attempt(AuthRequest(purpose: purpose, methodKind: kind), answer: options())
        let asked = device.asked.withLock { $0 }
        guard purpose != .link || kind != .immediate else {
            #expect(failure(result)?.code == .unsupportedProvider && asked.isEmpty)
            #expect(prepared.withLock(\.isEmpty))
            return
        }
        #expect(asked.map(\.mediation) == [kind ?? .sheet] && asked.map(\.isNew) == [purpose == .link])
        let preparation: Preparation =
            purpose == .link ? .passkeyRegistration(isConditional: kind == .conditional) : .passkeyAssertion
        #expect(prepared.withLock { $0 } == [preparation])
    }

    /// The server may not know its options any more after their time.
    @Test(arguments: [
        (AuthJSON.null, Duration.seconds(300)), (.integer(40_000), .seconds(20)), (.integer(1), .seconds(10)),
    ])
    func suggestionsAreRenewedAtHalfOfTheServersTimeOrAfterTenSeconds(timeout: AuthJSON, wait: Duration) async throws {
        let (clock, choice) = (ManualClock(), Promise<Void>())
        device.choice.withLock { $0 = choice }
        let provider = PasskeyProvider(authenticator: device, clock: clock.authClock(startingAt: Date()))
        var request = AuthRequest(methodKind: .conditional)
        request.prepare = { [prepared, options = options(timeout: timeout)] preparation in
            prepared.withLock { $0.append(preparation) }
            return options
        }
        let attempt = Task { [request] in await provider.authenticate(request).result }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: wait - .nanoseconds(1))
        #expect(prepared.withLock(\.count) == 1)
        clock.advance(by: .nanoseconds(1))
        try await TestSupport.wait(for: "other options") { device.asked.withLock(\.count) == 2 }
        choice.resolve(())
        #expect(failure(await attempt.value) == nil && prepared.withLock(\.count) == 2)
    }

    @Test func domainIsTheServersOrTheApps() async throws {
        for purpose in [AuthRequest.Purpose.signIn, .link] {
            let request = AuthRequest(purpose: purpose)
            _ = await attempt(request, answer: options())
            _ = await attempt(request, domain: "example.com", answer: options())
            _ = await attempt(request, domain: "example.com", answer: options(nil))
            #expect(
                device.asked.withLock { $0.suffix(3).map(\.domain) } == ["example.com", "example.com", "example.com"])
            let count = device.asked.withLock(\.count)
            for result in [
                await attempt(request, answer: options(nil)),
                await attempt(request, domain: "other.example", answer: options()),
            ] {
                #expect(failure(result)?.code == .misconfigured && failure(result)?.provider == .passkey)
            }
            #expect(device.asked.withLock(\.count) == count)
        }
    }

    @Test(arguments: [AuthJSON.null, [:], ["publicKey": "x"], ["publicKey": ["challenge": "%"]]])
    func malformedOptionsAreRefused(_ answer: AuthJSON) async throws {
        for purpose in [AuthRequest.Purpose.signIn, .link] {
            let error = failure(await attempt(AuthRequest(purpose: purpose), answer: answer))
            #expect(error?.code == .invalidResponse && error?.step == .presenting)
        }
        #expect(device.asked.withLock(\.isEmpty))
    }

    @Test func deviceDecidesAboutANewPasskey() async throws {
        let error = failure(await attempt(AuthRequest(purpose: .link), answer: options()))
        #expect(error?.code == .passkeyExists && error?.provider == .passkey)
    }

    @Test func promptNoneAndUnknownKindsAreRefused() async throws {
        for request in [AuthRequest(methodKind: "app"), AuthRequest(prompts: [.none])] {
            #expect(failure(await attempt(request, answer: options()))?.code == .unsupportedProvider)
        }
        #expect(prepared.withLock(\.isEmpty))
    }

    @Test func attemptOutsideOfAUseCaseSaysWhatToDo() async throws {
        let error = failure(await PasskeyProvider(authenticator: device).authenticate().result)
        #expect(error?.code == .misconfigured && error?.explanation.contains("AuthService") == true)
    }

    @Test func errorOfTheServerEndsTheAttempt() async throws {
        var request = AuthRequest()
        request.prepare = { _ in throw AuthError(.rateLimited, "Too many.", retryAfter: .seconds(9)) }
        let error = failure(await PasskeyProvider(authenticator: device).authenticate(request).result)
        #expect(error?.code == .rateLimited && error?.retryAfter == .seconds(9))
        #expect(device.asked.withLock(\.isEmpty))
    }
}
