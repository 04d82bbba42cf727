import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// Sign-ins by the whole library without a network: provider, use case, repository, manager and store.
///
/// The answers are those of one real sign-in against the emulator, tokens included, and so everything is checked that would
/// be: state, nonce, claims, signature. To fit them, each attempt has the secrets of that one, after it made its own.
struct MemorySignIn: Sendable {
    private let provider: ProviderID
    private let auth: AuthService

    /// Signs in for real, so that there is something to repeat.
    static func recorded(with provider: ProviderID) async throws -> MemorySignIn {
        try await withEmulator { emulator in
            let callbacks = CallbackRouter()
            let recording = Recording(of: URLSessionTransport()) { callbacks.handle($0) }
            let signIn = await MemorySignIn(provider, at: emulator.baseURL, callbacks, recording)
            // The first one fetches the issuer's keys, which stay.
            try await signIn()
            recording.begin()
            try await signIn()
            recording.finish()
            // An attempt that the answers do not fit would be a failure that is measured.
            try await signIn()
            return signIn
        }
    }

    @MainActor
    private init(_ provider: ProviderID, at base: URL, _ callbacks: CallbackRouter, _ recording: Recording) {
        self.provider = provider
        let network = PlainSession()
        let browser = ScriptedBrowser(transport: network) { recording.receive($0) }
        let apps = EmulatedApps(emulator: base, transport: network, next: browser) { recording.receive($0) }
        auth = AuthService(
            repository: FirebaseRepository.emulated(at: base, transport: recording),
            providers: Self.providers(at: base, callbacks, recording, RecordedApps(recording, apps: apps)),
            store: MemorySessionStore(),
            callbacks: callbacks)
    }

    /// Signs in once.
    func callAsFunction() async throws { _ = try await auth.signIn(with: provider).value }

    private static func providers(
        at base: URL, _ callbacks: CallbackRouter, _ recording: Recording, _ apps: RecordedApps
    ) -> [any AuthProvider] {
        let secrets = AttemptSecrets()
        let makeSecrets: @Sendable () -> AttemptSecrets = {
            consume(AttemptSecrets())
            return secrets
        }
        let emulated = EmulatedProviders(at: base, opener: apps, callbacks: callbacks, transport: recording)
        var (apple, kakao) = (emulated.apple, emulated.kakao)
        apple.makeSecrets = makeSecrets
        kakao.makeSecrets = makeSecrets
        // A listener would be a network, so Google comes back as it does on a phone.
        var google = GoogleProvider(
            clientID: EmulatorConfiguration().google.iOS.id, redirect: .reversedClientID,
            userAgent: SystemBrowser(opener: apps, callbacks: callbacks), transport: recording,
            endpoints: .emulator(at: base))
        google.makeSecrets = makeSecrets
        return [apple, google, kakao, emulated.naver]
    }
}
