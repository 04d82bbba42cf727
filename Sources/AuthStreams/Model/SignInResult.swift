/// The result of a sign-in.
///
/// ```swift
/// let signIn = try await auth.signIn(with: .kakao).value
/// signIn.isNewUser ? showWelcome() : showHome(signIn.user)
/// ```
public struct SignInResult: Equatable, Sendable {
    /// The user who is signed in now.
    public var user: AuthUser
    /// Whether the server created this user with this sign-in. `false` if the sign-in was repeated because its answer
    /// was lost and the first request had created the user.
    public var isNewUser: Bool
    /// The provider that was used.
    public var provider: ProviderID
    /// The person's name in its parts, as the provider returned it; `nil` if it returned none.
    ///
    /// Apple returns it at the first authorization only. If the sign-in failed then, the next one that succeeds has it, with which
    /// your server receives it. Google and other issuers of OpenID Connect return it in each ID token that has the claims
    /// `given_name` and `family_name`; where the issuer's tokens are the session, its user information counts, too. For a name
    /// that stays, read ``AuthUser/displayName``.
    public var name: PersonName?
    /// Whether the person's e-mail address at the provider is a relay address in place of their own; `nil` if that is not known.
    ///
    /// Apple's ID token says so for the address that it has. A relay address forwards mail of registered senders only, and differs
    /// from the address of the person's other accounts. The user's address may be another one, such as that of an identity that was
    /// linked earlier, so this is a property of the sign-in and not of the user.
    public var isPrivateEmail: Bool?

    /// Makes a result.
    public init(
        user: AuthUser, isNewUser: Bool, provider: ProviderID, name: PersonName? = nil, isPrivateEmail: Bool? = nil
    ) {
        self.user = user
        self.isNewUser = isNewUser
        self.provider = provider
        self.name = name
        self.isPrivateEmail = isPrivateEmail
    }

    /// - Parameter credential: The credential that the server accepted; `nil` for an anonymous sign-in.
    init(_ session: AuthSession, of credential: Credential? = nil) {
        self.init(
            user: session.user, isNewUser: session.isNewUser, provider: session.provider,
            name: credential?.profile?.name
                ?? credential?.idToken.flatMap { JSONWebToken($0) }.flatMap { PersonName(claims: $0.claims) }
                // A code that the repository redeemed: the claims of the verified ID token and of the user information.
                ?? session.openID.flatMap { _ in PersonName(claims: .object(session.user.claims)) },
            isPrivateEmail: credential?.isPrivateEmail)
    }
}
