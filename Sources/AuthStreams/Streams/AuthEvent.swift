/// An event in the service, for logs and metrics. Read ``AuthStates`` to decide who is signed in.
///
/// Holds no secret, unless a closure or a repository of the app puts one into the explanation of an error. New kinds may come;
/// keep a `default`.
public struct AuthEvent: Equatable, Sendable {
    /// What happened.
    public let kind: Kind
    /// The provider that it concerns.
    public let provider: ProviderID?
    /// The error, where there was one.
    public let failure: Failure?
    /// The time since the attempt, the refresh or the other operation began.
    public let elapsed: Duration?
    /// What is known besides. The kinds say what that is; the others have none.
    public let details: Details?

    /// Makes an event.
    public init(
        _ kind: Kind, provider: ProviderID? = nil, failure: Failure? = nil, elapsed: Duration? = nil,
        details: Details? = nil
    ) {
        self.kind = kind
        self.provider = provider
        self.failure = failure
        self.elapsed = elapsed
        self.details = details
    }

    /// What is known of an event besides its provider, its error and its time. New cases may come; keep a `default`.
    public enum Details: Equatable, Sendable {
        /// The attempt that a sign-in or a change of the account is.
        case attempt(Attempt)
        /// The attempt is a sign-in that has succeeded.
        case signedIn(Attempt, isNewUser: Bool)
        /// The time until the next automatic retry.
        case retry(in: Duration)
        /// Why the session ended.
        case signedOut(SignOutReason)
        /// How far the device's clock is behind the server's.
        case clockSkew(Duration)
        /// How many elements a slow reader missed.
        case missed(Int)
    }

    /// A sign-in, or a change of the account.
    public struct Attempt: Equatable, Sendable {
        /// Its number, counted from 1 within the service.
        public let number: UInt64
        /// What the app asked for.
        public let operation: AuthOperation
        /// The step that was reached; `nil` before the first.
        public let step: AuthState.SignInStep?

        /// Makes an attempt.
        public init(_ number: UInt64, _ operation: AuthOperation, step: AuthState.SignInStep? = nil) {
            self.number = number
            self.operation = operation
            self.step = step
        }
    }

    /// What is known of an ``AuthError``, without tokens, names and addresses.
    public struct Failure: Equatable, Sendable {
        /// The code of the error.
        public let code: AuthError.Code
        /// The server's own code for the error, such as `KOE320`, where it named one.
        public let serverCode: String?
        /// The problem and its solution, for engineers: ``AuthError/explanation``, and the cause where there is one. It may name
        /// files.
        public let explanation: String

        /// Makes a failure.
        public init(_ code: AuthError.Code, serverCode: String? = nil, explanation: String = "") {
            self.code = code
            self.serverCode = serverCode
            self.explanation = explanation
        }

        @inline(never)  // Not repeated in each of its callers.

        static func of(_ error: AuthError) -> Self {
            let cause = error.cause.map { " Caused by \($0)." } ?? ""
            return Self(error.code, serverCode: error.serverCode, explanation: error.explanation + cause)
        }
    }

    /// The attempt that the event belongs to.
    public var attempt: Attempt? {
        switch details {
        case .attempt(let attempt), .signedIn(let attempt, isNewUser: _): attempt
        default: nil
        }
    }

    /// The kinds of events.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The kind's name.
        public let rawValue: String

