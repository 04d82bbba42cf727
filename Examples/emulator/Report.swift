import AuthStreamsTesting
import Foundation

/// The program's text about a running emulator.
struct Report {
    let emulator: Emulator

    var text: String {
        let base = emulator.baseURL.absoluteString
        let clients = emulator.configuration.clientIDs
        let width = clients.map(\.name.count).max() ?? 0
        return """
            AuthStreams emulator
              \(base)   open it in a browser and sign in

            Services: what production serves at https://HOST/PATH is at \(base)/HOST/PATH
              \(emulator.hosts.joined(separator: "\n  "))

            Clients
              \(clients.map { $0.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.id }
            .joined(separator: "\n  "))

            Point an app at it
              Give every provider and repository this base URL; that, and plain http, is all that differs:
              \(base)
              From a shell: curl '\(emulator.url(for: "https://kauth.kakao.com/.well-known/openid-configuration"))'
            \(signatures)
            Ctrl-C ends it.

            """
    }

    private var signatures: String {
        emulator.signsTokens ? "" : "\n  This system has no libcrypto, so tokens are not signed.\n"
    }
}
