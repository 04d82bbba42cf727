import Foundation

extension AuthService {
    /// Makes a service for previews of views, and for tests of them.
    ///
    /// ```swift
    /// #Preview("Home") { RootView(auth: .preview(.signedIn)) }
    /// #Preview("KakaoTalk") { RootView(auth: .preview(.signingIn(.kakao))) }
    /// #Preview("Code") { RootView(auth: .preview(.asking(.code))) }
    /// #Preview("Offline") { RootView(auth: .preview(.offline, failing: .network)) }
    /// ```
    ///
    /// It sends nothing, stores nothing outside the memory, and starts no task. Sign-ins succeed at once as the user of the preview,
    /// changes of the account change that user, and the states follow.
    ///
    /// - Parameters:
    ///   - preview: The state in which it begins. `restoring`, `waitingForUnlock`, `waitingForPerson` and `signingIn` last until the service is asked
    ///     for something.
    ///   - code: The error of every attempt at a provider and of every request to the server; none unless given. Only signing
    ///     out succeeds all the same.
    ///   - providers: The providers to draw buttons for.
    ///   - lastSignIn: The method of the last sign-in on this device.
    ///   - answer: Answers the requests of ``data(for:)``, to any server. Unless given, they fail with `network`.
    public static func preview(
        _ preview: AuthPreview = .signedOut, failing code: AuthError.Code? = nil,
        providers: [ProviderID] = [.apple, .google, .kakao, .naver], lastSignIn: SignInMethod? = nil,
        answer: (@Sendable (AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse)? = nil
    ) -> AuthService {
        let failure = code.map { AuthError($0, "The preview makes every attempt fail.") }
        return Self.preview(
            preview, failing: failure, providers: providers, lastSignIn: lastSignIn,
            api: APIAccess(preview: PreviewTransport(failure: failure, answer: answer)))
    }

    /// Makes a service that takes the place of one that the app did not give: every attempt fails with `misconfigured`, and is
    /// logged.
    ///
    /// - Parameter explanation: What was not given, and where to give it.
    package static func missing(_ explanation: String) -> AuthService {
        let service = preview(
            .signedOut, failing: AuthError(.misconfigured, explanation), providers: [.apple, .google, .kakao, .naver],
            lastSignIn: nil, api: nil)
        AuthEventSink.log.follow(service.events)
        return service
    }

    private static func preview(
        _ preview: AuthPreview, failing failure: AuthError?, providers: [ProviderID], lastSignIn: SignInMethod?,
        api: APIAccess?
    ) -> AuthService {
        let callbacks = CallbackRouter()
        let registry = ProviderRegistry(
            providers.map { PreviewProvider(id: $0, failure: failure) }, callbacks: callbacks)
        let repository = PreviewRepository(user: preview.user, failure: failure)
        let found = preview.record(repository)
        let manager = SessionManager(
            store: MemorySessionStore(found.stored, for: .session), offering: registry.offeredMethod,
            gate: preview.beginning == .waitingForPerson
                ? SessionGate(after: .seconds(Int64.max)) { _ in if let failure { throw failure } } : nil)
        manager.begin(preview.beginning, repository, found)
        if case .asking(let provider, let challenge) = preview.beginning {
            let operation = manager.transition { $0.signInBegan(with: provider, at: .waitingForAnswer, $1.uptime) }
            manager.ask(challenge, in: operation, after: failure, repository)
        }
        if let lastSignIn { LastSignIns(manager: manager).assume(lastSignIn, of: preview.user.id) }
        return AuthService(
            registry, repository: repository, manager: manager, callbacks: callbacks, api: api, background: nil)
    }

    /// Whether the service is a preview, which a holder keeps alive: it is made in the place where it is used.
    package var isPreview: Bool { background == nil }
}

extension AuthPreview {
    /// Who is signed in, or will be.
    fileprivate var user: AuthUser { if case .signedIn(let user, _) = beginning { user } else { Self.user } }

