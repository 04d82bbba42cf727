public import AuthStreams
public import Observation

/// The sign-in of an app as its screens show it: the state, the intents in flight, and the errors to tell the person.
///
/// ```swift
/// let auth = AuthService(…)
/// let model = AuthViewModel(auth)
///
/// Button("Kakao") { model.signIn(with: .kakao) }
///     .disabled(model.intents.contains(.signIn(SignInMethod(.kakao))))
/// ```
///
/// SwiftUI observes its properties. UIKit registers closures with ``observe(for:_:)`` and ``onError(for:_:)``. <doc:FollowTheState>
/// shows both.
///
/// It decides nothing: the state is the service's, and the service decides which attempt supersedes which. An intent that
/// is in flight already for the same user is ignored, so a button that is tapped twenty times begins one attempt.
///
/// The model keeps no service alive. Keep both for as long as the app runs; further models, such as one for each screen, show
/// the same state and report the errors of their own intents. When a model is released, its intents that ask the person are
/// cancelled, and all others are completed. What the server has decided by then stays decided.
///
/// A service for previews is the exception: the model keeps it, so that a preview makes both in one expression.
///
/// ```swift
/// #Preview { LoginView(model: AuthViewModel(.preview(.signedIn))) }
/// ```
@MainActor @Observable
public final class AuthViewModel {
    /// The state of the service, from the moment when the model was made.
    public private(set) var state: AuthState

    /// Whether the session may be used, where the service has a gate. A view covers its content unless it is open.
    ///
    /// It follows the service's a moment later.
    public private(set) var gateState: SessionGate.State

    /// This model's intents that have not ended.
    public private(set) var intents: Set<AuthIntent> = []

    /// The provider that is asked, and the step that was reached; `nil` when no provider is asked.
    ///
    /// It is that of a sign-in, of a link, of a re-authentication or of a deletion, also if another screen began it.
    public private(set) var progress: AuthProgress?

    /// The providers that are configured, each once, in the order in which they were given to the service.
    public let providers: [ProviderID]

    /// Every kind of method that a person begins by a tap, of every configured provider, in the order in which they were given to the
    /// service. Passkeys have others besides: `SignInMethod.Kind.immediate` and `SignInMethod.Kind.conditional`.
    public let methods: [SignInMethod]

    @ObservationIgnored private let states: AuthStates
    @ObservationIgnored private let reference: ServiceReference
    @ObservationIgnored private var attempts: [Attempt] = []
    @ObservationIgnored private var readers: [Task<Void, Never>] = []
    private let failures = Broadcast<AuthError>()

    /// An intent in flight.
    private struct Attempt {
        let id: UInt64
        let intent: AuthIntent
        /// Who was signed in when it began.
        let user: AuthUser.ID?
        let task: Task<Void, Never>
        /// Whether it was cancelled or superseded, or its user has left, and it only has to end.
        var isEnding = false
    }
    @ObservationIgnored private var lastAttempt: UInt64 = 0

    /// Counts the changes that closures are told.
    @ObservationIgnored private(set) var changes: UInt64 = 0
    let observers = Observers<AuthViewModel>()
    let errorObservers = Observers<AuthError>()
    let signInObservers = Observers<SignInResult>()

    /// Makes the view model of a service, and begins to follow its state.
    ///
    /// - Parameter auth: The service. It is held weakly, unless it is a preview. After its release the last state stays, and
    ///   intents end with `misconfigured`.
    public init(_ auth: AuthService) {
        // The places in both sequences are taken before the state is read, so no change is missed.
        states = auth.states
        var changes = states.latest.makeAsyncIterator()
        var events = auth.events.makeAsyncIterator()
        var gateStates = auth.gateStates.makeAsyncIterator()
        gateState = auth.gateState
        reference = ServiceReference(auth)
        state = auth.state
        progress = AuthProgress(auth.progress)
        providers = auth.providers
        methods = auth.methods
        readers = [
            Task { [weak self] in
                while await changes.next() != nil { self?.serviceChanged() }
            },
            Task { [weak self] in
                while await events.next() != nil { self?.serviceChanged() }
            },
            Task { [weak self] in
                while let state = await gateStates.next() { self?.gateChanged(to: state) }
            },
        ]
    }

    deinit {
        for reader in readers { reader.cancel() }
        for attempt in attempts where attempt.intent.asksThePerson { attempt.task.cancel() }
        failures.finish()
    }

    private var service: AuthService? { reference.service }

    /// The user who is signed in; `nil` when no user is.
    public var user: AuthUser? { state.user }

    /// Whether an intent of this model has not ended.
    public var isBusy: Bool { !intents.isEmpty }

    /// The errors of this model's intents from now on.
    public var errors: Errors { Errors(failures) }

    // MARK: Following the service

    private func serviceChanged() {
        if update() { changed() }
    }

    private func gateChanged(to state: SessionGate.State) {
        guard state != gateState else { return }
        gateState = state
        changed()
    }

    private func changed() {
        changes += 1
        observers.notify(self)
    }

