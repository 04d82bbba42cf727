/// An endpoint for a fault, or for a test to wait for: a host, or one path on it.
///
/// ```swift
/// emulator.inject(.dropConnection, at: .kakaoToken)
/// emulator.inject(.status(503), at: "identitytoolkit.googleapis.com")
/// ```
public struct EmulatorEndpoint: Hashable, Sendable {
    /// The production host.
    public let host: String
    /// The path on it, or `nil` for all of them.
    public let path: String?

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - host: The production host, such as `kauth.kakao.com`.
    ///   - path: The path with its leading slash and without query, or `nil` for every path of the host.
    public init(host: String, path: String? = nil) {
        self.host = host
        self.path = path
    }

    func matches(host: String, path: String) -> Bool {
        host == self.host && (self.path == nil || path == self.path)
    }
}

extension EmulatorEndpoint: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Makes an endpoint from `host/path`, or a whole host from `host`.
    public init(stringLiteral value: String) {
        let slash = value.firstIndex(of: "/") ?? value.endIndex
        self.init(host: String(value[..<slash]), path: slash == value.endIndex ? nil : String(value[slash...]))
    }

    /// Host and path.
    public var description: String { host + (path ?? "") }
}

extension EmulatorEndpoint {
    /// Apple's authorization page.
    public static let appleAuthorize: Self = "appleid.apple.com/auth/authorize"
    /// Apple's token endpoint.
    public static let appleToken: Self = "appleid.apple.com/auth/token"
    /// Apple's signing keys.
    public static let appleKeys: Self = "appleid.apple.com/auth/keys"
    /// Google's authorization page.
    public static let googleAuthorize: Self = "accounts.google.com/o/oauth2/v2/auth"
    /// Google's token endpoint.
    public static let googleToken: Self = "oauth2.googleapis.com/token"
    /// Google's signing keys.
    public static let googleKeys: Self = "www.googleapis.com/oauth2/v3/certs"
    /// Kakao's authorization page.
    public static let kakaoAuthorize: Self = "kauth.kakao.com/oauth/authorize"
    /// Kakao's token endpoint.
    public static let kakaoToken: Self = "kauth.kakao.com/oauth/token"
    /// Kakao's signing keys.
    public static let kakaoKeys: Self = "kauth.kakao.com/.well-known/jwks.json"
    /// Kakao's user information.
    public static let kakaoUser: Self = "kapi.kakao.com/v2/user/me"
    /// Kakao's information about an access token.
    public static let kakaoTokenInfo: Self = "kapi.kakao.com/v1/user/access_token_info"
    /// Naver's authorization page.
    public static let naverAuthorize: Self = "nid.naver.com/oauth2.0/authorize"
    /// Naver's token endpoint.
    public static let naverToken: Self = "nid.naver.com/oauth2.0/token"
    /// Naver's user profile.
    public static let naverUser: Self = "openapi.naver.com/v1/nid/me"
}
