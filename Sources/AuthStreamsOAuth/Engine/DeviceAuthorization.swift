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
    /// Why the page with the code filled in is not shown; `nil` if it is, or the server has none.
    let warning: AuthError?

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
        let verificationURI = try Self.page(page, named: name, isLocal: isLocal)
        var (completeURI, problem) = (URL?.none, AuthError?.none)
        if complete != .null {
            // Optional, and the person can do without it.
            do throws(AuthError) {
                completeURI = try Self.page(complete, named: "verification_uri_complete", isLocal: isLocal)
            } catch { problem = error }
        }
        warning = problem
        userCode = UserCode(
            code: code, verificationURI: verificationURI, verificationURIComplete: completeURI,
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
        /// There was no answer, or the server is busy or failed.
        ///
        /// - Parameters:
        ///   - retryAfter: How long the server asks to wait; `nil` if it does not say.
        ///   - wasSent: Whether the server may have received the request.
        case unavailable(retryAfter: Duration? = nil, wasSent: Bool = true)
    }

    /// By how much `slow_down` lengthens the interval.
    private static let slowDownStep = Duration.seconds(5)
    /// The longest pause after lost answers, unless the interval is longer.
    private static let longestPause = Duration.seconds(60)
    /// How often the server is asked again after a lost answer at or past the deadline.
    private static let latestRequests = 2

    /// The uptime at which the code expires.
    let deadline: Duration
    /// The shortest pause that the server allows.
    private var interval: Duration
    /// The pause between two requests: longer than ``interval`` after lost answers.
    private(set) var pause: Duration
    /// How many requests follow a lost answer past the deadline.
    private var left = Self.latestRequests

    /// - Parameters:
    ///   - interval: The shortest pause that the server allows.
    ///   - deadline: The uptime at which the code expires.
    init(interval: Duration, deadline: Duration) {
        self.deadline = deadline
        self.interval = interval
        pause = interval
    }

    /// Returns how long to wait before the next request; `nil` if nothing is asked any more.
    ///
    /// The last requests are one interval before the deadline and at the deadline. An answer that is lost then, such as because a
    /// device that woke has no network yet, is asked for twice more: the server may have tokens even so.
    ///
    /// - Parameters:
    ///   - answer: The answer to the last request.
    ///   - uptime: When it came.
    mutating func pause(after answer: Answer, at uptime: Duration) -> Duration? {
        var shortest = interval
        switch answer {
        case .pending: pause = interval
        // For this and every later request.
        case .slowDown:
            interval += Self.slowDownStep
            (pause, shortest) = (interval, interval)
        case .unavailable(let retryAfter?, _):
            guard uptime + retryAfter < deadline else { return nil }
            shortest = max(interval, retryAfter)
        // 'MUST unilaterally reduce their polling frequency.'
        case .unavailable(nil, wasSent: true): pause = max(interval, min(pause + pause, Self.longestPause))
        // Nothing reached the server.
        case .unavailable(nil, wasSent: false): break
        }
        let rest = deadline - uptime
        guard rest > .zero else {
            guard case .unavailable = answer, left > 0 else { return nil }
            left -= 1
            return left > 0 ? interval : interval + interval
        }
        guard rest >= shortest + interval else { return max(shortest, rest) }
        return min(max(shortest, pause), rest - interval)
    }
}

extension DevicePolling.Answer {
    /// The errors of section 3.5, which count with any status: Google answers `authorization_pending` with 428 and the others
    /// with 403. `authorization_declined` is how Microsoft Entra spells `access_denied`.
    static let errors: Set = [
        "authorization_pending", "slow_down", "access_denied", "authorization_declined", "expired_token",
    ]

    /// Reads the error of a request to the token endpoint.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - isPastDeadline: Whether the code's lifetime is over by this device's clock.
    /// - Throws: The error that ends the attempt.
    init(_ error: AuthError, isPastDeadline: Bool) throws(AuthError) {
        switch (error.serverCode, error.code) {
        case ("authorization_pending", _): self = .pending
        case ("slow_down", _): self = .slowDown
        case ("access_denied", _), ("authorization_declined", _):
            throw AuthError(.accessDenied, "The person or the provider declined.").quotingServer(of: error)
        case ("expired_token", _): throw AuthError.codeExpired.quotingServer(of: error)
        case (_, .network), (_, .timedOut), (_, .server), (_, .rateLimited):
            self = .unavailable(
                retryAfter: error.retryAfter, wasSent: error.code != .network || error.classification.isOutcomeUnknown)
        // A server may have forgotten a code that expired.
        case (_, .invalidCredential) where isPastDeadline: throw AuthError.codeExpired.quotingServer(of: error)
        default: throw error
        }
    }
}

extension AuthError {
    /// The person did not answer in time. A new code would have to be shown, so nothing starts again automatically.
    static var codeExpired: Self {
        AuthError(.timedOut, "The code expired before the person entered it and agreed. Sign in again for a new code.")
    }

    /// The code expires before the server accepts another request.
    static func codeExpired(during failure: AuthError) -> Self {
        AuthError(
            .timedOut,
            """
            The server asked to wait for longer than the code is valid. Sign in again for a new code, after the time in \
            `retryAfter`.
            """, retryAfter: failure.retryAfter
        ).quotingServer(of: failure)
    }
}
