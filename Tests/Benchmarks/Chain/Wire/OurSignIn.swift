import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation

/// Sign-ins by the library: its service, providers, repository and transport, all as an app has them.
///
/// The person in front is not the library's, so pages and apps go over the same plain session as on the other side.
struct OurSignIn: Sendable {
    let browser: ScriptedBrowser
    private let auth: AuthService

    @MainActor
    init(at base: URL) {
        let callbacks = CallbackRouter()
        let transport = URLSessionTransport()
        let network = PlainSession()
        let take: @Sendable (URL) -> Bool = { callbacks.handle($0) }
        browser = ScriptedBrowser(transport: network, deliver: take)
        let apps = EmulatedApps(emulator: base, transport: network, next: browser, handle: take)
        let providers = EmulatedProviders(at: base, opener: apps, callbacks: callbacks, transport: transport)
        auth = AuthService(
            repository: FirebaseRepository.emulated(at: base, transport: transport), providers: providers.all,
            store: MemorySessionStore(), callbacks: callbacks)
    }

    /// Signs in once.
    func signIn(with provider: ProviderID) async throws { _ = try await auth.signIn(with: provider).value }
}
