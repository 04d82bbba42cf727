/// What the title of a button says. A provider that does not allow a wording gets ``signIn``.
public enum SignInButtonWording: String, Hashable, Sendable, CaseIterable {
    /// Sign in with the provider.
    case signIn
    /// Sign up with the provider, for a screen that creates accounts.
    case signUp
    /// Continue with the provider, for a screen that does both.
    case `continue`
    /// Log in, without the provider's name: the logo tells which.
    case short
    /// Link the provider, for ``SignInButtonAction/link``. A provider that does not allow it gets ``continue``.
    case link
}
