import AuthStreams
import AuthStreamsTesting
import Foundation

/// A phone with the app, in front of emulated servers.
@MainActor
struct Phone {
    let person: Person
    let auth: AuthService

    /// - Parameter emulator: The emulator's URL.
    init(at emulator: URL) {
        let (callbacks, network) = (CallbackRouter(), URLSessionTransport())
        let browser = ScriptedBrowser(transport: network) { callbacks.handle($0) }
        let apps = EmulatedApps(emulator: emulator, transport: network, next: browser) { callbacks.handle($0) }
        person = Person(apps, browser)
        auth = AuthService(
            repository: ServerRepository.emulated(at: emulator, transport: network),
            providers: EmulatedProviders(at: emulator, opener: person, callbacks: callbacks, transport: network).all,
            store: MemorySessionStore(), callbacks: callbacks)
    }
}
