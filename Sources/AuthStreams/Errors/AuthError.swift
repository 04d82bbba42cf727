public import Foundation

/// The only error type that this library throws.
///
/// Branch on ``code``. Show ``errorDescription`` to the person; it is `nil` for their own cancel. An error may be
/// logged: printed, dumped or mirrored, it shows no token, code, verifier or nonce. It holds none, except in the
/// credential of a ``conflict`` and in a ``challenge``.
///
/// Functions declare `throws(AuthError)`. The closure of a `Task` does not infer that: write `do throws(AuthError)`, or cast
/// with `error as? AuthError` in the `catch`.
public struct AuthError: Error, Hashable, Sendable {
    /// What happened, for the program to branch on.
    public var code: Code {
        get { fields.code }
        set { fields.code = newValue }
    }
    /// The provider of the attempt; `nil` if the error concerns no provider or the provider is not known.
    public var provider: ProviderID? {
        get { fields.provider }
        set { fields.provider = newValue }
    }
    /// What the app asked for; `nil` if the error does not come from ``AuthService``, as in a chain that is made by hand.
    public var operation: AuthOperation? {
        get { fields.operation }
        set { fields.operation = newValue }
    }
    /// The provider's or server's own code, such as `KOE320`, `invalid_grant` or `INVALID_IDP_RESPONSE`; `nil` if it
    /// sent none, or one that could be a token.
    public var serverCode: String? {
        get { fields.serverCode }
        set { fields.serverCode = newValue }
    }
    /// The provider's or server's own words about the error, such as OAuth's `error_description` or the message of a
    /// function of Firebase, for engineers; `nil` if it sent none.
    ///
    /// Only ``debugDescription`` shows them. What is set is kept as at most 200 characters without control characters and
    /// without words as long as a token. The library's own parts leave out the secrets that the request sent, too.
    public var serverMessage: String? {
        get { fields.serverMessage }
        set { fields.serverMessage = ServerMessage.shown(newValue) }
    }
    /// The details of a refusal by the app's own code on a server, such as a blocking or a callable function of Firebase;
    /// `nil` if it sent none.
    ///
    /// The function decides what is in them, so nothing prints them: neither ``description``, ``debugDescription`` and
    /// ``errorUserInfo`` nor a mirror.
    public var serverDetails: AuthJSON? {
        get { fields.serverDetails.json }
        set { fields.serverDetails.json = newValue }
    }
    /// How long the server asked to wait before the next try, from zero up to a day; `nil` if it did not ask.
    ///
    /// What is set beyond that counts as the nearest of the two.
    public var retryAfter: Duration? {
        get { fields.retryAfter }
        set { fields.retryAfter = newValue?.asServerWait }
    }
    /// The problem and its remedy, for engineers.
    public var explanation: String {
        get { fields.explanation }
        set { fields.explanation = newValue }
    }
    /// The data to continue from `accountExists` or `credentialInUse`; `nil` for other codes.
    public var conflict: AuthConflict? {
        get { fields.conflict }
        set { fields.conflict = newValue }
    }
    /// The further step that the server wants, from a repository to the use case that asks the person; `nil` for an error that
    /// ends an attempt.
    ///
    /// The code says what the server wants: `secondFactorRequired`, `verificationRequired`, `registrationRequired` or
    /// `additionalStepRequired`. With any other code it says why the last answer was not accepted, and the step is asked again.
    public var challenge: Challenge? {
        get { fields.challenge }
        set { fields.challenge = newValue }
    }
    /// The underlying error, without anything that could hold a secret.
    public var cause: Cause? {
        get { fields.cause }
        set { fields.cause = newValue }
    }

    /// What the error means for the session and for the request.
    public var classification: Classification {
        Classification(
            of: code, cause: cause, endsSession: fields.endsSession, refusesAccessToken: fields.refusesAccessToken)
    }

    private struct Fields: Hashable, Sendable {
        var code: Code
        var provider: ProviderID?
        var operation: AuthOperation?
        var serverCode: String?
        var serverMessage: String?
        var serverDetails = Details()
        var retryAfter: Duration?
        var explanation: String
        var conflict: AuthConflict?
        var challenge: Challenge?
        var cause: Cause?
        var endsSession: SignOutReason?
        var refusesAccessToken: Bool
    }