    /// The record that the store holds: that of a session which the server has not confirmed since, otherwise none.
    fileprivate func record(_ repository: PreviewRepository) -> RecordSnapshot {
        switch beginning {
        case .signedIn(_, .cached), .signedIn(_, .offline), .waitingForPerson: break
        default: return .empty
        }
        let session = KeptSession(
            .established(repository.session(of: user, by: user.signInProvider)),
            at: KeptSession.Stage(id: .preview), savedAt: Date())
        let record = SessionRecord(session)
        // Encoding a session of the preview does not fail.
        return (try? record.data()).map {
            RecordSnapshot(record, as: StoredRecord(data: $0, version: RecordVersion.none.next))
        } ?? .empty
    }
}

extension SessionManager {
    /// Reports the facts that lead to the state of a preview.
    fileprivate func begin(
        _ beginning: AuthPreview.Beginning, _ repository: PreviewRepository, _ found: RecordSnapshot
    ) {
        transition { machine, now in
            switch beginning {
            case .restoring: return
            case .waitingForUnlock:
                let error = AuthError(.storageLocked, "The preview waits until the device is unlocked.")
                return machine.restoreFailed(error, .showSignedOut, at: now.uptime, since: now.uptime)
            case .waitingForPerson:
                machine.gate.asksOnlyForCallers()
                return machine.restored(found, at: now, since: now.uptime)
            case .signedOut, .signingIn, .signedIn, .asking: machine.restored(found, at: now, since: now.uptime)
            }
            switch beginning {
            case .restoring, .waitingForUnlock, .waitingForPerson, .signedOut(nil), .signedIn(_, .cached), .asking:
                break
            case .signingIn(let provider, let step): _ = machine.signInBegan(with: provider, at: step, now.uptime)
            case .signedIn(let user, .verified): machine.signedIn(user, repository, at: now)
            case .signedIn(_, .offline(let since)):
                guard case .start(let refresh) = machine.tokenRequested(machine.demandOfNewToken, at: now.uptime)
                else { break }
                let error = AuthError(.network, "The preview cannot reach the server.")
                machine.refreshEnded(refresh, .failure(error), at: Timestamp(date: since, uptime: now.uptime))
            case .signedOut(let reason?):
                machine.signedIn(AuthPreview.user, repository, at: now)
                guard let request = machine.request() else { break }
                let error = AuthError(.sessionExpired, "The preview begins after the end of a session.")
                _ = machine.refreshRejected(request, reason, because: error, at: now.uptime)
            }
        }
    }
}

extension SessionManager {
    /// Shows a prompt, whose answer signs in, or asks once more if there is a failure.
    fileprivate func ask(
        _ challenge: Challenge, in operation: SignInOperation, after failure: AuthError?,
        _ repository: PreviewRepository
    ) {
        let prompt = AuthPrompt(
            challenge, provider: operation.provider, failure: failure, id: AuthPrompt.ID(id, operation.id),
            at: clock.date,
            onAnswer: { [weak self] answer in
                if failure == nil, answer != .resend {
                    self?.currentPrompt.hide(of: operation.id)
                    self?.transition { $0.signedIn(repository.user, repository, at: $1) }
                } else {
                    self?.ask(challenge, in: operation, after: failure, repository)
                }
            },
            onCancelBy: { [weak self] _ in
                self?.currentPrompt.hide(of: operation.id)
                self?.transition {
                    let error = AuthError(.cancelled, "The person cancelled the prompt of the preview.")
                    _ = $0.signInFailed(operation, error, at: $1.uptime)
                }
            })
        _ = currentPrompt.show(prompt)
    }
}

extension SessionStateMachine {
    fileprivate mutating func signedIn(_ user: AuthUser, _ repository: PreviewRepository, at now: Timestamp) {
        let provider = user.signInProvider
        let operation = signInBegan(with: provider, at: .establishingSession, now.uptime)
        _ = committed(operation, repository.session(of: user, by: provider), as: .preview, at: now)
        // Shown at once. The next write stores it.
        nothingWritten(AuthError(.storage, "A preview writes nothing by itself."), at: now)
    }
}

extension AuthUser {
    fileprivate var signInProvider: ProviderID { providers.first?.id ?? .apple }
}

extension SessionID {
    fileprivate static let preview = Self(rawValue: "preview")
}

extension RecordSnapshot {
    fileprivate static let empty = Self(nil, as: StoredRecord(data: nil, version: .none))
}

/// A server of the app that answers by a closure, or not at all.
private struct PreviewTransport: AuthHTTPTransport {
    let failure: AuthError?
    let answer: (@Sendable (AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse)?

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        if let failure { throw failure }
        guard let answer else {
            throw AuthError(.network, "A preview sends nothing. Give `preview` an `answer` for its requests.")
        }
        return try await answer(request)
    }
}
