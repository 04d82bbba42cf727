import AuthStreams
import Foundation

/// The answer of a device authorization endpoint (RFC 8628 section 3.2).
struct DeviceAuthorization: Sendable {
    /// What the token endpoint is asked with.
    let deviceCode: Secret
    /// What the person is shown.
    let userCode: UserCode
    /// The shortest time between two requests to the token endpoint.
    let interval: Duration

    /// The longest lifetime that is accepted, in seconds. Servers give codes for minutes, seldom for hours.
    private static let maximumLifetime: Double = 86_400
    /// The longest interval that is accepted, in seconds.
    private static let maximumInterval: Double = 3600
    /// The longest code that a person can be asked to enter, in bytes.
    private static let maximumCodeBytes = 64
    /// The interval of an answer that names none (section 3.2).
    private static let usualInterval: Double = 5

    /// Reads an answer. `verification_url` counts as `verification_uri`, because Google says so.
    ///
    /// - Parameters:
    ///   - members: The members of the answer.
    ///   - endpoint: The endpoint that gave it. Only one without https may name a page without https.
    /// - Throws: `invalidResponse`, with the name of the member that is missing or cannot be used.
    init(members: [String: AuthJSON], from endpoint: URL) throws(AuthError) {
        guard let deviceCode = try members["device_code"].token(named: "device_code") else {
            throw Self.unusable("device_code", "is missing or empty")
        }
        guard let code = try members["user_code"].token(named: "user_code")?.reveal() else {
            throw Self.unusable("user_code", "is missing or empty")
        }
        guard code.utf8.count <= Self.maximumCodeBytes else {
            throw Self.unusable(
                "user_code", "is longer than the \(Self.maximumCodeBytes) characters that a person can enter")
        }
        let isLocal = endpoint.scheme?.lowercased() == "http"
        let name = members["verification_uri"] ?? .null == .null ? "verification_url" : "verification_uri"
        guard let page = members[name], page != .null else {
            throw Self.unusable("verification_uri", "is missing")
        }
        guard let lifetime = members["expires_in"]?.decimal, lifetime > 0, lifetime <= Self.maximumLifetime else {
            throw Self.unusable("expires_in", "is no number of seconds above zero and up to a day")
        }
        let complete = members["verification_uri_complete"] ?? .null
        let interval = members["interval"] ?? .null
        guard let seconds = interval == .null ? Self.usualInterval : interval.decimal,
            (0...Self.maximumInterval).contains(seconds)
        else { throw Self.unusable("interval", "is no number of seconds from zero up to an hour") }
        self.deviceCode = deviceCode
        userCode = UserCode(
            code: code, verificationURI: try Self.page(page, named: name, isLocal: isLocal),
            verificationURIComplete: complete == .null
                ? nil : try Self.page(complete, named: "verification_uri_complete", isLocal: isLocal),
            expiresIn: .seconds(lifetime))
        // An interval of zero would be a request without a pause.
        self.interval = .seconds(max(1, seconds))
    }

    private static func page(_ value: AuthJSON, named name: String, isLocal: Bool) throws(AuthError) -> URL {
        guard let url = value.string.flatMap(URL.init(string:)), url.keepsSecrets, url.user() == nil,
            url.password() == nil, isLocal || url.scheme?.lowercased() == "https"
        else { throw unusable(name, "is no https URL without user information") }
        return url
    }

    private static func unusable(_ name: String, _ problem: String) -> AuthError {
        AuthError(
            .invalidResponse,
            "The device authorization endpoint's answer cannot be used: `\(name)` \(problem). Report it to the issuer.")
    }
}

/// When the token endpoint is asked whether the person has answered (RFC 8628 section 3.5).
struct DevicePolling {
    /// What the token endpoint said while the person has not answered.
    enum Answer: Equatable {
        /// The person has not answered.
        case pending
        /// Likewise, and the requests come too often.
        case slowDown
        /// The answer was lost, or the server is busy or failed.
        case unavailable(retryAfter: Duration?)
    }

    /// By how much `slow_down` lengthens the interval.
    private static let slowDownStep = Duration.seconds(5)

    /// The uptime at which the code expires.
    let deadline: Duration
    /// The shortest pause that the server allows.
    private var interval: Duration
    /// The pause between two requests: longer than ``interval`` after lost answers.
    private(set) var pause: Duration

    init(interval: Duration, deadline: Duration) {
        self.deadline = deadline
        self.interval = interval
        pause = interval
    }

    /// Returns how long to wait before the next request; `nil` if the code expires before that.
    ///
    /// The last request is at the deadline, or later where the server's interval requires it: the server counts from an
    /// earlier moment, and what it says then is what counts.
    ///
    /// - Parameters:
    ///   - answer: The answer to the last request.
    ///   - uptime: When it came.
    mutating func pause(after answer: Answer, at uptime: Duration) -> Duration? {
        switch answer {
        case .pending: break
        // For this and every later request.
        case .slowDown:
            interval += Self.slowDownStep
            pause += Self.slowDownStep
        case .unavailable(let retryAfter?):
            guard uptime + retryAfter < deadline else { return nil }
            return max(pause, retryAfter)
        // 'MUST unilaterally reduce their polling frequency.'
        case .unavailable(nil): pause += pause
        }
        guard uptime < deadline else { return nil }
        return max(interval, min(pause, deadline - uptime))
    }
}

extension DevicePolling.Answer {
    /// The errors of section 3.5, which count with any status: Google answers `authorization_pending` with 428 and the others
    /// with 403.
    static let errors: Set = ["authorization_pending", "slow_down", "access_denied", "expired_token"]

    /// Reads the error of a request to the token endpoint.
    ///
    /// - Throws: The error that ends the attempt.
    init(_ error: AuthError) throws(AuthError) {
        switch (error.serverCode, error.code) {
        case ("authorization_pending", _): self = .pending
        case ("slow_down", _): self = .slowDown
        case ("access_denied", _):
            throw AuthError(.accessDenied, "The person or the provider declined.").quotingServer(of: error)
        case ("expired_token", _): throw AuthError.codeExpired.quotingServer(of: error)
        case (_, .network), (_, .timedOut), (_, .server), (_, .rateLimited):
            self = .unavailable(retryAfter: error.retryAfter)
        default: throw error
        }
    }
}

extension AuthError {
    /// The person did not answer in time. A new code would have to be shown, so nothing starts again automatically.
    static var codeExpired: Self {
        AuthError(.timedOut, "The code expired before the person entered it and agreed. Sign in again for a new code.")
    }
}
