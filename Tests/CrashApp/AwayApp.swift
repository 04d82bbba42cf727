import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// An app whose person is at a provider's page until the process is ended.
@MainActor
struct AwayApp {
    private let auth: AuthService
    private let store: FileSessionStore

    init(at base: URL, folder: URL) {
        let (callbacks, transport) = (CallbackRouter(), URLSessionTransport.untimed())
        let providers = EmulatedProviders(
            at: base, opener: Announcement(), callbacks: callbacks, googleRedirect: .reversedClientID,
            transport: transport)
        store = FileSessionStore(folder: folder)
        auth = AuthService(
            repository: ServerRepository.emulated(at: base, transport: transport),
            providers: providers.all, store: store, callbacks: callbacks)
    }

    func signIn(with provider: ProviderID) async {
        say("here")
        for await result in auth.signIn(with: provider, using: .web) { say("ended \(result)") }
    }
}

/// Says which page would be opened, and opens none.
private struct Announcement: ApplicationOpener {
    func canOpen(_ url: URL) -> Bool { false }
    var hidesURLs: Bool { true }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        guard !universalLinksOnly else { return nil }
        say(url.absoluteString)
        return .unobservable
    }
}