        /// Makes a kind. For sinks and tests; the library's own are listed below.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        private init(_ name: String) {
            rawValue = name
        }

        /// Storage was read.
        public static let restored = Self("restored")
        /// Storage was locked; what needs it resumes once it is readable. ``AuthEvent/Details/attempt(_:)`` as for ``storageFailed``.
        public static let storageLocked = Self("storageLocked")
        /// Storage failed. The session in memory stays as it is. ``AuthEvent/Details/retry(in:)`` for a write that is retried automatically.
        /// ``AuthEvent/Details/attempt(_:)`` for a sign-in that has tried the store before the person is asked: if it keeps failing, the
        /// session ends with the process.
        public static let storageFailed = Self("storageFailed")
        /// A sign-in began; ``AuthEvent/Details/attempt(_:)``, as all events of a sign-in and of a change have.
        public static let signInStarted = Self("signInStarted")
        /// A sign-in reached a step.
        public static let signInStep = Self("signInStep")
        /// A provider met an error that did not end the attempt, such as an app that did not open before its page was shown:
        /// see ``AuthRequest/onWarning``. Also an error that did not end a refresh, such as an ID token that could not be
        /// verified: see ``AuthRepository/refresh(_:onWarning:)``.
        public static let providerWarning = Self("providerWarning")
        /// A sign-in made a session; ``AuthEvent/Details/signedIn(_:isNewUser:)``. For a sign-in that an earlier launch began,
        /// only this event says whether the user is new.
        public static let signInSucceeded = Self("signInSucceeded")
        /// A sign-in ended without a session.
        public static let signInFailed = Self("signInFailed")
        /// The adoption of a session of another SDK began.
        public static let adoptionStarted = Self("adoptionStarted")
        /// The server accepted such a session.
        public static let adoptionSucceeded = Self("adoptionSucceeded")
        /// The server could not be asked about such a session, or its response was not understood. The session stays stored.
        /// The request is retried as a refresh is (``AuthEvent/Details/retry(in:)``), unless a retry does not help; otherwise at the
        /// next launch, or for a caller that needs the session.
        public static let adoptionDelayed = Self("adoptionDelayed")
        /// Such a session is over, or is not valid. ``signedOut`` follows if its user was signed in.
        public static let adoptionRefused = Self("adoptionRefused")
        /// A refresh was sent. One of ``refreshSucceeded``, ``refreshFailed`` and ``refreshRefused`` follows.
        public static let refreshStarted = Self("refreshStarted")
        /// A refresh was sent once more, because the answer to the first was lost. It ends as ``refreshStarted`` does.
        public static let refreshResent = Self("refreshResent")
        /// The session was refreshed. Not sent for tokens that are withheld until they are stored.
        public static let refreshSucceeded = Self("refreshSucceeded")
        /// A refresh failed, or could not be sent; ``AuthEvent/Details/retry(in:)``. There is no retry where other tokens replaced those of
        /// the refresh, nor, with the error `superseded`, where its session ended or was replaced.
        public static let refreshFailed = Self("refreshFailed")
        /// A terminal rejection of a refresh by the server; or the key that the session's tokens are bound to is lost, and nothing was
        /// sent.
        public static let refreshRefused = Self("refreshRefused")
        /// Another process changed the session: a refresh, a sign-in or a sign-out there counts here, too.
        public static let sessionChangedElsewhere = Self("sessionChangedElsewhere")
        /// The record of the session could not be read, and its shape was set aside as ``SessionStoreKey/damagedSession``.
        public static let recordSetAside = Self("recordSetAside")
        /// The server's clock and the device's differ; ``AuthEvent/Details/clockSkew(_:)``.
        public static let clockSkewLearned = Self("clockSkewLearned")
        /// A change of the account began; ``AuthEvent/Attempt/operation`` says which.
        public static let changeStarted = Self("changeStarted")
        /// The change reached a step that the person sees. The state stays `signedIn`.
        public static let changeStep = Self("changeStep")
        /// The change succeeded.
        public static let changeSucceeded = Self("changeSucceeded")
        /// The change failed; the session stays as it is.
        public static let changeFailed = Self("changeFailed")
        /// The server, or the issuer, could not be told that a session is over. Its tokens may stay valid there until they expire.
        public static let revocationFailed = Self("revocationFailed")
        /// The session that was present ended; ``AuthEvent/Details/signedOut(_:)``.
        public static let signedOut = Self("signedOut")
        /// An answer for a session or an attempt that is no longer the present one was dropped; that of a sign-in with
        /// ``AuthEvent/Details/attempt(_:)``.
        public static let answerIgnored = Self("answerIgnored")
        /// A callback URL came that no attempt waited for.
        public static let callbackIgnored = Self("callbackIgnored")
        /// The answer to an attempt of an earlier process came, which was not resumed: it is too old, its answer is not bound to
        /// it, the user has changed, or its change could not begin, such as behind a gate that refused. The person may begin again.
        public static let attemptAbandoned = Self("attemptAbandoned")
        /// A reader of the states was further behind than the bound, and jumped to the present; ``AuthEvent/Details/missed(_:)``.
        public static let readerFellBehind = Self("readerFellBehind")
        /// The sink that receives this was further behind than the bound, and missed events; ``AuthEvent/Details/missed(_:)``.
        public static let eventsMissed = Self("eventsMissed")
        /// The person is asked to pass the ``SessionGate``. ``gatePassed`` or ``gateRefused`` follows, or neither where the answer is of
        /// no use any more.
        public static let gateAsked = Self("gateAsked")
        /// The gate passed, and the session may be used.
        public static let gatePassed = Self("gatePassed")
        /// The gate refused. The session stays, and the gate is closed.
        public static let gateRefused = Self("gateRefused")
        /// The app's server refused a request of ``AuthService/data(for:)``, which was sent once more with another token.
        public static let requestRepeated = Self("requestRepeated")
    }
}

extension AuthEvent.Kind: CustomStringConvertible {
    /// The kind's name.
    public var description: String { rawValue }
}

