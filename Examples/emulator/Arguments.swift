import AuthStreamsTesting

/// The options of the command line.
enum Arguments: Equatable {
    case run(
        port: UInt16, hosts: Set<String> = [], issuers: EmulatorConfiguration.IssuerNames = .served,
        signsTokens: Bool = true)
    case help
    /// The problem of the command line.
    case wrong(String)

    static let defaultPort: UInt16 = 9099
    static let usage = """
        usage: emulator [--port N] [--host H]… [--production-issuers] [--unsigned-tokens]

          --port N               the port on 127.0.0.1, \(defaultPort) unless given; 0 takes a free one
          --host H               a further host that it answers to, with its port, such as 10.0.2.2:9099 for an Android
                                 emulator
          --production-issuers   ID tokens name Apple's, Google's and Kakao's own issuers, for libraries that accept no other
          --unsigned-tokens      Firebase's tokens have no signature, for Admin SDKs that were told of an emulator
          --help                 this text
        """

    init(_ arguments: some Sequence<String>) {
        var port = Self.defaultPort
        var hosts: Set<String> = []
        var issuers = EmulatorConfiguration.IssuerNames.served
        var signsTokens = true
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--port":
                guard let text = rest.next(), let number = UInt16(text) else {
                    self = .wrong("--port needs a number from 0 to 65535.")
                    return
                }
                port = number
            case "--host":
                guard let host = rest.next(), !host.isEmpty else {
                    self = .wrong("--host needs a host with its port.")
                    return
                }
                hosts.insert(host)
            case "--production-issuers": issuers = .production
            case "--unsigned-tokens": signsTokens = false
            default:
                self = .wrong("There is no argument \(argument).")
                return
            }
        }
        self = .run(port: port, hosts: hosts, issuers: issuers, signsTokens: signsTokens)
    }
}
