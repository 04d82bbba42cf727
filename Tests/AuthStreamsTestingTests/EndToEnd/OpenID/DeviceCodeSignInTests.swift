import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// Sign-ins of a whole service by a code that the person enters on another device (RFC 8628).
@MainActor
@Suite(.limitedParallelization) struct DeviceCodeSignInTests {
    private let clock = ManualClock()

    private var configuration: EmulatorConfiguration {
        var configuration = EmulatorConfiguration(at: clock)
        configuration.issuer.acceptsDeviceCodes = true
        return configuration
    }

    /// The service of a television, and the phone of the person who answers.
    @MainActor private struct Television {
        let auth: AuthService
        let phone: ScriptedBrowser
        let code = Promise<UserCode>()

        /// - Parameters:
        ///   - server: The app's own server; `nil` if the issuer's tokens are the session.
        ///   - usesDPoP: Whether the tokens are to be bound to a key.
        init(
            at emulator: Emulator, _ answer: ScriptedBrowser.Answer, store: any SessionStore = MemorySessionStore(),
            server: ScriptedRepository? = nil, usesDPoP: Bool = false
        ) {
            let transport = EmulatorTransport.untimed(to: emulator)
            phone = ScriptedBrowser(answer, transport: transport)
            let (name, clientID) = (
                emulator.url(for: EmulatorConfiguration.Issuer.identifier).absoluteString,
                emulator.configuration.issuer.clientID
            )
            let platform = AuthPlatform.isolated(
                store: store, transport: transport, clock: emulator.configuration.clock)
            if let server {
                auth = AuthService(
                    .repository(server), providers: [.deviceCode("issuer", issuer: name, clientID: clientID)],
                    platform: platform)
            } else {
                var issuer = OpenIDProvider.Configuration(
                    "issuer", issuer: name, clientID: clientID, redirect: .loopback(path: "/callback/openid"))
                issuer.usesDPoP = usesDPoP
                auth = AuthService(.openID(issuer), providers: [.deviceCode(issuer)], platform: platform)
            }
        }

        func signIn() async -> Result<AuthUser, AuthError> {
            let presenter = auth.presenting { [code] prompt in _ = prompt?.userCode.map { code.resolve($0) } }
            defer { presenter.cancel() }
            do throws(AuthError) { return .success(try await auth.signIn(with: "issuer").value.user) } catch {
                return .failure(error)
            }
        }

        /// Opens the page of the code, and waits until the person has answered there.
        func answerOnThePhone() async throws {
            let page = try #require(await code.value()?.verificationURIComplete)
            _ = await phone.open(page, universalLinksOnly: false)
            await phone.waitUntilSettled()
            #expect(phone.visits.last?.outcome == .arrived)
        }
    }

