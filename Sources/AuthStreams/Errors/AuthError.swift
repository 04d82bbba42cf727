import Foundation

/// The one error that leaves this library.
///
/// Branch on ``code``; show ``errorDescription`` to the person (it is `nil` for their own cancel); log the error as it is:
/// nothing that is printed, dumped or mirrored of it shows a token, code, verifier or nonce. None is in it, except in the
/// credential of a ``conflict``, which is there to go on with.
public struct AuthError: Error, Hashable, Sendable {
    /// What happened, for the program.
    public var code: Code {
        get { fields.code }
        set { fields.code = newValue }
    }
    /// The provider the attempt was with.
    public var provider: ProviderID? {
        get { fields.provider }
        set { fields.provider = newValue }
    }
    /// The other side's own code, such as `KOE320`, `invalid_grant` or `INVALID_IDP_RESPONSE`.
    public var serverCode: String? {
        get { fields.serverCode }
        set { fields.serverCode = newValue }
    }
    /// How long the server asked to wait before the next try.
    public var retryAfter: Duration? {
        get { fields.retryAfter }
        set { fields.retryAfter = newValue }
    }
    /// What was wrong and what to do about it, for engineers.
    public var explanation: String {
        get { fields.explanation }
        set { fields.explanation = newValue }
    }
    /// What is needed to go on from `accountExists` or `credentialInUse`.
    public var conflict: AuthConflict? {
        get { fields.conflict }
        set { fields.conflict = newValue }
    }
    /// What the layer below threw, scrubbed.
    public var cause: Cause? {
        get { fields.cause }
        set { fields.cause = newValue }
    }

    private struct Fields: Hashable, Sendable {
        var code: Code
        var provider: ProviderID?
        var serverCode: String?
        var retryAfter: Duration?
        var explanation: String
        var conflict: AuthConflict?
        var cause: Cause?
    }

    // Out of line: inline they are 152 bytes, which every `Result` would carry through every step of a stream, and copying
    // them took half the time of an attempt that does not suspend.
    private indirect enum Storage: Hashable, Sendable {
        case fields(Fields)
    }
    private var storage: Storage

    // In line and last: an error that ends in a pointer crashes the optimizer of Swift 6.3.1. Where an asynchronous
    // function makes an `any Error` of it, LLVM merges the store of that pointer with a store to the `swifterror` slot,
    // which must not be merged with anything ('While splitting coroutine').
    /// How far the attempt had come.
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
    ///   - explanation: What was wrong and what to do, for engineers. Never put anything received or secret in it.
    ///   - provider: The provider the attempt was with.
    ///   - step: How far the attempt had come.
    ///   - serverCode: The other side's own code.
    ///   - retryAfter: How long the server asked to wait.
    ///   - conflict: What is needed to go on from a conflict of accounts.
    ///   - cause: What the layer below threw; it is scrubbed here.
    public init(
        _ code: Code, _ explanation: String, provider: ProviderID? = nil, step: AuthState.SignInStep? = nil,
        serverCode: String? = nil, retryAfter: Duration? = nil, conflict: AuthConflict? = nil,
        cause: (any Error)? = nil
    ) {
        self.step = step
        storage = .fields(
            Fields(
                code: code, provider: provider, serverCode: serverCode, retryAfter: retryAfter,
                explanation: explanation, conflict: conflict, cause: cause.map(Cause.init(scrubbing:))))
    }
}

extension AuthError {
    /// Turns whatever was thrown into an ``AuthError``: the one boundary that every foreign error passes.
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

    /// The task was cancelled.
    package static var cancelled: Self {
        AuthError(.cancelled, "The task was cancelled before it had a result.")
    }

    /// The same error, with provider and step filled in where they are not yet known.
    package func located(provider: ProviderID?, step: AuthState.SignInStep? = nil) -> Self {
        var copy = self
        copy.provider = copy.provider ?? provider
        copy.step = copy.step ?? step
        return copy
    }

    /// Whether the same call may well succeed later, unchanged: network trouble, an overloaded server, a locked device, a sign-in
    /// that was not finished. Offer the person to try again.
    public var isRetryable: Bool {
        switch code {
        case .network, .server, .rateLimited, .timedOut, .abandoned, .storageLocked: true
        default: false
        }
    }

    /// Whether the person ended it themselves, so that there is nothing to tell them.
    public var isUserCancellation: Bool {
        code == .cancelled || code == .superseded
    }
}

extension AuthError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The code, and where it happened.
    public var description: String {
        ([code.rawValue] + [provider?.rawValue, step?.rawValue, serverCode].compactMap(\.self)).joined(separator: " · ")
    }

    /// The whole story for an engineer: what was wrong, what to do, and what the layer below said.
    public var debugDescription: String {
        var lines = ["AuthError \(description)", explanation]
        if let retryAfter { lines.append("The server asked to wait \(retryAfter).") }
        if let cause { lines.append("Caused by \(cause)") }
        return lines.joined(separator: "\n  ")
    }
}

/// Runs code that may throw anything and lets only an ``AuthError`` out.
///
/// For conformances to the ports, whose requirements are `throws(AuthError)`.
///
/// - Throws: An `AuthError` as it is, ``AuthError/Code/cancelled`` for a `CancellationError`, else
///   ``AuthError/Code/unexpected`` with a scrubbed cause.
public func authErrors<Value>(_ body: () async throws -> Value) async throws(AuthError) -> Value {
    do { return try await body() } catch { throw AuthError(wrapping: error) }
}
