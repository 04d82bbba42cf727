import AuthStreamsTesting
import Foundation

/// The program's text about a running emulator.
struct Report {
    let emulator: Emulator

    var text: String {
        let base = emulator.baseURL.absoluteString
        return """
            AuthStreams emulator
              \(base)   open it in a browser and sign in

            Services: what production serves at https://HOST/PATH is at \(base)/HOST/PATH
              \(emulator.hosts.joined(separator: "\n  "))

            Clients
              \(Self.table(emulator.configuration.clientIDs.map { ($0.name, $0.id) }))

            Secrets of a back end; they are public, so let nothing real trust them
              \(Self.table(emulator.configuration.secrets.map { ($0.name, $0.value) }))

            Point an app at it
              Give every provider and repository this base URL; that, and plain http, is all that differs:
              \(base)
              From a shell: curl '\(emulator.url(for: "https://kauth.kakao.com/.well-known/openid-configuration"))'
            \(signatures)
            Ctrl-C ends it.

            """
    }

    /// Rows of a name and a value, which may have several lines.
    private static func table(_ rows: [(name: String, value: String)]) -> String {
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        let indented = rows.map { name, value in
            let lines = value.replacing("\n", with: "\n" + String(repeating: " ", count: width))
            return name.padding(toLength: width, withPad: " ", startingAt: 0) + lines
        }
        return indented.joined(separator: "\n").replacing("\n", with: "\n  ")
    }

    private var signatures: String {
        emulator.signsTokens ? "" : "\n  This system has no libcrypto, so tokens are not signed.\n"
    }
}
