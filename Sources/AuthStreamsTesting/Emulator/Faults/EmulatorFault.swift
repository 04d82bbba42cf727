import AuthStreams
import LoopbackHTTP

/// One way for an emulator to misbehave; see ``Emulator/inject(_:at:_:)``.
public struct EmulatorFault: Sendable {
    /// How often a fault happens.
    public enum Times: Hashable, Sendable {
        /// For one request.
        case once
        /// For every request until ``Emulator/clearFaults()``.
        case always
    }

    enum Kind: Sendable {
        case held(EmulatorGate)
        case dropped
        case truncated(Int)
        case delayed(Duration)
        case status(Int)
        case rateLimited(Duration)
        case html
        case empty
        case malformedJSON
        case oversized(Int)
        case clockSkew(Duration)
        case token(Token)
        case serverError(String)
        case arrival(@Sendable () -> Void)
        case response(@Sendable (inout LoopbackResponse) -> Void)
    }

    /// How an ID token is changed before it is signed; everything else about it stays valid.
    package struct Token: Sendable {
        let change: @Sendable (inout IDTokenDraft) -> Void
    }

    /// Its name in a configuration and on the dashboard.
    let name: String
    /// The status, code, number of bytes or seconds; `null` without any.
    let value: AuthJSON
    let kind: Kind

    init(_ name: String, _ kind: Kind, _ value: AuthJSON = .null) {
        (self.name, self.value, self.kind) = (name, value, kind)
    }
}

extension EmulatorFault {
    // MARK: The way there

    /// Carries the request out and holds the answer until the gate opens.
    public static func held(until gate: EmulatorGate) -> Self { Self("held", .held(gate)) }
    /// Carries the request out and loses the answer: the connection closes without a byte.
    public static let dropConnection = Self("dropConnection", .dropped)
    /// Carries the request out and cuts the answer off after so many bytes of its body.
    public static func truncated(afterBytes count: Int) -> Self {
        Self("truncated", .truncated(count), .integer(Int64(count)))
    }
    /// Carries the request out and gives the answer later, by the emulator's clock.
    public static func delayed(by wait: Duration) -> Self { Self("delayed", .delayed(wait), wait.setting) }

    // MARK: Another answer, in place of carrying the request out

    /// An empty answer of that status, such as 503.
    public static func status(_ status: Int) -> Self { Self("status", .status(status), .integer(Int64(status))) }
    /// 429 with `Retry-After`, in whole seconds.
    public static func rateLimited(retryAfter: Duration) -> Self {
        Self("rateLimited", .rateLimited(retryAfter), retryAfter.setting)
    }
    /// A web page with status 200, as captive portals and proxies send.
    public static let html = Self("html", .html)
    /// Status 200 and no body, declared as JSON.
    public static let empty = Self("empty", .empty)
    /// Status 200 and JSON that ends in the middle.
    public static let malformedJSON = Self("malformedJSON", .malformedJSON)
    /// Status 200 and a JSON document of so many bytes; 10 MB unless given.
    public static func oversized(bytes: Int = 10_000_000) -> Self {
        Self("oversized", .oversized(bytes), .integer(Int64(bytes)))
    }
    /// The service's own error of that code, in its own dialect: `invalid_grant`, `KOE320`, `-401`, `access_denied`.
    ///
    /// At an authorization endpoint the error is sent to the redirect URI without asking the person, except for those
    /// that the service only ever shows as a page.
    public static func error(_ code: String) -> Self { Self("error", .serverError(code), .string(code)) }

    // MARK: Tokens

    /// An ID token with another attempt's nonce.
    public static let wrongNonce = changedIDToken("wrongNonce") { $0.claims["nonce"] = "nonce-of-another-attempt" }
    /// An ID token for another app.
    public static let wrongAudience = changedIDToken("wrongAudience") { $0.claims["aud"] = "another-app" }
    /// An ID token of another issuer.
    public static let wrongIssuer = changedIDToken("wrongIssuer") { $0.claims["iss"] = "https://issuer.invalid" }
    /// An ID token that expired an hour ago.
    public static let expiredToken = changedIDToken("expiredToken") { $0.shift(by: -2 * ($0.lifetime + 3600)) }
    /// An ID token with `alg` `none` and no signature.
    public static let unsignedToken = changedIDToken("unsignedToken") { $0.header = ["alg": "none", "typ": "JWT"] }
    /// An ID token with the signature of other bytes.
    public static let wrongSignature = changedIDToken("wrongSignature") { $0.isForged = true }
    /// A server whose clock is ahead by that much (behind, if negative), in the `Date` header and in ID tokens.
    public static func clockSkew(_ skew: Duration) -> Self { Self("clockSkew", .clockSkew(skew), skew.setting) }
}

/// Holds answers of an emulator until a test opens it.
///
/// ```swift
/// let gate = EmulatorGate()
/// emulator.inject(.held(until: gate), at: .kakaoToken)
/// let attempt = Task { await signIn() }
/// await gate.arrival()    // the request is there, the answer is not
/// attempt.cancel()
/// gate.open()
/// ```
public final class EmulatorGate: Sendable {
    private let reached = Promise<Bool>()
    private let opened = Promise<Bool>()

    /// Makes a closed gate.
    public init() {}

    /// Waits until an answer is held, or the task is cancelled.
    public func arrival() async { _ = await reached.value() }

    /// Releases every answer, now and later. Further calls do nothing.
    public func open() { opened.resolve(true) }

    func pass() async {
        reached.resolve(true)
        _ = await opened.value()
    }
}

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
