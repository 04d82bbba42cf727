import LoopbackHTTP

extension SystemBrowser {
    /// The address that the listener of a ``SystemBrowser`` listens on (RFC 8252 section 7.3).
    ///
    /// It is the host of the redirect URI, so the provider must allow it.
    public enum LoopbackAddress: Equatable, Sendable {
        /// 127.0.0.1. The redirect URI is `http://127.0.0.1:{port}/{path}`.
        case ipv4
        /// ::1. The redirect URI is `http://[::1]:{port}/{path}`. A machine without IPv6 does not have it.
        case ipv6

        /// The same address for the server.
        var ofServer: LoopbackHTTP.LoopbackAddress {
            switch self {
            case .ipv4: .ipv4
            case .ipv6: .ipv6
            }
        }
    }
}
