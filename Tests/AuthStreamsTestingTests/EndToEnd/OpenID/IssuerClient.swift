import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

@testable import AuthStreamsTesting

/// A client of the emulated issuer, and a person who agrees at its page.
@MainActor struct IssuerClient {
    /// The person who agrees.
    nonisolated static let user = EmulatorConfiguration.Issuer().users[0]

    let provider: OpenIDProvider
    let repository: OpenIDRepository
    let browser: ScriptedBrowser
    private let redeemer: OpenIDProvider.Redeemer

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - sharedSecret: The secret that signs the ID tokens for this client, if it is registered for that.
    ///   - pushesRequests: Whether the parameters of the page are sent before it is shown.
    init(
        at emulator: Emulator, redeemer: OpenIDProvider.Redeemer = .repository,
        authentication: ClientAuthentication = .publicClient, sharedSecret: Secret? = nil, pushesRequests: Bool = false
    ) {
        let callbacks = CallbackRouter()
        // No request of a busy machine times out.
        let transport = EmulatorTransport(
            to: emulator, clock: ManualClock().authClock(startingAt: .distantPast))
        browser = ScriptedBrowser(transport: transport) { callbacks.handle($0) }
        let agent = SystemBrowser(opener: browser, callbacks: callbacks, grace: .zero)
        var configuration = OpenIDProvider.Configuration(
            "issuer", issuer: emulator.url(for: EmulatorConfiguration.Issuer.identifier).absoluteString,
            clientID: emulator.configuration.issuer.clientID, authentication: authentication,
            redirect: .redirect(URL(literal: "com.example.pulseboard:/callback")))
        configuration.idTokenRules = { $0.sharedSecret = sharedSecret }
        configuration.pushesAuthorizationRequests = pushesRequests
        provider = OpenIDProvider(
            configuration, redeemer: redeemer, userAgent: agent, transport: transport,
            clock: emulator.configuration.clock)
        repository = OpenIDRepository(for: provider)
        self.redeemer = redeemer
    }

    /// Signs in. The app knows the identifier alone, the repository also the claims about the person.
    func signIn() async throws(AuthError) -> AuthUser {
        guard redeemer == .app else { return try await session().user }
        return AuthUser(id: try await provider.authenticate().value.userID ?? "")
    }

    /// Signs in, and expects the person who agrees.
    func expectSignIn(sourceLocation: SourceLocation = #_sourceLocation) async throws(AuthError) {
        let user = try await signIn()
        #expect(user.id == Self.user.id, sourceLocation: sourceLocation)
    }

    /// Signs in, and returns the user or the error.
    func signInResult() async -> Result<AuthUser, AuthError> {
        do throws(AuthError) { return .success(try await signIn()) } catch { return .failure(error) }
    }

    /// Signs in by the repository.
    func session() async throws(AuthError) -> AuthSession {
        try await repository.signIn(with: try await provider.authenticate().value)
    }

    /// Shows the issuer's page to log out at.
    func logOut() async throws(AuthError) {
        try await repository.endSession(redirect: .redirect(URL(literal: "com.example.pulseboard:/goodbye"))).value
    }
}

extension Result where Success == AuthUser {
    /// The user of an attempt that succeeded.
    var user: AuthUser? { try? get() }
}

extension EmulatorEndpoint {
    /// Where the person's answer at the issuer's page is sent, which redirects to the app.
    static let issuerConsent = Self(host: EmulatorConfiguration.Issuer.host, path: ConsentPage.path)
}

extension Emulator {
    /// Returns how many requests came to an endpoint, leaving out the first ones of the journal.
    func count(of endpoint: EmulatorEndpoint, after first: Int = 0) -> Int {
        journal.entries.dropFirst(first).count { endpoint.matches(host: $0.host, path: $0.path) }
    }
}