extension AuthEvent: CustomStringConvertible {
    /// One line for a log: what happened, then what is known of it as `key=value`, always in this order.
    ///
    /// ```
    /// signInFailed attempt=3 operation=signIn provider=kakao step=exchanging error=misconfigured serverCode=KOE009 elapsed=30.002 explanation="…"
    /// refreshFailed error=network elapsed=1.250 retry=8.000 explanation="…"
    /// signedOut provider=apple.com reason=refreshInterrupted
    /// ```
    ///
    /// Durations are in seconds, with three decimals. Names that an app made up are percent-encoded (RFC 3986 section 2.1),
    /// so that none of them can end the line or pass for another key. The explanation comes last, in quotation marks, with a
    /// backslash before each quotation mark and backslash in it, and control characters as spaces. The line holds no secret, as
    /// the event itself.
    public var description: String {
        let fields = [
            ("attempt", attempt.map { String($0.number) }), ("operation", attempt?.operation.rawValue),
            ("provider", provider?.rawValue), ("step", attempt?.step?.rawValue), ("error", failure?.code.rawValue),
            ("serverCode", failure?.serverCode), ("elapsed", elapsed?.seconds), details?.field ?? ("", nil),
        ]
        let known = fields.compactMap { name, value in value.map { "\(name)=\(FormCoding.escape($0))" } }
        let explanation = failure?.explanation ?? ""
        let words = explanation.isEmpty ? [] : ["explanation=\(Self.quoted(explanation))"]
        return ([FormCoding.escape(kind.rawValue)] + known + words).joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            // The separators of lines and paragraphs end a line for some readers.
            case _ where scalar.properties.generalCategory == .control, "\u{2028}", "\u{2029}": quoted += " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension AuthEvent.Details {
    fileprivate var field: (name: String, value: String)? {
        switch self {
        case .attempt: nil
        case .signedIn(_, let isNewUser): ("isNewUser", isNewUser ? "true" : "false")
        case .retry(let delay): ("retry", delay.seconds)
        case .signedOut(let reason): ("reason", reason.rawValue)
        case .clockSkew(let skew): ("clockSkew", skew.seconds)
        case .missed(let count): ("missed", String(count))
        }
    }
}

extension AuthEvent {
    /// How much attention an event deserves.
    public enum Level: String, Hashable, Sendable, Codable {
        /// It went as it should, or the person or a newer attempt ended it.
        case info
        /// It did not, and no engineer is needed: it is retried, another way is tried, the person may try again, or the server
        /// ended a session.
        case warning
        /// An engineer should look at it.
        case error
    }

    /// How much attention the event deserves.
    public var level: Level {
        switch (kind, failure?.code) {
        case (.recordSetAside, _), (.eventsMissed, _): .error
        case (_, nil), (_, .cancelled), (_, .superseded): .info
        case (.providerWarning, _), (.refreshFailed, _), (.revocationFailed, _), (.adoptionDelayed, _),
            (.storageLocked, _), (_, .deviceOwnerUnavailable):
            .warning
        case (.signedOut, _), (.refreshRefused, _), (_, .accessDenied), (_, .storageLocked), (_, .abandoned),
            (_, .network),
            (_, .timedOut), (_, .rateLimited), (_, .sessionExpired), (_, .requiresRecentSignIn), (_, .notSignedIn):
            .warning
        default: .error
        }
    }
}

extension Duration {
    /// In seconds, with three decimals in every locale; smaller fractions are cut off.
    fileprivate var seconds: String {
        let (whole, attoseconds) = components
        let thousandths = String((attoseconds / 1_000_000_000_000_000).magnitude)
        let sign = self < .zero ? "-" : ""
        let zeros = String(repeating: "0", count: 3 - thousandths.count)
        return "\(sign)\(whole.magnitude).\(zeros)\(thousandths)"
    }
}

/// The events of the service, for any number of readers: for logs and metrics.
///
/// A ``Broadcast`` without a present, with these differences:
///
/// | question | answer |
/// | --- | --- |
/// | first element | the first event after `makeAsyncIterator()` |
/// | a slow reader | more than 65 536 events behind it jumps to the newest |
/// | end | when the service is released. The sequence and its iterators do not keep the service alive |
public struct AuthEvents: AsyncSequence, Sendable {
    private let broadcast: Broadcast<AuthEvent>

    /// The events that go through this broadcast.
    package init(_ broadcast: Broadcast<AuthEvent>) {
        self.broadcast = broadcast
    }

    /// Joins after the newest event.
    public func makeAsyncIterator() -> Broadcast<AuthEvent>.Iterator { broadcast.makeAsyncIterator() }

    /// How many readers are parked now, for tests.
    package var waitingReaders: Int { broadcast.waitingReaders }
}
