import AuthStreams

/// The options of the command line.
struct Arguments {
    /// The keys to press instead of a person.
    var script: [Key]?
    var texts = AuthErrorTexts.preferred()
    var wantsHelp = false

    static let usage = """
        Usage: pulseboard [--script [KEYS]] [--language NAME]

          --script [KEYS]   presses these keys, and writes down what the app shows; a tour of all screens unless given
          --language NAME   the language of the toasts: en, ko
          --help            this text

        Keys: \(Key.allCases.map { "\($0.rawValue) \($0.title)" }.joined(separator: ", "))
        """

    /// Why the command line is invalid.
    struct Complaint: Error, CustomStringConvertible {
        let description: String
    }

    static func parse(_ words: [String]) -> Result<Arguments, Complaint> {
        var arguments = Arguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": arguments.wantsHelp = true
            case "--language":
                guard let name = rest.popFirst() else {
                    return .failure(Complaint(description: "--language needs a name."))
                }
                guard let texts = texts(in: name) else {
                    return .failure(Complaint(description: "There are no texts in '\(name)'."))
                }
                arguments.texts = texts
            case "--script":
                let keys = rest.first.map { $0.hasPrefix("-") } ?? true ? Key.tour : rest.removeFirst()
                guard let script = script(keys) else {
                    return .failure(Complaint(description: "'\(keys)' has a key that does not exist."))
                }
                arguments.script = script
            default: return .failure(Complaint(description: "'\(word)' is not an option."))
            }
        }
        return .success(arguments)
    }

    private static func texts(in language: String) -> AuthErrorTexts? {
        switch language {
        case "en": .english
        case "ko": .korean
        default: nil
        }
    }

    private static func script(_ keys: String) -> [Key]? {
        let keys = keys.filter { $0 != " " }
        let known = keys.compactMap(Key.init)
        return known.count == keys.count ? known : nil
    }
}
