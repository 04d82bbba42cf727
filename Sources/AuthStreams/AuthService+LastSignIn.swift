extension AuthService {
    /// The provider and the kind of method of the last sign-in on this device, such as for a badge on its button. People who
    /// return choose the same account instead of making a second one.
    ///
    /// ```swift
    /// if let last = auth.lastSignIn { user = try await auth.signIn(with: last).value.user }
    /// ```
    ///
    /// It is stored beside the session: it survives the sign-out, and is forgotten when the account is deleted or that identity is
    /// unlinked. An identity that an anonymous user links counts as a sign-in. Other links, re-authentication and anonymous
    /// sign-ins do not change it.
    ///
    /// It is `nil` until it was read after the launch, also while storage is locked or fails, and if the service does not have the
    /// provider. The kind is `nil` if the provider has several and the app named none or the attempt was resumed by a later launch,
    /// and if the provider does not have it any more.
    ///
    /// It is no secret and no proof of an identity. The store holds no user's identifier with it.
    public var lastSignIn: SignInMethod? { manager.lastSignIn.broadcast.value ?? nil }

    /// ``lastSignIn`` now and after each change, also by another process; the newest only. Ends when the service is released.
    public var lastSignIns: Broadcast<SignInMethod?>.Latest { manager.lastSignIn.broadcast.latest }
}
