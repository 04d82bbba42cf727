import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting

/// Gets credentials of an emulator's people, by a browser, without a network.
struct EmulatedCredentials: Sendable {
    private let emulator: Emulator
    private let network: EmulatorTransport

    init(at emulator: Emulator) {
        self.emulator = emulator
        network = EmulatorTransport(to: emulator, clock: emulator.configuration.clock)
    }

    /// A new credential: of the provider's first user unless said otherwise.
    @MainActor
    func get(
        _ provider: @Sendable (EmulatedProviders) -> any AuthProvider, as user: String? = nil,
        hashingNonce hashesNonce: Bool = false
    ) async throws -> Credential {
        let callbacks = CallbackRouter()
        let answer = user.map { ScriptedBrowser.Answer.approve(as: $0) } ?? .approve
        let browser = ScriptedBrowser(answer, transport: network) { callbacks.handle($0) }
        let providers = EmulatedProviders(
            at: emulator.baseURL, apps: emulator.configuration, opener: browser, callbacks: callbacks,
            googleRedirect: .reversedClientID, transport: network, clock: emulator.configuration.clock)
        var request = AuthRequest()
        request.hashesNonce = hashesNonce
        return try await provider(providers).authenticate(request).value
    }
}