    /// Not shown by a mirror, because an app's function may put anything in them.
    private struct Details: Hashable, Sendable, CustomReflectable {
        var json: AuthJSON?
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    // Out of line: inline, every `Result` would carry all fields through every step of a stream.
    private indirect enum Storage: Hashable, Sendable {
        case fields(Fields)
    }
    private var storage: Storage

    // In line and last: an error that ends in a pointer crashes the optimizer of Swift 6.3.1. Where an asynchronous
    // function makes an `any Error` of it, LLVM merges the store of that pointer with a store to the `swifterror` slot,
    // which must not be merged with anything ('While splitting coroutine').
    /// The step that the attempt had reached; `nil` if the error concerns no sign-in.
    public var step: AuthState.SignInStep?

    private var fields: Fields {
        get {
            switch storage {
            case .fields(let fields): fields
            }
        }
        set { storage = .fields(newValue) }
    }

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - explanation: The problem and its remedy, for engineers. Never include anything received or secret.
    ///   - provider: The provider the attempt was with.
    ///   - step: The step that the attempt had reached.
    ///   - serverCode: The provider's or server's own code.
    ///   - retryAfter: How long the server asked to wait; a day at most counts.
    ///   - conflict: The data to continue from a conflict of accounts.
    ///   - challenge: The further step that the server wants.
    ///   - cause: The underlying error; it is scrubbed here.
    ///   - reason: Why the session is over, if the server's answer says more than the code. The code must be
    ///     `sessionExpired`, `userDisabled` or `userNotFound`: with any other code the reason is ignored.
    ///   - refusesAccessToken: Whether the server refused the access token before it looked at anything else.
    @inline(never)  // Not repeated in each of its callers.
    public init(
        _ code: Code, _ explanation: String, provider: ProviderID? = nil, step: AuthState.SignInStep? = nil,
        serverCode: String? = nil, retryAfter: Duration? = nil, conflict: AuthConflict? = nil,
        challenge: Challenge? = nil, cause: (any Error)? = nil,
        endsSession reason: SignOutReason? = nil, refusesAccessToken: Bool = false
    ) {
        self.step = step
        storage = .fields(
            Fields(
                code: code, provider: provider, operation: nil, serverCode: serverCode,
                retryAfter: retryAfter?.asServerWait,
                explanation: explanation, conflict: conflict, challenge: challenge,
                cause: cause.map(Cause.init(scrubbing:)),
                endsSession: reason, refusesAccessToken: refusesAccessToken))
    }
}

extension AuthError {
    /// Makes an ``AuthError`` from any error. Every foreign error passes this initializer.
    ///
    /// An `AuthError` stays as it is, a `CancellationError` becomes ``Code/cancelled``, anything else
    /// ``Code/unexpected`` with a scrubbed ``cause``.
    public init(wrapping error: any Error) {
        switch error {
        case let error as AuthError: self = error
        case is CancellationError: self = .cancelled
        default: self.init(.unexpected, "Something below threw an error of its own; see the cause.", cause: error)
        }
    }

    /// Runs code that may throw any error, and throws only ``AuthError``.
    ///
    /// For conformances to the ports, whose requirements are `throws(AuthError)`.
    ///
    /// - Throws: An `AuthError` as it is, ``Code/cancelled`` for a `CancellationError`, else ``Code/unexpected`` with a scrubbed
    ///   cause.
    public static func wrapping<Value>(_ body: () async throws -> Value) async throws(AuthError) -> Value {
        do { return try await body() } catch { throw AuthError(wrapping: error) }
    }

    /// Runs a part of an operation, and names the operation in its error.
    static func during<Value>(
        _ operation: AuthOperation, _ body: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do { return try await body() } catch { throw error.during(operation) }
    }

    /// The error of a cancelled task.
    @inline(never)  // Not repeated in each of its callers.
    package static var cancelled: Self {
        AuthError(.cancelled, "The task was cancelled before it had a result.")
    }

    /// Returns the same error, with provider and step filled in if they are not known yet.
    @inline(never)  // Not repeated in each of its callers.
    package func located(provider: ProviderID?, step: AuthState.SignInStep? = nil) -> Self {
        var copy = self
        copy.provider = copy.provider ?? provider
        copy.step = copy.step ?? step
        return copy
    }

    /// Returns the same error, with what the server said in another one: its code, its message and its details.
    package func quotingServer(of error: AuthError) -> Self {
        var copy = self
        copy.serverCode = error.serverCode
        copy.serverMessage = error.serverMessage
        copy.serverDetails = error.serverDetails
        return copy
    }

