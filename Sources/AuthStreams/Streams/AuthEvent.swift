/// An event in the service, for logs and metrics. Read ``AuthStates`` to decide who is signed in.
///
/// Holds no secret, unless a closure or a repository of the app puts one into the explanation of an error. New kinds may come;
/// keep a `default`.
public struct AuthEvent: Hashable, Sendable {
    /// The kind of event.
    public var kind: Kind
    /// The attempt it belongs to, counted from 1 within the service, or `nil` where it belongs to none.
    public var attempt: UInt64?
    /// The provider of the attempt.
    public var provider: ProviderID?
    /// The change of the account, for ``Kind/changeStarted`` and the kinds after it.
    public var change: AuthOperation?
    /// The step that was reached.
    public var step: AuthState.SignInStep?
    /// The code of the error, where there was one.
    public var error: AuthError.Code?
    /// The server's own code for the error, such as `KOE320`, where it named one.
    public var serverCode: String?
    /// The problem and its solution, for engineers: ``AuthError/explanation``, and the cause where there is one. It may name
    /// files.
    public var explanation: String?
    /// The time since the attempt, the refresh or the other operation began.
    public var elapsed: Duration?
    /// The time until the next automatic retry, for ``Kind/refreshFailed`` and ``Kind/storageFailed``; how far the device's
    /// clock is behind the server's, for ``Kind/clockSkewLearned``.
    public var delay: Duration?
    /// Why the session ended, for ``Kind/signedOut``.
    public var reason: SignOutReason?
    /// How many states a slow reader missed, for ``Kind/readerFellBehind``; how many events a sink missed, for
    /// ``Kind/eventsMissed``.
    public var skipped: Int?
    /// Whether the sign-in made a new user, for ``Kind/signInSucceeded``: the only place where an app learns it of a sign-in
    /// that an earlier launch began.
    public var isNewUser: Bool?

    /// Makes an event.
    public init(
        _ kind: Kind, attempt: UInt64? = nil, provider: ProviderID? = nil, step: AuthState.SignInStep? = nil,
        error: AuthError.Code? = nil, serverCode: String? = nil, explanation: String? = nil, elapsed: Duration? = nil,
        delay: Duration? = nil, reason: SignOutReason? = nil, skipped: Int? = nil, change: AuthOperation? = nil,
        isNewUser: Bool? = nil
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
        self.isNewUser = isNewUser
    }

    /// Makes an event with the contents of an error.
    init(
        _ kind: Kind, attempt: UInt64? = nil, provider: ProviderID? = nil, step: AuthState.SignInStep? = nil,
        failure: AuthError?, elapsed: Duration? = nil, delay: Duration? = nil, reason: SignOutReason? = nil,
        change: AuthOperation? = nil
    ) {
        self.init(
            kind, attempt: attempt, provider: provider, step: step, error: failure?.code,
            serverCode: failure?.serverCode, explanation: failure?.story, elapsed: elapsed, delay: delay,
            reason: reason, change: change)
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
        /// Storage was locked; what needs it resumes once it is readable.
        public static let storageLocked = Self("storageLocked")
        /// Storage failed. The session in memory stays as it is. A write that is retried automatically has a
        /// ``AuthEvent/delay``. With the step `presenting` of a sign-in, the store was tried before the person is asked: if it
        /// keeps failing, the session ends with the process.
        public static let storageFailed = Self("storageFailed")
        /// A sign-in began.
        public static let signInStarted = Self("signInStarted")
        /// A sign-in reached a step.
        public static let signInStep = Self("signInStep")
        /// A provider met an error that did not end the attempt, such as an app that did not open before its page was shown:
        /// see ``AuthRequest/onWarning``. Also an error that did not end a refresh, such as an ID token that could not be
        /// verified: see ``AuthRepository/refresh(_:onWarning:)``.
        public static let providerWarning = Self("providerWarning")
        /// A sign-in made a session.
        public static let signInSucceeded = Self("signInSucceeded")
        /// A sign-in ended without a session.
        public static let signInFailed = Self("signInFailed")
        /// The adoption of a session of another SDK began.
        public static let adoptionStarted = Self("adoptionStarted")
        /// The server accepted such a session.
        public static let adoptionSucceeded = Self("adoptionSucceeded")
        /// The server could not be asked about such a session, or its response was not understood. The session stays stored.
        /// The request is retried as a refresh is, unless a retry does not help; otherwise at the next launch, or for a caller that
        /// needs the session.
        public static let adoptionDelayed = Self("adoptionDelayed")
        /// Such a session is over, or is not valid. ``signedOut`` follows if its user was signed in.
        public static let adoptionRefused = Self("adoptionRefused")
        /// A refresh was sent. One of ``refreshSucceeded``, ``refreshFailed`` and ``refreshRefused`` follows.
        public static let refreshStarted = Self("refreshStarted")
        /// A refresh was sent once more, because the answer to the first was lost. It ends as ``refreshStarted`` does.
        public static let refreshResent = Self("refreshResent")
        /// The session was refreshed. Not sent for tokens that are withheld until they are stored.
        public static let refreshSucceeded = Self("refreshSucceeded")
        /// A refresh failed, or could not be sent. The next automatic retry comes after ``AuthEvent/delay``. There is no delay
        /// where other tokens replaced those of the refresh, nor, with the error `superseded`, where its session ended or was
        /// replaced.
        public static let refreshFailed = Self("refreshFailed")
        /// A terminal rejection of a refresh by the server.
        public static let refreshRefused = Self("refreshRefused")
        /// Another process changed the session: a refresh, a sign-in or a sign-out there counts here, too.
        public static let sessionChangedElsewhere = Self("sessionChangedElsewhere")
        /// The record of the session could not be read, and its shape was set aside as ``SessionStoreKey/damagedSession``.
        public static let recordSetAside = Self("recordSetAside")
        /// The server's clock and the device's differ.
        public static let clockSkewLearned = Self("clockSkewLearned")
        /// A change of the account began; ``AuthEvent/change`` says which.
        public static let changeStarted = Self("changeStarted")
        /// The change reached a step that the person sees. The state stays `signedIn`.
        public static let changeStep = Self("changeStep")
        /// The change succeeded.
        public static let changeSucceeded = Self("changeSucceeded")
        /// The change failed; the session stays as it is.
        public static let changeFailed = Self("changeFailed")
        /// The server, or the issuer, could not be told that a session is over. Its tokens may stay valid there until they expire.
        public static let revocationFailed = Self("revocationFailed")
        /// The session ended.
        public static let signedOut = Self("signedOut")
        /// An answer for a session or an attempt that is no longer the present one was dropped.
        public static let answerIgnored = Self("answerIgnored")
        /// A callback URL came that no attempt waited for.
        public static let callbackIgnored = Self("callbackIgnored")
        /// The answer to an attempt of an earlier process came, which was not resumed: it is too old, its answer is not bound to
        /// it, or the user has changed. The person may sign in again.
        public static let attemptAbandoned = Self("attemptAbandoned")
        /// A reader of the states was further behind than the bound, and jumped to the present.
        public static let readerFellBehind = Self("readerFellBehind")
        /// The sink that receives this was further behind than the bound, and missed ``AuthEvent/skipped`` events.
        public static let eventsMissed = Self("eventsMissed")
        /// The app's server refused a request of ``AuthService/data(for:)``, which was sent once more with another token.
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
