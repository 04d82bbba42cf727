import AuthStreams
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
              \(Self.table(secrets.filter { !$0.value.contains("\n") }))
            \(keys)

            Point an app at it
              Give every provider and repository this base URL; that, and plain http, is all that differs:
              \(base)
              From a shell: curl '\(base)/kauth.kakao.com/.well-known/openid-configuration'
            \(signatures)
            \(control)
            Ctrl-C ends it.

            """
    }

    private let secrets: [(name: String, value: String)]

    init(emulator: Emulator) { (self.emulator, secrets) = (emulator, emulator.configuration.secrets) }

    /// The keys of several lines, which begin at the margin, so that they can be copied.
    private var keys: String {
        secrets.filter { $0.value.contains("\n") }.map { "\n\($0.name)\n\($0.value)" }.joined(separator: "\n")
    }

    private static func table(_ rows: [(name: String, value: String)]) -> String {
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        return rows.map { $0.name + String(repeating: " ", count: width - $0.name.count) + $0.value }
            .joined(separator: "\n  ")
    }

    private var control: String {
        guard let token = emulator.configuration.controlToken?.reveal() else {
            return "Control over HTTP: off; --control turns it on"
        }
        return """
            Control over HTTP: the configuration below \(emulator.baseURL)/emulator/control, such as
              curl -H 'Authorization: Bearer \(token)' -X PUT -d 3600 \(emulator.baseURL)/emulator/control/clock
            """
    }

    private var signatures: String {
        emulator.signsTokens ? "" : "\n  This system has no libcrypto, so tokens are not signed.\n"
    }
}