    /// Returns the same error, with the operation filled in if it is not known yet.
    @usableFromInline
    package func during(_ operation: AuthOperation) -> Self {
        var copy = self
        copy.operation = copy.operation ?? operation
        return copy
    }

    /// Whether the same call may succeed later without a change: after a network failure, with an overloaded server or
    /// a locked device, or after a sign-in that was not finished. Offer the person to try again.
    ///
    /// ``AuthStream/retry(_:clock:)`` does not start over after `timedOut` and `abandoned`, though both are retryable.
    public var isRetryable: Bool { classification.isTransient }

    /// Whether there is nothing to tell the person: they cancelled, the task was cancelled, a newer sign-in or a
    /// sign-out replaced the attempt, or a question that they did not ask for found no passkey. These are `cancelled`,
    /// `superseded` and `noPasskey`, and not `abandoned`.
    public var isUserCancellation: Bool {
        [.cancelled, .superseded, .noPasskey].contains(code)
    }
}

extension AuthError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The code, and where it happened.
    public var description: String {
        ([code.rawValue] + [provider?.rawValue, operation?.rawValue, step?.rawValue, serverCode].compactMap(\.self))
            .joined(separator: " · ")
    }

    /// The whole error for an engineer: the problem, its remedy, the server's own words and the underlying error.
    public var debugDescription: String {
        var lines = ["AuthError \(description)", explanation]
        if let serverMessage { lines.append("The server said: \(serverMessage)") }
        if let retryAfter { lines.append("The server asked to wait \(retryAfter).") }
        if let cause { lines.append("Caused by \(cause)") }
        return lines.joined(separator: "\n  ")
    }
}

extension AuthError: LocalizedError {
    /// What did not succeed and why, for a toast, in English or Korean by the person's preference.
    ///
    /// `nil` if there is nothing to tell the person: their own cancel, or an attempt that a newer one replaced. For
    /// engineers use ``debugDescription``. An app that wants other words keeps its own ``AuthErrorTexts``.
    public var errorDescription: String? { AuthErrorTexts.preferred().text(for: self) }

    /// What the person can do, as a sentence to show below ``errorDescription``; `nil` if ``errorDescription`` is, and
    /// for an app's own code.
    public var recoverySuggestion: String? { AuthErrorTexts.preferred().suggestion(for: self) }
}

extension AuthError: CustomNSError {
    /// `AuthStreams.AuthError`: crash reporters group by it and the number of the code.
    public static var errorDomain: String { "AuthStreams.AuthError" }

    /// The number of the code; see ``Code/number``.
    public var errorCode: Int { code.number }

    /// The details for a crash report, without secrets: ``debugDescription`` under `NSDebugDescriptionErrorKey`; the code's
    /// name, the provider, the operation, the step and the server's own code under `code`, `provider`, `operation`, `step` and
    /// `serverCode`; and the texts for the person.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSDebugDescriptionErrorKey: debugDescription, "code": code.rawValue]
        info["provider"] = provider?.rawValue
        info["operation"] = operation?.rawValue
        info["step"] = step?.rawValue
        info["serverCode"] = serverCode
        info[NSLocalizedDescriptionKey] = errorDescription
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        return info
    }
}

extension AuthError {
    /// Returns the error as one that an app's closure threw: `unexpected` for a code that a closure cannot decide.
    ///
    /// Only the server may end a session. A cancellation without a cancelled task must not count as the person's own,
    /// because that is not shown.
    package func attributedToClosure(_ closure: String) -> AuthError {
        let undecidable: [Code] = [.userNotFound, .userDisabled, .sessionExpired]
        let isOwnCancellation = isUserCancellation && !Task.isCancelled
        guard isOwnCancellation || undecidable.contains(code) else { return self }
        return AuthError(
            .unexpected, "The app's \(closure) closure threw '\(code.rawValue)', which is not for it to say.",
            serverCode: serverCode)
    }
}

extension Duration {
    /// A wait that a server asked for, as far as it is kept: from zero up to a day.
    ///
    /// Every `Retry-After` passes here once, where it is read. RFC 9110 section 10.2.3 sets no limit, and a clock traps on an
    /// instant that it cannot represent. A service that is down for longer is better asked once a day than never again.
    var asServerWait: Duration { min(max(self, .zero), .seconds(86_400)) }
}