    /// Shows the service as it is now, which may be ahead of the readers.
    ///
    /// - Returns: Whether there was a change.
    private func update() -> Bool {
        let progress = AuthProgress(service?.progress)
        let state = states.present ?? state
        guard progress != self.progress || state != self.state else { return false }
        self.progress = progress
        self.state = state
        // A user who left may come back and sign out again, while the server is still told of the first time.
        for index in attempts.indices where attempts[index].user != user?.id { attempts[index].isEnding = true }
        return true
    }

    // MARK: Intents

    /// Runs an attempt, unless the same intent of the same user is in flight.
    ///
    /// - Parameter onSuccess: Receives what a successful attempt returned, when the model shows its effect.
    func perform<Success: Sendable>(
        _ intent: AuthIntent, _ attempt: (AuthService) -> AuthStream<Success>,
        onSuccess: @escaping @MainActor (AuthViewModel, Success) -> Void = { _, _ in }
    ) {
        guard let service else { return report(.serviceIsReleased(of: "AuthViewModel", during: intent.operation)) }
        // The user who is shown: the caller may not have seen yet what the intent in flight has changed.
        let user = user?.id
        guard !attempts.contains(where: { $0.intent == intent && $0.user == user && !$0.isEnding }) else { return }
        // The service supersedes what asks the person. It may take a moment to end, and may be asked for once more.
        if intent.interruptsWhatAsks { endWhatAsks() }
        let stream = attempt(service)
        lastAttempt += 1
        let id = lastAttempt
        let task = Task { [weak self] in
            let result = await stream.result
            self?.ended(id, result, onSuccess)
        }
        attempts.append(Attempt(id: id, intent: intent, user: user, task: task))
        intents.insert(intent)
        changed()
    }

    /// Cancels the intents in flight that ask the person.
    ///
    /// They leave ``intents`` when their attempts have ended, which is soon. A result that is decided by then stays.
    public func cancel() {
        for attempt in attempts where attempt.intent.asksThePerson { attempt.task.cancel() }
        endWhatAsks()
    }

    private func endWhatAsks() {
        for index in attempts.indices where attempts[index].intent.asksThePerson { attempts[index].isEnding = true }
    }

    private func ended<Success>(
        _ id: UInt64, _ result: Result<Success, AuthError>, _ onSuccess: (AuthViewModel, Success) -> Void
    ) {
        attempts.removeAll { $0.id == id }
        intents = Set(attempts.map(\.intent))
        // A screen that sees the end of an intent sees its effect, too.
        _ = update()
        changed()
        switch result {
        case .success(let success): onSuccess(self, success)
        case .failure(let error): report(error)
        }
    }

    func signedIn(_ result: SignInResult) {
        // Another sign-in or a sign-out may have followed.
        if user?.id == result.user.id { signInObservers.notify(result) }
    }

    private func report(_ error: AuthError) {
        guard !error.isUserCancellation else { return }
        failures.send(error)
        errorObservers.notify(error)
    }
}

extension AuthViewModel {
    /// The errors of an ``AuthViewModel``'s intents, for any number of readers: one toast each.
    ///
    /// ```swift
    /// for await error in model.errors { log.record(error.debugDescription) }
    /// ```
    ///
    /// SwiftUI receives them by `onAuthError(of:_:)`. They are events: the same error twice is two elements, and a view that is
    /// drawn again receives none again.
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | first element | the first error after `makeAsyncIterator()` |
    /// | which errors | those of this model's intents. A cancel of the person and an attempt that a newer one replaced are none |
    /// | a slow reader | more than 65 536 errors behind it jumps to the newest |
    /// | end | when the model is released. The sequence and its iterators do not keep the model alive |
    public struct Errors: AsyncSequence, Sendable {
        private let broadcast: Broadcast<AuthError>

        init(_ broadcast: Broadcast<AuthError>) {
            self.broadcast = broadcast
        }

        /// Joins after the newest error.
        public func makeAsyncIterator() -> Broadcast<AuthError>.Iterator { broadcast.makeAsyncIterator() }
    }
}

/// The provider that is asked, and the step that was reached.
public struct AuthProgress: Hashable, Sendable {
    /// The provider.
    public var provider: ProviderID
    /// The step.
    public var step: AuthState.SignInStep

    /// Makes a progress, such as for a preview.
    public init(_ provider: ProviderID, _ step: AuthState.SignInStep) {
        self.provider = provider
        self.step = step
    }

    init?(_ asked: (provider: ProviderID, step: AuthState.SignInStep)?) {
        guard let asked else { return nil }
        self.init(asked.provider, asked.step)
    }
}

/// A service that the app keeps and its holder does not.
///
/// A preview is the exception: it is made in the place where it is used, so its holder keeps it. It does not keep its holder, and
/// has no work of its own.
struct ServiceReference {
    private weak var reference: AuthService?
    private let preview: AuthService?

    init(_ service: AuthService) {
        reference = service
        preview = service.isPreview ? service : nil
    }

    /// `nil` after the app has released the service.
    var service: AuthService? { reference }
}

extension AuthError {
    /// The app did not keep the service.
    static func serviceIsReleased(of holder: String, during operation: AuthOperation) -> Self {
        AuthError(
            .misconfigured,
            "The AuthService of this \(holder) was released. Keep the service for as long as the app runs: views do not."
        ).during(operation)
    }
}
