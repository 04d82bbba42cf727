extension AuthService {
    /// Makes a service for previews of views, and for tests of them.
    ///
    /// ```swift
    /// #Preview("Home") { RootView(auth: .preview(.signedIn)) }
    /// #Preview("KakaoTalk") { RootView(auth: .preview(.signingIn(.kakao))) }
    /// #Preview("Offline") { RootView(auth: .preview(failing: .network)) }
    /// ```
    ///
    /// It sends nothing, stores nothing outside the memory, and starts no task. It is complete otherwise: sign-ins succeed at once
    /// as the user of the preview, or fail, and the states follow.
    ///
    /// - Parameters:
    ///   - preview: The state in which it begins.
    ///   - code: The error of every attempt at a provider; none unless given.
    ///   - providers: The providers to draw buttons for.
    ///   - lastSignIn: The method of the last sign-in on this device.
    public static func preview(
        _ preview: AuthPreview = .signedOut, failing code: AuthError.Code? = nil,
        providers: [ProviderID] = [.apple, .google, .kakao, .naver], lastSignIn: SignInMethod? = nil
    ) -> AuthService {
        let failure = code.map { AuthError($0, "The preview makes every sign-in fail.") }
        return Self.preview(preview, failing: failure, providers: providers, lastSignIn: lastSignIn)
    }

    /// Makes a service that takes the place of one that the app did not give: every sign-in fails with `misconfigured`.
    ///
    /// - Parameter explanation: What was not given, and where to give it.
    package static func missing(_ explanation: String) -> AuthService {
        preview(
            .signedOut, failing: AuthError(.misconfigured, explanation), providers: [.apple, .google, .kakao, .naver],
            lastSignIn: nil)
    }

    private static func preview(
        _ preview: AuthPreview, failing failure: AuthError?, providers: [ProviderID], lastSignIn: SignInMethod?
    ) -> AuthService {
        let manager = SessionManager(store: MemorySessionStore())
        let repository = PreviewRepository(user: preview.user)
        manager.begin(preview.beginning, repository)
        manager.lastSignIn.send(lastSignIn)
        return AuthService(
            ProviderRegistry(providers.map { PreviewProvider(id: $0, failure: failure) }), repository: repository,
            manager: manager, callbacks: CallbackRouter(), api: nil, background: nil)
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
        restored(empty, of: look { $0.generation }, since: clock.uptime)
        switch beginning {
        case .restoring, .signedOut: break
        case .signingIn(let provider, let step): _ = signInBegan(with: provider, at: step)
        case .signedIn(let user):
            let provider = user.providers.first?.id ?? .apple
            let operation = signInBegan(with: provider, at: .establishingSession)
            _ = committed(operation)
            _ = signedIn(repository.session(by: provider), by: operation, begun: clock.moment, nil)
        }
    }
}
