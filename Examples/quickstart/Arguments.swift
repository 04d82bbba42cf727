import AuthStreams
import AuthStreamsTesting

/// The options of the command line.
struct Arguments {
    var isJSON = false
    var wantsHelp = false
    var providers = Scenario.providers
    var backend = EmulatedDevice.Backend.firebase

    static let usage = """
        Usage: quickstart [--provider NAME] [--backend NAME] [--json]

          --provider NAME   only this provider: \(Scenario.names.joined(separator: ", "))
          --backend NAME    what the app has for a server: \(backends)
          --json            one JSON object per line instead of text
          --help            this text
        """

    private static let backends = EmulatedDevice.Backend.allCases.map(\.rawValue).joined(separator: ", ")

    /// Why the command line is invalid.
    struct Complaint: Error, CustomStringConvertible {
        let description: String
    }

    static func parse(_ words: [String]) -> Result<Arguments, Complaint> {
        var arguments = Arguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": arguments.isJSON = true
            case "--help", "-h": arguments.wantsHelp = true
            case "--provider":
                guard let name = rest.popFirst() else {
                    return .failure(Complaint(description: "--provider needs a name."))
                }
                guard let provider = Scenario.provider(named: name) else {
                    return .failure(Complaint(description: "There is no provider '\(name)'."))
                }
                arguments.providers = [provider]
            case "--backend":
                guard let name = rest.popFirst() else {
                    return .failure(Complaint(description: "--backend needs a name."))
                }
                guard let backend = EmulatedDevice.Backend(rawValue: name.lowercased()) else {
                    return .failure(Complaint(description: "There is no backend '\(name)'."))
                }
                arguments.backend = backend
            default: return .failure(Complaint(description: "'\(word)' is not an option."))
            }
        }
        return .success(arguments)
    }
}
