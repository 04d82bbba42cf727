import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Where a launch of the app opens pages. They are recorded and not shown.
@MainActor
final class Pages: ApplicationOpener {
    private(set) var opened: [URL] = []
    private var visitBegan = Promise<URL>()
    private let installed: Bool

    init(withApps installed: Bool) { self.installed = installed }

    func canOpen(_ url: URL) -> Bool { installed }
    var hidesURLs: Bool { true }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        guard !universalLinksOnly || installed else { return nil }
        opened.append(url)
        visitBegan.resolve(url)
        return .unobservable
    }

    /// The first page that was opened.
    func first() async throws -> URL { try #require(await visitBegan.value()) }
}

/// One launch of the app.
@MainActor
struct Launch {
    let pages: Pages
    let auth: AuthService

    init(
        at base: URL, _ store: any SessionStore, backend: ColdLaunchTests.Backend = .server,
        clock: AuthClock = .system, withApps installed: Bool = false
    ) {
        pages = Pages(withApps: installed)
        let (callbacks, transport) = (CallbackRouter(), URLSessionTransport.untimed())
        let providers = EmulatedProviders(
            at: base, opener: pages, callbacks: callbacks, googleRedirect: .reversedClientID,
            transport: transport, clock: clock)
        let repository: any AuthRepository =
            switch backend {
            case .firebase: FirebaseRepository.emulated(at: base, transport: transport, clock: clock)
            case .server: ServerRepository.emulated(at: base, transport: transport, clock: clock)
            case .issuer: OpenIDRepository(for: providers.openIDCode)
            }
        auth = AuthService(
            repository: repository, providers: backend == .issuer ? [providers.openIDCode] : providers.all,
            store: store, callbacks: callbacks, clock: clock)
    }
}

/// Signs in, in a launch that is ended at the provider's page.
///
/// - Returns: The answer.
@MainActor
func interruptedSignIn(
    with provider: ProviderID, _ launch: Launch
) async throws -> (callback: URL, attempt: Task<Void, Never>) {
    let attempt = Task { for await _ in launch.auth.signIn(with: provider, using: .web) {} }
    return (try await answer(to: launch.pages.first()), attempt)
}

/// What a process leaves that ends now.
@MainActor
func copy(of store: MemorySessionStore) async throws -> MemorySessionStore {
    let copy = MemorySessionStore()
    for key in [SessionStoreKey.session, .notes] {
        if let data = try await store.read(key).data { try await copy.write(data, for: key) }
    }
    return copy
}

/// The next event of one of those kinds.
@MainActor
func event(
    _ kinds: AuthEvent.Kind..., in events: inout AuthEvents.AsyncIterator
) async -> AuthEvent? {
    while let event = await events.next() { if kinds.contains(event.kind) { return event } }
    return nil
}

@MainActor
func signedInUser(of auth: AuthService) async -> AuthUser? {
    for await state in auth.states { if let user = state.user { return user } }
    return nil
}
