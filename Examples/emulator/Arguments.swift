import AuthStreams
import AuthStreamsTesting
import Foundation

/// The options of the command line.
enum Arguments {
    /// - Parameter opens: Whether to open the dashboard.
    case run(EmulatorConfiguration, port: UInt16, opens: Bool)
    case help
    case schema
    /// The problem of the command line.
    case wrong(String)
    /// The problem of the configuration.
    case misconfigured(String)

    static let defaultPort: UInt16 = 9099
    static let usage = """
        usage: emulator [--config FILE] [--port N] [--open] [--control] [--host H]… [--production-issuers] [--unsigned-tokens]

          --config FILE          its apps, people and rules, in JSON; see --schema
          --port N               the port on 127.0.0.1, \(defaultPort) unless given; 0 takes a free one
          --open                 opens the dashboard in the browser
          --control              lets programs change it over HTTP, with a token that it prints
          --host H               a further host that it answers to, with its port, such as 10.0.2.2:9099 for an Android
                                 emulator
          --production-issuers   ID tokens name Apple's, Google's and Kakao's own issuers, for libraries that accept no other
          --unsigned-tokens      Firebase's tokens have no signature, for Admin SDKs that were told of an emulator
          --schema               the JSON Schema of the configuration
          --help                 this text
        """

    static func read(_ arguments: some Sequence<String>) -> Arguments {
        var (port, file, opens) = (defaultPort, String?.none, false)
        // What the command line says counts more than the file.
        var changes: [(inout EmulatorConfiguration) -> Void] = []
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--help", "-h": return .help
            case "--schema": return .schema
            case "--config":
                guard let path = rest.next() else { return .wrong("--config needs a file.") }
                file = path
            case "--port":
                guard let text = rest.next(), let number = UInt16(text) else {
                    return .wrong("--port needs a number from 0 to 65535.")
                }
                port = number
            case "--host":
                guard let host = rest.next(), !host.isEmpty else {
                    return .wrong("--host needs a host with its port.")
                }
                changes.append { $0.allowedHosts.insert(host) }
            case "--open": opens = true
            case "--control": changes.append { $0.controlToken = Secret(UUID().uuidString) }
            case "--production-issuers": changes.append { $0.issuerNames = .production }
            case "--unsigned-tokens": changes.append { $0.firebase.signsTokens = false }
            default: return .wrong("There is no argument \(argument).")
            }
        }
        do {
            var configuration = EmulatorConfiguration()
            if let file {
                configuration = try EmulatorConfiguration(json: Data(contentsOf: URL(filePath: file)))
            }
            for change in changes { change(&configuration) }
            return .run(configuration, port: port, opens: opens)
        } catch { return .misconfigured("\(file ?? ""): \(error.text)") }
    }
}

extension Error {
    /// What was wrong and what to do.
    var text: String { (self as? AuthError)?.explanation ?? (self is CocoaError ? localizedDescription : "\(self)") }
}
