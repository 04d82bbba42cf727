extension AuthService {
    /// Makes a service for previews of views, and for tests of them.
    ///
    /// ```swift
    /// #Preview("Home") { RootView(auth: .preview(.signedIn)) }
    /// #Preview("KakaoTalk") { RootView(auth: .preview(.signingIn(.kakao))) }
    /// #Preview("Offline") { RootView(auth: .preview(failing: .network)) }
    /// ```
    ///
    /// It sends nothing, stores nothing outside the memory, and starts no task. Sign-ins succeed at once as the user of the preview,
    /// changes of the account change that user, and the states follow.
    ///
    /// - Parameters:
    ///   - preview: The state in which it begins. `restoring` and `signingIn` last until the service is asked for something.
    ///   - code: The error of every attempt at a provider and of every request to the server; none unless given. Only signing
    ///     out succeeds all the same.
    ///   - providers: The providers to draw buttons for.
    ///   - lastSignIn: The method of the last sign-in on this device.
    public static func preview(
        _ preview: AuthPreview = .signedOut, failing code: AuthError.Code? = nil,
        providers: [ProviderID] = [.apple, .google, .kakao, .naver], lastSignIn: SignInMethod? = nil
    ) -> AuthService {
        let failure = code.map { AuthError($0, "The preview makes every attempt fail.") }
        return Self.preview(preview, failing: failure, providers: providers, lastSignIn: lastSignIn)
    }

    /// Makes a service that takes the place of one that the app did not give: every attempt fails with `misconfigured`, and is
    /// logged.
    ///
    /// - Parameter explanation: What was not given, and where to give it.
    package static func missing(_ explanation: String) -> AuthService {
        let service = preview(
            .signedOut, failing: AuthError(.misconfigured, explanation), providers: [.apple, .google, .kakao, .naver],
            lastSignIn: nil)
        AuthEventSink.log.follow(service.events)
        return service
    }

    private static func preview(
        _ preview: AuthPreview, failing failure: AuthError?, providers: [ProviderID], lastSignIn: SignInMethod?
    ) -> AuthService {
        let callbacks = CallbackRouter()
        let registry = ProviderRegistry(
            providers.map { PreviewProvider(id: $0, failure: failure) }, callbacks: callbacks)
        let manager = SessionManager(store: MemorySessionStore(), offering: registry.offeredMethod)
        let repository = PreviewRepository(user: preview.user, failure: failure)
        manager.begin(preview.beginning, repository)
        if let lastSignIn { LastSignIns(manager: manager).assume(lastSignIn, of: preview.user.id) }
        return AuthService(
            registry, repository: repository, manager: manager, callbacks: callbacks, api: nil, background: nil)
    }
}

extension AuthPreview {
    /// Who is signed in, or will be.
    fileprivate var user: AuthUser { if case .signedIn(let user) = beginning { user } else { Self.user } }
}

extension SessionManager {
    /// Reports the facts that lead to the state of a preview.
    fileprivate func begin(_ beginning: AuthPreview.Beginning, _ repository: PreviewRepository) {
        if beginning == .restoring { return }
        let empty = RecordSnapshot(nil, as: StoredRecord(data: nil, version: .none))
        transition { machine, now in
            machine.restored(empty, at: now, since: now.uptime)
            switch beginning {
            case .restoring, .signedOut: break
            case .signingIn(let provider, let step): _ = machine.signInBegan(with: provider, at: step, now.uptime)
            case .signedIn(let user):
                let provider = user.providers.first?.id ?? .apple
                let operation = machine.signInBegan(with: provider, at: .establishingSession, now.uptime)
                let session = repository.session(of: user, by: provider)
                let id = SessionID(rawValue: "preview")
                _ = machine.committed(operation, session, as: id, at: now)
                // Shown at once. The next write stores it.
                machine.nothingWritten(AuthError(.storage, "A preview writes nothing by itself."), at: now)
            }
        }
    }
}
