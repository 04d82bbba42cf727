package import Foundation

extension URL {
    /// Whether a token may be sent to this URL: by https, or within this machine; in a debug build also by http to a
    /// private network, if the app has called ``DevelopmentNetwork/allowHTTP()``.
    package var keepsSecrets: Bool {
        #if DEBUG
            keepsSecrets(allowingPrivateNetwork: DevelopmentNetwork.isHTTPAllowed.load() == 1)
        #else
            keepsSecrets(allowingPrivateNetwork: false)
        #endif
    }

    func keepsSecrets(allowingPrivateNetwork: Bool) -> Bool {
        switch scheme?.lowercased() {
        case "https": host()?.isEmpty == false
        case "http":
            ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host()?.lowercased())
                || allowingPrivateNetwork && isOnPrivateNetwork
        default: false
        }
    }

    /// Checks that a token may be sent to this URL.
    ///
    /// - Parameters:
    ///   - what: What is to be sent, as the subject of a sentence.
    ///   - remedy: What to correct, as a sentence.
    /// - Throws: `misconfigured`, without the URL.
    package func requireSafety(of what: String = "Tokens", _ remedy: String) throws(AuthError) {
        guard !keepsSecrets else { return }
        throw AuthError(
            .misconfigured, "\(what) go only to https or to this machine. \(remedy)\(privateNetworkAdvice)")
    }

    /// A sentence, after a space, for an http URL that ``DevelopmentNetwork/allowHTTP()`` allows; empty for any other.
    package var privateNetworkAdvice: String {
        guard scheme?.lowercased() == "http", isOnPrivateNetwork else { return "" }
        return " For a server on a private network, DevelopmentNetwork.allowHTTP() allows http in debug builds."
    }
}

extension URL {
    /// Whether the host is an address of a private or link-local network, or a name below `.local`.
    ///
    /// ``DevelopmentNetwork/allowHTTP()`` lists them. An address in another form is none, because readers of the URL
    /// could take it for different hosts.
    var isOnPrivateNetwork: Bool {
        guard let host = host()?.lowercased().trimmingCharacters(in: ["[", "]"]) else { return false }
        return host.contains(":") ? Self.isPrivate(ipv6: host) : Self.isPrivate(ipv4: host) || Self.isLocal(name: host)
    }

    private static func isPrivate(ipv4 host: String) -> Bool {
        let numbers = host.split(separator: ".").compactMap { UInt8($0) }
        guard numbers.count == 4, numbers.map(\.description).joined(separator: ".") == host else { return false }
        return switch (numbers[0], numbers[1]) {
        case (10, _), (172, 16...31), (192, 168), (169, 254): true
        default: false
        }
    }

    /// The first 16 bits decide. They have four digits, since they begin with `f`.
    private static func isPrivate(ipv6 host: String) -> Bool {
        let first = host.prefix { $0 != ":" }
        guard first.count == 4, let bits = UInt16(first, radix: 16) else { return false }
        return bits & 0xFE00 == 0xFC00 || bits & 0xFFC0 == 0xFE80
    }

    private static func isLocal(name host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-_"
        return labels.count > 1 && labels.last == "local"
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(allowed.contains) }
    }
}
