/// What one attempt asks of a provider, and where it reports its progress.
///
/// Everything is a wish but ``means``: a provider does what its service can, and leaves out the rest. What the four of
/// this package put into what they open:
///
/// | | Apple's page | Google's page | Kakao's page | KakaoTalk | Naver's page | Naver app |
/// | --- | --- | --- | --- | --- | --- | --- |
/// | ``Purpose/reauthenticate`` | – | `prompt=select_account` | `prompt=login` | `prompt=login` | `auth_type=reauthenticate` | page only |
/// | ``Purpose/link`` | – | – | – | – | – | page only |
/// | ``Prompt/login`` | – | `prompt=select_account` | `prompt=login` | `prompt=login` | `auth_type=reauthenticate` | page instead |
/// | ``Prompt/selectAccount`` | – | `prompt=select_account` | `prompt=select_account` | `prompt=select_account` | `auth_type=reauthenticate` | page instead |
/// | ``Prompt/consent`` | – | `prompt=consent` | – | – | `auth_type=reprompt` | `authType=reprompt` |
/// | ``loginHint`` | – | `login_hint` | `login_hint` | – | – | – |
/// | ``extraScopes`` | `scope` | `scope`, `include_granted_scopes` | `scope` | page instead | – | – |
/// | ``presentation`` | its window | its window | its window | – | its window | – |
///
/// 'Page only': the Naver app's answer is not bound to the attempt, so it proves nothing there, and ``SignInMeans/app`` is
/// refused. 'Page instead' is what happens without ``means``. Where the app is named as the means, Naver's asks as ever, and
/// KakaoTalk ends an attempt that has scopes with `misconfigured`, because whoever needs a scope is not served without it.
/// Otherwise ``Purpose/link`` asks nothing that ``Purpose/signIn`` does not; it is for your server to know.
public struct AuthRequest: Sendable {
    /// What the credential is for.
    public enum Purpose: Hashable, Sendable {
        /// Signing in.
        case signIn
        /// Linking a further identity to the user who is signed in.
        case link
        /// Proving once more that it is them. Providers ask for the log-in again where they can.
        case reauthenticate
    }

    /// What the provider should ask of the person (OpenID Connect Core section 3.1.2.1), though it may not need to.
    public enum Prompt: String, Hashable, Sendable {
        /// Log in again.
        case login
        /// Choose an account.
        case selectAccount = "select_account"
        /// Confirm the consents again, those refused before among them: the 'reprompt'.
        case consent
    }

    /// What the credential is for.
    public var purpose: Purpose
    /// How to ask, for providers with several ``AuthProvider/means``; `nil` leaves the choice, and the way from one to
    /// another where one fails, to the provider.
    public var means: SignInMeans?
    /// Where to present.
    public var presentation: PresentationContext
    /// What to ask of the person, for providers that can be told.
    public var prompts: [Prompt]
    /// Who is expected to sign in: an e-mail address, phone number or identifier to fill in.
    public var loginHint: String?
    /// Scopes beyond those the provider was configured with.
    public var extraScopes: [String]
    /// Hears of each step as it begins, on whatever thread the attempt is.
    public var onStep: @Sendable (AuthState.SignInStep) -> Void
    /// Receives each error that does not end the attempt, on the attempt's thread: a provider's app that did not open before
    /// its page is shown instead, or an answer that the provider's server refused, after which the attempt waits for another.
    public var onWarning: @Sendable (AuthError) -> Void
    /// Keeps the profile that a provider tells once, before the provider sends a request that may fail.
    ///
    /// The use case sets it; a chain made by hand keeps the profile from the credential on.
    package var keepProfile: @Sendable (Credential) async -> Void = { _ in }

    /// Makes a request. Without arguments it is a plain sign-in in the front-most window.
    public init(
        purpose: Purpose = .signIn, means: SignInMeans? = nil, presentation: PresentationContext = .frontmost,
        prompts: [Prompt] = [], loginHint: String? = nil, extraScopes: [String] = [],
        onStep: @escaping @Sendable (AuthState.SignInStep) -> Void = { _ in },
        onWarning: @escaping @Sendable (AuthError) -> Void = { _ in }
    ) {
        self.purpose = purpose
        self.means = means
        self.presentation = presentation
        self.prompts = prompts
        self.loginHint = loginHint
        self.extraScopes = extraScopes
        self.onStep = onStep
        self.onWarning = onWarning
    }
}
