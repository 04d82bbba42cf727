import Foundation

/// The use case 'resume': finishes an attempt that an earlier process began, by the URL that launched the app.
///
/// ```
/// URL ──► the user is known ──► stored attempt with this state? ── no ──► callbackIgnored
///                                     │ yes: removed
///                                     ├── too old, or another user is signed in now ──► attemptAbandoned
///                                     └── sign-in, link or re-authentication, with AuthProvider.resume
/// ```
///
/// The user who is signed in must be the one who was when the attempt began. So a resumed link never signs in, and a resumed
/// sign-in replaces no session that has come since.
struct ResumeAttempt: Sendable {
    let registry: ProviderRegistry
    let manager: SessionManager
    let signIn: SignIn
    let link: LinkProvider
    let reauthenticate: Reauthenticate

    /// Resumes the attempt that a URL answers, if there is one, as soon as the user is known.
    func callAsFunction(with url: URL) async {
        await manager.decision()?.value()
        guard !Task.isCancelled else { return }
        guard let entry = await PendingAttempts(manager: manager).take(answeredBy: url) else {
            return manager.emit(AuthEvent(.callbackIgnored))
        }
        let intent = entry.intent
        guard let provider = registry.provider(intent.provider, ofCallback: url), entry.isCurrent,
            manager.state.allowsResumption(by: intent.user)
        else {
            let error = AuthError(
                .abandoned,
                """
                The app was launched by the answer to an attempt of an earlier launch, which is more than ten minutes old, of \
                a provider that is not configured any more, or was begun for another user than the present one.
                """, provider: intent.provider)
            return manager.emit(AuthEvent(.attemptAbandoned, provider: intent.provider, failure: error))
        }
        let resumed = ResumedAttempt(
            attempt: entry.attempt, callback: url, elapsed: .milliseconds(Int64(entry.age * 1000)))
        await finish(intent.purpose, with: ResumingProvider(base: provider, resumed: resumed))
    }

    /// The results are seen in the states and events.
    private func finish(_ purpose: AuthRequest.Purpose, with provider: ResumingProvider) async {
        switch purpose {
        case .signIn: for await _ in signIn(with: provider) {}
        case .link: for await _ in link(with: provider) {}
        case .reauthenticate: for await _ in reauthenticate(with: provider) {}
        }
    }
}

extension AuthState {
    /// Whether that user is signed in, or no user if that is `nil`, and the person has not begun to sign in anew.
    fileprivate func allowsResumption(by user: AuthUser.ID?) -> Bool {
        switch self {
        case .signedOut: user == nil
        case .signedIn(let present, _): present.id == user
        case .restoring, .signingIn: false
        }
    }
}

/// A provider whose attempt has its answer already.
private struct ResumingProvider: AuthProvider {
    let base: any AuthProvider
    let resumed: ResumedAttempt

    var id: ProviderID { base.id }
    var methodKinds: [SignInMethod.Kind] { base.methodKinds }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        var request = request
        request.resumed = resumed
        return base.resume(resumed.attempt, with: resumed.callback, request)
    }
}
