#if AUTH_DARWIN
    import os
#else
    import Foundation
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
