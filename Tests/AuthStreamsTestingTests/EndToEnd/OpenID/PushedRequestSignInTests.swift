import AuthStreams
import AuthStreamsOAuth
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// Sign-ins whose parameters are sent before the page is shown (RFC 9126).
@MainActor
@Suite(.limitedParallelization) struct PushedRequestSignInTests {
    private let clock = ManualClock()

    private func configuration(
        _ pushedRequests: EmulatorConfiguration.Issuer.PushedRequests
    ) -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration(at: clock)
        configuration.issuer.pushedRequests = pushedRequests
        return configuration
    }

    /// An issuer that requires it says so, so that the client need not be configured for it.
    @Test(
        arguments: [
            (.supported, true, 1), (.required, true, 1), (.required, false, 1), (.supported, false, 0),
            (.unsupported, false, 0),
        ] as [(EmulatorConfiguration.Issuer.PushedRequests, Bool, Int)],
        [OpenIDProvider.Redeemer.app, .repository])
    func issuerGetsTheParametersWhereEitherSideAsksForIt(
        row: (support: EmulatorConfiguration.Issuer.PushedRequests, isConfigured: Bool, count: Int),
        redeemer: OpenIDProvider.Redeemer
    ) async throws {
        try await withEmulator(configuration(row.support)) { emulator in
            let client = IssuerClient(at: emulator, redeemer: redeemer, pushesRequests: row.isConfigured)
            try await client.expectSignIn()
            let pushed = emulator.journal.entries.filter { $0.path.hasSuffix("/par/request") }
            #expect(pushed.map(\.status) == Array(repeating: 201, count: row.count))
            // A `request_uri` works once, so the next sign-in pushes again.
            try await client.expectSignIn()
            #expect(emulator.count(of: .issuerPushedAuthorization) == 2 * row.count)
        }
    }

    @Test(
        arguments: [
            (.basic(secret: "a:secret"), .basic(Secret("a:secret"))),
            (.post(secret: "a:secret"), .post(Secret("a:secret"))),
        ] as [(EmulatorConfiguration.Issuer.Authentication, ClientAuthentication)])
    func clientProvesWhoItIsWhenItPushes(
        method: EmulatorConfiguration.Issuer.Authentication, authentication: ClientAuthentication
    ) async throws {
        var configuration = configuration(.required)
        configuration.issuer.authentication = method
        try await withEmulator(configuration) { emulator in
            let client = IssuerClient(at: emulator, authentication: authentication)
            try await client.expectSignIn()
            let other = IssuerClient(at: emulator)
            let error = await #expect(throws: AuthError.self) { try await other.signIn() }
            #expect(error?.code == .misconfigured && error?.serverCode == "invalid_client")
        }
    }

    /// RFC 9126 section 2.2 names status 201, and issuers answer with 200 as well.
    @Test func answerWithStatus200IsTaken() async throws {
        try await withEmulator(configuration(.required)) { emulator in
            emulator.inject(.changedMembers(status: 200), at: .issuerPushedAuthorization)
            try await IssuerClient(at: emulator).expectSignIn()
            #expect(emulator.journal.entries.first { $0.path.hasSuffix("/par/request") }?.status == 200)
        }
    }

    @Test(
        arguments: [
            (.error("invalid_request"), .misconfigured), (.error("invalid_client"), .misconfigured),
            (.error("access_denied"), .misconfigured), (.changedMembers { $0["request_uri"] = nil }, .invalidResponse),
            (.changedMembers { $0["expires_in"] = nil }, .invalidResponse), (.status(405), .invalidResponse),
            (.rateLimited(retryAfter: .seconds(7)), .rateLimited), (.status(503), .server), (.html, .invalidResponse),
            (.dropConnection, .network),
        ] as [(EmulatorFault, AuthError.Code)], [OpenIDProvider.Redeemer.app, .repository])
    func requestThatIsNotTakenShowsNoPage(
        row: (fault: EmulatorFault, code: AuthError.Code), redeemer: OpenIDProvider.Redeemer
    ) async throws {
        try await withEmulator(configuration(.required)) { emulator in
            let client = IssuerClient(at: emulator, redeemer: redeemer)
            emulator.inject(row.fault, at: .issuerPushedAuthorization)
            let error = await #expect(throws: AuthError.self) { try await client.signIn() }
            #expect(error?.code == row.code && error?.step == .presenting && error?.provider == "issuer")
            #expect(client.browser.visits.isEmpty && emulator.count(of: .issuerAuthorize) == 0)
            try await client.expectSignIn()
        }
    }

    /// The issuer says so on its page, where it ends.
    @Test func requestThatExpiresBeforeThePageEndsWithoutAnAnswer() async throws {
        try await withEmulator(configuration(.required)) { emulator in
            let client = IssuerClient(at: emulator)
            emulator.inject(.onArrival { [clock] in clock.advance(by: .seconds(61)) }, at: .issuerAuthorize)
            let error = await #expect(throws: AuthError.self) { try await client.signIn() }
            #expect(error?.code == .abandoned)
            #expect(client.browser.visits.last?.pages.map(\.status) == [400])
            #expect(emulator.count(of: .issuerToken) == 0)
            try await client.expectSignIn()
        }
    }

    /// Metadata that do not say what the issuer requires.
    @Test func issuerThatRequiresItWithoutSayingSoRefusesThePage() async throws {
        try await withEmulator(configuration(.required)) { emulator in
            let client = IssuerClient(at: emulator)
            emulator.inject(
                .changedMembers { $0["require_pushed_authorization_requests"] = nil }, at: .issuerMetadata)
            let error = await #expect(throws: AuthError.self) { try await client.signIn() }
            #expect(error?.code == .misconfigured && error?.serverCode == "invalid_request")
            #expect(emulator.count(of: .issuerPushedAuthorization) == 0 && emulator.count(of: .issuerToken) == 0)
        }
    }
}
