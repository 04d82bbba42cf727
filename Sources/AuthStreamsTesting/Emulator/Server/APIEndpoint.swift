import AuthStreams

/// The endpoints of the app's server.
enum APIEndpoint: Hashable, Sendable {
    case signIn, anonymous, refresh, signOut, signOutEverywhere, link, reauthenticate, revokeAccess, account
    case user
    case unlink(ProviderID)

    /// Finds the endpoint of a path.
    init?(path: String) {
        let links = "/auth/links/"
        switch path {
        case "/auth/sign-in": self = .signIn
        case "/auth/anonymous": self = .anonymous
        case "/auth/refresh": self = .refresh
        case "/auth/sign-out": self = .signOut
        case "/auth/sign-out-everywhere": self = .signOutEverywhere
        case "/auth/links": self = .link
        case "/auth/reauthenticate": self = .reauthenticate
        case "/auth/revoke-access": self = .revokeAccess
        case "/auth/account": self = .account
        case "/auth/user": self = .user
        case _ where path.hasPrefix(links) && path != links:
            self = .unlink(ProviderID(rawValue: String(path.dropFirst(links.count))))
        default: return nil
        }
    }

    /// The methods of the endpoint.
    var methods: [String] {
        switch self {
        case .account, .unlink: ["DELETE"]
        case .user: ["GET", "PATCH"]
        default: ["POST"]
        }
    }
}
