/// The result of a sign-in.
///
/// ```swift
/// let signIn = try await auth.signIn(with: .kakao).value
/// signIn.isNewUser ? showWelcome() : showHome(signIn.user)
/// ```
public struct SignInResult: Hashable, Sendable {
    /// The user who is signed in now.
    public var user: AuthUser
    /// Whether the server created this user with this sign-in. `false` if the sign-in was repeated because its answer
    /// was lost and the first request had created the user.
    public var isNewUser: Bool
    /// The provider that was used.
    public var provider: ProviderID

    /// Makes a result.
    public init(user: AuthUser, isNewUser: Bool, provider: ProviderID) {
        self.user = user
        self.isNewUser = isNewUser
        self.provider = provider
    }

    init(_ session: Session) {
        self.init(user: session.user, isNewUser: session.isNewUser, provider: session.provider)
    }
}
