import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

extension EmulatedPhone {
    private var now: AuthClock { clock.authClock(startingAt: Date(timeIntervalSince1970: 1_700_000_000)) }

    private var agent: SystemBrowser { SystemBrowser(opener: browser, callbacks: callbacks, clock: now) }

    /// Google, as the emulator's client of type Desktop or iOS.
    func google(_ redirect: GoogleProvider.Redirect, serverClientID: String? = nil) -> GoogleProvider {
        let clients = emulator.configuration.google
        let client = redirect == .loopback ? clients.desktop : clients.iOS
        return GoogleProvider(
            clientID: client.id, clientSecret: client.secret.map(Secret.init), serverClientID: serverClientID,
            redirect: redirect, userAgent: agent, transport: transport, clock: now,
            endpoints: .emulator(at: emulator.baseURL))
    }

    /// Apple by its page and the emulator's relay.
    func apple() throws -> AppleWebProvider {
        let app = emulator.configuration.apple
        return AppleWebProvider(
            servicesID: app.servicesID, relayURL: emulator.url(for: "https://apple-relay.example/callback"),
            callback: try url(app.relayCallback), userAgent: agent, transport: transport, clock: now,
            endpoints: .emulator(at: emulator.baseURL))
    }
}
