public import AuthStreams

/// A code, token, nonce or verifier that passed through an emulator.
///
/// For tests of leaks: an app must not store, log or show one.
public struct IssuedSecret: Hashable, Sendable {
    /// The host where it was seen first, such as `kauth.kakao.com`.
    public let host: String
    /// The name it had there, such as `access_token`, `code`, `nonce`, `code_verifier` or `app_check`.
    public let name: String
    /// The value.
    public let value: Secret

    private static let hostsOfSessions = [
        "identitytoolkit.googleapis.com", "securetoken.googleapis.com", EmulatorConfiguration.Server.host,
    ]

    /// Whether it belongs to the attempt at a provider, and not to the server's session.
    ///
    /// A session's own tokens are stored by design; a provider's never are.
    public var isProviderSecret: Bool {
        ["nonce", "app_check"].contains(name) || !Self.hostsOfSessions.contains(host)
    }
}

extension IssuedSecret: CustomStringConvertible {
    /// The host and the name, never the value.
    public var description: String { "\(name) at \(host)" }
}
