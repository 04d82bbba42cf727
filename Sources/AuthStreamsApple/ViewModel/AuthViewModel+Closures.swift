public import AuthStreams

extension AuthViewModel {
    /// Calls a closure now, and after each change of the state, of the progress and of the intents.
    ///
    /// ```swift
    /// override func viewDidLoad() {
    ///     super.viewDidLoad()
    ///     model.observe(for: self) { screen, model in screen.render(model) }
    /// }
    /// ```
    ///
    /// The closure may call the model. Each call passes the model as it is then, with a change since the call before.
    ///
    /// - Parameters:
    ///   - owner: The screen that the closure belongs to. It is held weakly; after its release the closure is not called.
    ///   - handler: Receives the owner and the model. Use the owner that it receives: a closure that captures it keeps it
    ///     alive.
    /// - Returns: The registration, which may be ignored. It ends with the owner.
    @discardableResult
    public func observe<Owner: AnyObject>(
        for owner: Owner, _ handler: @escaping @MainActor (Owner, AuthViewModel) -> Void
    ) -> AuthObservation {
        var seen: UInt64?
        let observation = observers.add(owner) { owner, model in
            // A closure that began an intent made the later ones see it already.
            guard seen != model.changes else { return }
            seen = model.changes
            handler(owner, model)
        }
        observers.notify(self)
        return observation
    }

    /// Calls a closure with each error of ``errors`` from now on.
    ///
    /// - Parameters:
    ///   - owner: The screen that the closure belongs to. It is held weakly; after its release the closure is not called.
    ///   - handler: Receives the owner and the error.
    /// - Returns: The registration, which may be ignored. It ends with the owner.
    @discardableResult
    public func onError<Owner: AnyObject>(
        for owner: Owner, _ handler: @escaping @MainActor (Owner, AuthError) -> Void
    ) -> AuthObservation {
        errorObservers.add(owner, handler)
    }

    /// Calls a closure with the result of each successful sign-in of this model from now on, such as to show a new user the
    /// onboarding.
    ///
    /// ```swift
    /// model.onSignIn(for: sceneDelegate) { delegate, result in
    ///     if result.isNewUser { delegate.showOnboarding() }
    /// }
    /// ```
    ///
    /// The owner has to outlive the log-in screen: a ``RootCoordinator`` may replace and release that before the result is
    /// reported. <doc:FollowTheState> shows a scene delegate as the owner.
    ///
    /// Called once for each sign-in of ``signIn(with:_:)``, ``signIn(with:using:_:)`` and ``signInAnonymously()`` that
    /// succeeded, when the model shows the user. Not called for an attempt that another superseded, for one that a later sign-in or a
    /// sign-out has followed by then, nor for a sign-in of another screen.
    ///
    /// - Parameters:
    ///   - owner: The object that the closure belongs to. It is held weakly; after its release the closure is not called.
    ///   - handler: Receives the owner and the result.
    /// - Returns: The registration, which may be ignored. It ends with the owner.
    @discardableResult
    public func onSignIn<Owner: AnyObject>(
        for owner: Owner, _ handler: @escaping @MainActor (Owner, SignInResult) -> Void
    ) -> AuthObservation {
        signInObservers.add(owner, handler)
    }
}
