public import AuthStreams

extension AuthService {
    /// Suggests passkeys by AutoFill whenever no user is signed in, until the task is cancelled.
    ///
    /// ```swift
    /// suggestions = Task { await auth.suggestPasskeys() }     // viewDidAppear(_:)
    /// suggestions?.cancel()                                   // viewWillDisappear(_:)
    /// ```
    ///
    /// The system shows the passkeys above the keyboard of a text field whose `textContentType` is `username`. SwiftUI has
    /// `passkeyAutoFill()` for it. Another sign-in ends the suggestions; they are there again when it has failed, and after a
    /// sign-out. After an error they are requested again, with exponential backoff: after 1 s, 2 s, 4 s … up to a minute, or as the
    /// server asks. The function returns also where there are no suggestions: without a provider for passkeys, and on macOS and tvOS.
    ///
    /// The task keeps the service alive.
    ///
    /// - Parameters:
    ///   - request: Where to present.
    ///   - onResult: Receives the result of each sign-in that the person began by choosing a passkey.
    public func suggestPasskeys(
        _ request: AuthRequest = AuthRequest(),
        onResult: @escaping @MainActor @Sendable (Result<SignInResult, AuthError>) -> Void = { _ in }
    ) async {
        for await state in states.latest {
            guard state.isSignedOut else { continue }
            var backoff = Backoff(of: .suggestions)
            while self.state.isSignedOut {
                let result = await signIn(with: .passkey, using: .conditional, request).result
                guard case .failure(let error) = result else {
                    await onResult(result)
                    break
                }
                guard error.code != .unsupportedProvider else { return }
                if error.step == .establishingSession { await onResult(result) }
                guard let pause = backoff.failed(error), (try? await manager.clock.sleep(for: pause)) != nil else {
                    return
                }
            }
        }
    }
}

extension AuthState {
    fileprivate var isSignedOut: Bool { if case .signedOut = self { true } else { false } }
}
