package import Foundation

#if AUTH_DARWIN
    import os
#endif

/// Plain http to servers on a private network, for development.
///
/// Tokens are sent by https, or by http within this machine. Allow more while an app is developed, so that a phone
/// reaches a server on another computer:
///
/// ```swift
/// @main struct ExampleApp: App {
///     init() {
///         #if DEBUG
///             DevelopmentNetwork.allowHTTP()
///         #endif
///     }
/// }
/// ```
///
/// A release build never sends a token that way: the code that allows it is compiled in debug builds only.
public enum DevelopmentNetwork {
    /// Allows tokens by http to servers on a private network, until the process ends.
    ///
    /// Call it before the first ``AuthService`` is made. Others on the network can read and change what is sent. Each
    /// call logs a warning: in the system's log at the level `fault` on Apple systems, elsewhere in the standard error
    /// stream. In a release build the call allows nothing, and the warning says so.
    ///
    /// | host of the URL | allowed |
    /// | --- | --- |
    /// | an IPv4 address, as four decimal numbers without leading zeros | `10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16` (RFC 1918); link-local `169.254.0.0/16` (RFC 3927) |
    /// | an IPv6 address, in brackets | unique local `fc00::/7` (RFC 4193); link-local `fe80::/10` (RFC 4291), with or without a zone |
    /// | a name | one that ends in `.local`, without a dot after it (RFC 6762) |
    ///
    /// iOS has two conditions of its own, both in Info.plist. App Transport Security refuses plain http, unless the
    /// dictionary `NSAppTransportSecurity` has `NSAllowsLocalNetworking` set to `YES`. Since iOS 14 the system asks the
    /// person whether the app may use the local network, with the text of `NSLocalNetworkUsageDescription`, and
    /// requests fail until they agree.
    public static func allowHTTP() { allowHTTP(by: isHTTPAllowed, warning: logWarning) }

    /// 1 after a call.
    static let isHTTPAllowed = AtomicCounter()

    /// - Parameters:
    ///   - flag: The switch.
    ///   - warn: Logs the warning.
    static func allowHTTP(by flag: borrowing AtomicCounter, warning warn: (String) -> Void) {
        #if DEBUG
            flag.store(1)
            warn(
                """
                DevelopmentNetwork.allowHTTP() was called, so tokens now travel unencrypted on the private network, where \
                others can read them. This is for development only.
                """)
        #else
            warn(
                """
                DevelopmentNetwork.allowHTTP() has no effect in a release build: tokens go only by https, or within this \
                machine. Call it in debug builds only.
                """)
        #endif
    }

    private static func logWarning(_ warning: String) {
        #if AUTH_DARWIN
            Logger(subsystem: "AuthStreams", category: "network").log(level: .fault, "\(warning, privacy: .public)")
        #else
            let line = Data("AuthStreams warning \(warning)\n".utf8)
            withoutBrokenPipeSignal { try? FileHandle.standardError.write(contentsOf: line) }
        #endif
    }
}

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
