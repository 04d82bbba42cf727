/// Something that happened on the way: for logs and metrics, never for deciding who is signed in.
///
/// Holds no secret, unless a closure or a repository of the app's put one into the explanation of an error. New kinds may come;
/// keep a `default`.
public struct AuthEvent: Hashable, Sendable {
    /// What happened.
    public var kind: Kind
    /// The attempt it belongs to, counted from 1 within the service, or `nil` where it belongs to none.
    public var attempt: UInt64?
    /// The provider of the attempt.
    public var provider: ProviderID?
    /// Which change of the account it tells of, for ``Kind/changeStarted`` and the kinds after it.
    public var change: Change?
    /// The step that was reached.
    public var step: AuthState.SignInStep?
    /// The code of the error, where there was one.
    public var error: AuthError.Code?
    /// The server's own code for the error, such as `KOE320`, where it named one.
    public var serverCode: String?
    /// What was wrong and what to do about it, for engineers: ``AuthError/explanation``, and the cause where there is one. It may
    /// name files.
    public var explanation: String?
    /// Since the attempt, the refresh or whatever else it tells of began.
    public var elapsed: Duration?
    /// How long nothing is done before the next try, for ``Kind/refreshFailed`` and ``Kind/storageFailed``; how far the
    /// device's clock is behind the server's, for ``Kind/clockSkewLearned``.
    public var delay: Duration?
    /// Why the session ended, for ``Kind/signedOut``.
    public var reason: SignOutReason?
    /// How many states a slow reader missed, for ``Kind/readerFellBehind``; how many events a sink missed, for
    /// ``Kind/eventsMissed``.
    public var skipped: Int?

    /// Makes an event.
    public init(
        _ kind: Kind, attempt: UInt64? = nil, provider: ProviderID? = nil, step: AuthState.SignInStep? = nil,
        error: AuthError.Code? = nil, serverCode: String? = nil, explanation: String? = nil, elapsed: Duration? = nil,
        delay: Duration? = nil, reason: SignOutReason? = nil, skipped: Int? = nil, change: Change? = nil
    ) {
        self.kind = kind
        self.attempt = attempt
        self.provider = provider
        self.step = step
        self.error = error
        self.serverCode = serverCode
        self.explanation = explanation
        self.elapsed = elapsed
        self.delay = delay
        self.reason = reason
        self.skipped = skipped
        self.change = change
    }

    /// Makes an event of what an error says.
    init(
        _ kind: Kind, attempt: UInt64? = nil, provider: ProviderID? = nil, step: AuthState.SignInStep? = nil,
        failure: AuthError?, elapsed: Duration? = nil, delay: Duration? = nil, reason: SignOutReason? = nil,
        change: Change? = nil
    ) {
        self.init(
            kind, attempt: attempt, provider: provider, step: step, error: failure?.code,
            serverCode: failure?.serverCode, explanation: failure?.story, elapsed: elapsed, delay: delay,
            reason: reason, change: change)
    }

    /// The changes of an account that is signed in.
    public enum Change: String, Hashable, Sendable, Codable {
        /// An identity is added.
        case link
        /// An identity is taken away.
        case unlink
        /// The person proves once more that it is them.
        case reauthentication
        /// The account is deleted.
        case deletion
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

        /// Storage was read, whatever it held.
        public static let restored = Self("restored")
        /// Storage was locked; restoring goes on once it is readable.
        public static let storageLocked = Self("storageLocked")
        /// Storage failed. The session in memory stays as it is. A write that is tried again by itself says after which
        /// ``AuthEvent/delay``.
        public static let storageFailed = Self("storageFailed")
        /// A sign-in began.
        public static let signInStarted = Self("signInStarted")
        /// A sign-in reached a step.
        public static let signInStep = Self("signInStep")
        /// A provider met an error that did not end the attempt, such as an app that did not open before its page was shown:
        /// see ``AuthRequest/onWarning``.
        public static let providerWarning = Self("providerWarning")
        /// A sign-in made a session.
        public static let signInSucceeded = Self("signInSucceeded")
        /// A sign-in ended without a session.
        public static let signInFailed = Self("signInFailed")
        /// A session that another SDK left is being taken over.
        public static let adoptionStarted = Self("adoptionStarted")
        /// The server took such a session over.
        public static let adoptionSucceeded = Self("adoptionSucceeded")
        /// The server could not be asked about such a session, or not be understood. Nothing is lost; it is asked again.
        public static let adoptionDelayed = Self("adoptionDelayed")
        /// Such a session is over, or was never one.
        public static let adoptionRefused = Self("adoptionRefused")
        /// A refresh was sent.
        public static let refreshStarted = Self("refreshStarted")
        /// A refresh was sent once more, because the answer to the first was lost.
        public static let refreshResent = Self("refreshResent")
        /// The session was refreshed.
        public static let refreshSucceeded = Self("refreshSucceeded")
        /// A refresh failed, which ends nothing: the next try comes after ``AuthEvent/delay``.
        public static let refreshFailed = Self("refreshFailed")
        /// The server refused a refresh for good.
        public static let refreshRefused = Self("refreshRefused")
        /// Another process changed the session: a refresh, a sign-in or a sign-out there counts here, too.
        public static let sessionChangedElsewhere = Self("sessionChangedElsewhere")
        /// The record of the session could not be read, and its shape was set aside as ``SessionStoreKey/damagedSession``.
        public static let recordSetAside = Self("recordSetAside")
        /// The server's clock and the device's are apart.
        public static let clockSkewLearned = Self("clockSkewLearned")
        /// A link, an unlink, a re-authentication or a deletion began.
        public static let changeStarted = Self("changeStarted")
        /// It reached a step that the person sees. The state stays `signedIn` all along.
        public static let changeStep = Self("changeStep")
        /// It was done.
        public static let changeSucceeded = Self("changeSucceeded")
        /// It failed; who is signed in stays as it is.
        public static let changeFailed = Self("changeFailed")
        /// The session ended.
        public static let signedOut = Self("signedOut")
        /// An answer came for a session or an attempt that is no longer the present one, and was dropped.
        public static let answerIgnored = Self("answerIgnored")
        /// A callback URL came that nobody waited for.
        public static let callbackIgnored = Self("callbackIgnored")
        /// A reader of the states was further behind than the bound, and jumped to the present.
        public static let readerFellBehind = Self("readerFellBehind")
        /// The sink that hears this was further behind than the bound, and missed ``AuthEvent/skipped`` events.
        public static let eventsMissed = Self("eventsMissed")
        /// The app's server refused a request of ``AuthorizedClient``, which was sent once more with another token.
        public static let requestRepeated = Self("requestRepeated")
    }
}

extension AuthEvent.Kind: CustomStringConvertible {
    /// The kind's name.
    public var description: String { rawValue }
}

extension AuthError {
    fileprivate var story: String { cause.map { "\(explanation) Caused by \($0)." } ?? explanation }
}
