import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

@testable import FirstHour

@MainActor
struct Phone {
    let browser: ScriptedBrowser
    let auth: AuthService

    init(at emulator: URL) {
        let network = URLSessionTransport.untimed()
        var platform = AuthPlatform(
            store: MemorySessionStore(),
            opener: ScriptedBrowser(transport: network), redirect: .appURL
        ) {
            SystemBrowser(opener: $0.opener, callbacks: $0.callbacks)
        }
        let callbacks = platform.callbacks
        browser = ScriptedBrowser(transport: network) { callbacks.handle($0) }
        platform.opener = browser
        auth = .emulated(at: emulator, on: platform)
    }
}