    /// Moves the clock by five seconds, and waits for the request that follows. The prompt's expiry is the other sleeper.
    private func letTheTelevisionAsk(_ emulator: Emulator) async throws {
        let count = emulator.journal.entries.count
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(5))
        await emulator.journal.waitForRequest {
            $0.number > count && EmulatorEndpoint.issuerToken.matches(host: $0.host, path: $0.path)
        }
        // The request is listed before the issuer has looked at the code.
        try await wait(for: "the issuer's answer") { emulator.journal.entries.allSatisfy { $0.status != nil } }
    }

    @Test func personSignsInTheTelevisionFromThePhone() async throws {
        try await withEmulator(configuration) { emulator in
            let store = MemorySessionStore()
            let television = Television(at: emulator, .approve(as: IssuerClient.user.id), store: store)
            async let attempt = television.signIn()
            _ = await television.code.value()
            try await letTheTelevisionAsk(emulator)
            #expect(television.auth.state == .signingIn("issuer", .waitingForAnswer))
            try await television.answerOnThePhone()
            try await letTheTelevisionAsk(emulator)
            let user = try await attempt.get()
            #expect(user.id == IssuerClient.user.id && user.displayName == IssuerClient.user.name)
            #expect(emulator.count(of: .issuerToken) == 2 && emulator.count(of: .issuerDeviceAuthorization) == 1)

            // The issuer's tokens are the session of a public client, which is refreshed and ended as any other.
            let first = try await television.auth.accessToken()
            #expect(emulator.issuer.accepts(accessToken: first))
            let second = try await television.auth.accessToken(forceRefresh: true)
            #expect(second != first && emulator.issuer.accepts(accessToken: second))
            try await television.auth.signOut()
            #expect(emulator.count(of: .issuerRevocation) == 1 && !emulator.issuer.accepts(accessToken: second))
        }
    }

    /// The server receives the ID token, as from the issuer's page.
    @Test func serverOfTheAppReceivesTheIDToken() async throws {
        try await withEmulator(configuration) { emulator in
            let credentials = Lock([Credential]())
            let server = ScriptedRepository(establish: { credential in
                credentials.withLock { $0.append(credential) }
                return ScriptedRepository.session(of: credential)
            })
            let television = Television(at: emulator, .approve, server: server)
            async let attempt = television.signIn()
            try await television.answerOnThePhone()
            #expect(emulator.count(of: .issuerDevicePage) == 1)
            try await letTheTelevisionAsk(emulator)
            #expect(try await attempt.get().id == "issuer:\(IssuerClient.user.id)")
            let credential = try #require(credentials.withLock { $0.first })
            let token = try #require(credential.idToken.flatMap { JSONWebToken($0) })
            #expect(token.claims["sub"] == .string(IssuerClient.user.id) && credential.accessToken != nil)
        }
    }

    @Test func personDeclinesOnThePhone() async throws {
        try await withEmulator(configuration) { emulator in
            let television = Television(at: emulator, .deny)
            async let attempt = television.signIn()
            try await television.answerOnThePhone()
            try await letTheTelevisionAsk(emulator)
            guard case .failure(let error) = await attempt else {
                Issue.record("The television was signed in.")
                return
            }
            #expect(error.code == .accessDenied && error.provider == "issuer" && television.auth.user == nil)
        }
    }

    @Test(
        arguments: [
            (.error("invalid_client"), .misconfigured), (.error("unauthorized_client"), .misconfigured),
            (.changedMembers { $0["device_code"] = nil }, .invalidResponse), (.html, .invalidResponse),
            (.rateLimited(retryAfter: .seconds(7)), .rateLimited), (.status(503), .server),
            (.dropConnection, .network),
        ] as [(EmulatorFault, AuthError.Code)])
    func issuerThatGivesNoCodeEndsTheAttempt(fault: EmulatorFault, code: AuthError.Code) async throws {
        try await withEmulator(configuration) { emulator in
            emulator.inject(fault, at: .issuerDeviceAuthorization)
            let television = Television(at: emulator, .approve)
            guard case .failure(let error) = await television.signIn() else {
                Issue.record("The television was signed in.")
                return
            }
            #expect(error.code == code && television.code.current == nil && emulator.count(of: .issuerToken) == 0)
        }
    }

    @Test func issuerWithoutCodesIsNamed() async throws {
        try await withEmulator(EmulatorConfiguration(at: clock)) { emulator in
            guard case .failure(let error) = await Television(at: emulator, .approve).signIn() else {
                Issue.record("The television was signed in.")
                return
            }
            #expect(error.code == .misconfigured && error.explanation.contains("device_authorization_endpoint"))
        }
    }

    /// The person answers at the page of the code that the phone's camera read, while the issuer's answers are lost.
    @Test func signInOutlastsAnIssuerThatFailsForAWhile() async throws {
        try await withEmulator(configuration) { emulator in
            emulator.inject(.status(503), at: .issuerToken)
            let television = Television(at: emulator, .approve)
            async let attempt = television.signIn()
            try await television.answerOnThePhone()
            try await letTheTelevisionAsk(emulator)
            await clock.waitForSleepers(count: 2)
            clock.advance(by: .seconds(10))
            #expect(try await attempt.get().id == IssuerClient.user.id)
            #expect(emulator.count(of: .issuerToken) == 2)
        }
    }

    /// The tokens are presented again by the service, so that they must not be ended in between.
    @Test(arguments: [.status(503), .rateLimited(retryAfter: .seconds(1))] as [EmulatorFault])
    func signInOutlastsAnIssuerThatFailsAfterTheTokens(fault: EmulatorFault) async throws {
        try await withEmulator(configuration) { emulator in
            let television = Television(at: emulator, .approve)
            async let attempt = television.signIn()
            try await television.answerOnThePhone()
            // The repository has metadata of its own.
            emulator.inject(fault, at: .issuerMetadata)
            let count = emulator.journal.entries.count
            try await letTheTelevisionAsk(emulator)
            // By then the prompt is over, and its sleeper gone.
            await emulator.journal.waitForRequest {
                $0.number > count && EmulatorEndpoint.issuerMetadata.matches(host: $0.host, path: $0.path)
            }
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(2))
            #expect(try await attempt.get().id == IssuerClient.user.id)
            #expect(emulator.count(of: .issuerToken) == 1 && emulator.count(of: .issuerRevocation) == 0)
            let token = try await television.auth.accessToken()
            #expect(emulator.issuer.accepts(accessToken: token))
        }
    }

    /// The issuer has forgotten the code by then, and says no more than `invalid_grant`.
    @Test func televisionThatWasAsleepForAnHourNeedsAnotherCode() async throws {
        try await withEmulator(configuration) { emulator in
            let television = Television(at: emulator, .approve)
            async let attempt = television.signIn()
            _ = await television.code.value()
            await clock.waitForSleepers(count: 2)
            clock.advance(by: .seconds(3600))
            guard case .failure(let error) = await attempt else {
                Issue.record("The television was signed in.")
                return
            }
            #expect(error.code == .timedOut && error.serverCode == "invalid_grant")
            #expect(emulator.count(of: .issuerToken) == 1)
        }
    }

    /// RFC 9449 section 5: each request for tokens proves the key, and so does each refresh.
    @Test(.enabled(if: Signatures.isAvailable), arguments: [false, true])
    func tokensOfATelevisionAreBoundToItsKey(demandsNonces: Bool) async throws {
        var configuration = configuration
        (configuration.issuer.dpop, configuration.issuer.demandsDPoPNonces) = (.required, demandsNonces)
        try await withEmulator(configuration) { emulator in
            let store = MemorySessionStore()
            let television = Television(at: emulator, .approve, store: store, usesDPoP: true)
            async let attempt = television.signIn()
            _ = await television.code.value()
            try await television.answerOnThePhone()
            try await letTheTelevisionAsk(emulator)
            #expect(try await attempt.get().id == IssuerClient.user.id)
            func thumbprint() async throws -> String? {
                RecordSnapshot(try await store.read(.session)).session?.session?.keyThumbprint
            }
            let key = try #require(try await thumbprint())
            let first = try await television.auth.accessToken()
            let second = try await television.auth.accessToken(forceRefresh: true)
            #expect(second != first && emulator.issuer.accepts(accessToken: second))
            #expect(try await thumbprint() == key)
        }
    }
}
