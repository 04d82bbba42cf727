import AuthStreams
import Foundation

/// How the system recognizes the URL that ends a web authentication session.
enum WebCallback: Hashable, Sendable {
    /// Any URL of the scheme, which need not be declared in Info.plist.
    case customScheme(String)
    /// A URL of a host that the app is associated with.
    case https(host: String, path: String)

    /// Returns the callback for a redirect URI.
    ///
    /// - Parameter allowsHTTPS: Whether the system knows https callbacks.
    /// - Throws: `misconfigured` if no web authentication session ends there.
    init(for redirectURI: URL, allowsHTTPS: Bool) throws(AuthError) {
        guard let scheme = redirectURI.scheme?.lowercased(), scheme != "http" else { throw Self.needsAnotherRedirect }
        guard scheme == "https" else {
            self = .customScheme(scheme)
            return
        }
        guard allowsHTTPS else { throw Self.needsNewerSystem }
        guard let host = redirectURI.host() else { throw Self.needsAnotherRedirect }
        self = .https(host: host, path: redirectURI.path(percentEncoded: false))
    }

    /// The scheme of the callback URL.
    var scheme: String {
        switch self {
        case .customScheme(let scheme): scheme
        case .https: "https"
        }
    }

    /// Whether the system has `ASWebAuthenticationSession.Callback`
    /// (developer.apple.com/documentation/authenticationservices/aswebauthenticationsession/callback).
    static var isHTTPSSupported: Bool {
        if #available(iOS 17.4, macOS 14.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *) { true } else { false }
    }

    /// The error of a page that answers to a listener.
    static var needsAnotherRedirect: AuthError {
        AuthError(
            .misconfigured,
            """
            The page answers to a listener on this machine, which the system suspends together with the app. Let it answer at \
            a URL of the app: `.redirect(_:)` with the app's own scheme or an https URL that is associated with it. For Google, \
            that is a client of type iOS with `redirect: .reversedClientID`.
            """)
    }

    private static var needsNewerSystem: AuthError {
        AuthError(
            .misconfigured,
            """
            The redirect URI is https, which a web authentication session takes from iOS 17.4, macOS 14.4, tvOS 17.4, watchOS \
            10.4 and visionOS 1.1. Redirect to a URL of the app's own scheme on older systems.
            """)
    }
}
