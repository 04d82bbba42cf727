/// The wishes of one attempt, and where a provider reports its progress.
///
/// Everything except ``methodKind`` is a wish: a provider does what its service can, and omits the rest. The providers of
/// this package translate them as follows:
///
/// | | Apple's sheet | Apple's page | Google's page | Kakao's page | KakaoTalk | Naver's page | Naver app | OpenID |
/// | --- | --- | --- | --- | --- | --- | --- | --- | --- |
/// | ``Purpose/reauthenticate`` | – | – | `prompt=select_account` | `prompt=login` | `prompt=login` | `auth_type=reauthenticate` | page only | `prompt=login`, `max_age=0` |
/// | ``Purpose/link`` | – | – | – | – | – | – | page only | – |
/// | ``Prompt/login`` | – | – | `prompt=select_account` | `prompt=login` | `prompt=login` | `auth_type=reauthenticate` | page instead | `prompt=login` |
/// | ``Prompt/selectAccount`` | – | – | `prompt=select_account` | `prompt=select_account` | `prompt=select_account` | `auth_type=reauthenticate` | page instead | `prompt=select_account` |
/// | ``Prompt/consent`` | – | – | `prompt=consent` | – | – | `auth_type=reprompt` | `authType=reprompt` | `prompt=consent` |
/// | ``Prompt/none`` | refused | refused | `prompt=none` | `prompt=none` | page instead | refused | refused | `prompt=none` |
/// | ``loginHint`` | – | – | `login_hint` | `login_hint` | – | – | – | `login_hint` |
/// | ``idTokenHint`` | – | – | – | – | – | – | – | `id_token_hint` |
/// | ``acrValues`` | – | – | – | – | – | – | – | `acr_values` |
/// | ``maximumAge`` | – | – | – | – | – | – | – | `max_age` |
/// | ``extraScopes`` | `name`, `email` only | `scope` | `scope`, `include_granted_scopes` | `scope` | page instead | – | – | `scope` |
/// | ``presentation`` | its window | its window | its window | its window | – | its window | – | its window |
///
/// 'Page only': the Naver app's answer is not bound to the attempt, so it proves nothing there, and ``SignInMethod/Kind/app``
/// is refused. 'Page instead' applies without ``methodKind``. If the app is named as the kind, Naver's app ignores the
/// wish, and KakaoTalk ends an attempt that has scopes with `misconfigured`, because it cannot grant them. Apple's sheet
/// ends an attempt with other scopes likewise. 'Refused': the attempt ends with `unsupportedProvider` before anything is
/// shown. KakaoTalk refuses the prompt `none`, too, if the app is named as the kind. Otherwise
/// ``Purpose/link`` asks the same as ``Purpose/signIn``; only your server distinguishes them.
///
/// A provider that shows a code, such as `DeviceCodeProvider` of AuthStreamsOAuth, takes ``extraScopes`` alone.
/// ``Prompt/none`` is refused, and so is every ``Purpose`` other than ``Purpose/signIn``: anyone who reads the code can
/// answer.
public struct AuthRequest: Sendable {
    /// What the credential is for.
    public enum Purpose: Hashable, Sendable {
        /// Signing in.
        case signIn
        /// Linking a further identity to the user who is signed in.
        case link
        /// Confirming the user's identity again. Providers ask for a log-in again if they can.
        case reauthenticate
    }

    /// What the provider should ask of the person (OpenID Connect Core section 3.1.2.1), even if it does not need to.
    public enum Prompt: String, Hashable, Sendable {
        /// Log in again.
        case login
        /// Choose an account.
        case selectAccount = "select_account"
        /// Confirm the consents again, including those refused before: the 'reprompt'.
        case consent
        /// Ask nothing, and end the attempt with `requiresRecentSignIn` if something would have to be asked: at an OpenID
        /// Connect issuer, Google and Kakao's page. Other providers end it with `unsupportedProvider`.
        ///
        /// It stands alone, and re-authentication does not accept it. `AuthError.serverCode` says what would have been
        /// asked: `login_required`, `consent_required`, `account_selection_required` or `interaction_required` (OpenID
        /// Connect Core 3.1.2.6).
        case none
    }

    /// What the credential is for.
    public var purpose: Purpose
    /// How to ask, for providers with several ``AuthProvider/methodKinds``; with `nil` the provider chooses, and may fall
    /// back to another kind after a failure.
    public var methodKind: SignInMethod.Kind?
    /// Where to present.
    public var presentation: PresentationContext
    /// What to ask of the person, for providers that support it.
    public var prompts: [Prompt]
    /// The expected user: an e-mail address, phone number or identifier to fill in.
    public var loginHint: String?
    /// The ID token of the expected user, which the provider issued: `id_token_hint`. One of another issuer is left out.
    public var idTokenHint: Secret?
    /// The authentication contexts that are accepted, the preferred one first: `acr_values` (OpenID Connect Core 3.1.2.1).
    public var acrValues: [String]
    /// How old the person's authentication at the provider may be: `max_age`.
    public var maximumAge: Duration?
    /// Scopes beyond those the provider was configured with.
    public var extraScopes: [String]
    /// Called for each step as it begins, on the attempt's thread.
    public var onStep: @Sendable (AuthState.SignInStep) -> Void
    /// Called for each error that does not end the attempt, on the attempt's thread: a provider's app that did not open
    /// before its page is shown instead, or an answer that the provider's server refused, after which the attempt waits
    /// for another.
    public var onWarning: @Sendable (AuthError) -> Void
    /// Stores a profile that the provider returns only once, before the provider sends a request that may fail.
    ///
    /// The use case sets it; a chain made by hand stores the profile of the credential.
    package var keepProfile: @Sendable (Credential) async -> Void = { _ in }
    /// Stores the attempt before the person leaves the app, so that a later process can resume it; `nil` for an attempt
    /// whose answer is not bound to it, of which a later process can only report the end.
    ///
    /// Returns what removes it again when the person is back.
    package var keepAttempt: @Sendable (PendingAttempt?) async -> (@Sendable () async -> Void) = { _ in {} }
    /// Stores the address to which a link is sent, so that a later process can resume the attempt. Returns what removes it again.
    package var keepLink: @Sendable (String) async -> (@Sendable () async -> Void) = { _ in {} }
    /// Asks the person by a prompt. The use case sets it.
    package var prompter = Prompter()
    /// Gets what the provider needs from the server. The use case sets it.
    package var prepare: @Sendable (Preparation) async throws -> AuthJSON = { _ in
        throw AuthError(
            .misconfigured,
            "The provider needs something from the server first, and was asked outside of a use case. Sign in by `AuthService`."
        )
    }
    /// Whether the ID token has to repeat the SHA-256 of the attempt's nonce in hexadecimal; `false` unless set.
    ///
    /// The use cases set it to the repository's ``AuthRepository/hashesNonce(of:)``, and so does a chain made by hand.
    public var hashesNonce = false
    /// The attempt that is resumed, in place of opening a page.
    package var resumed: ResumedAttempt?

    /// Makes a request. Without arguments it is a plain sign-in in the key window.
    public init(
        purpose: Purpose = .signIn, methodKind: SignInMethod.Kind? = nil,
        presentation: PresentationContext = .automatic,
        prompts: [Prompt] = [], loginHint: String? = nil, idTokenHint: Secret? = nil,
        acrValues: [String] = [], maximumAge: Duration? = nil, extraScopes: [String] = [],
        onStep: @escaping @Sendable (AuthState.SignInStep) -> Void = { _ in },
        onWarning: @escaping @Sendable (AuthError) -> Void = { _ in }
    ) {
        self.purpose = purpose
        self.methodKind = methodKind
        self.presentation = presentation
        self.prompts = prompts
        self.loginHint = loginHint
        self.idTokenHint = idTokenHint
        self.acrValues = acrValues
        self.maximumAge = maximumAge
        self.extraScopes = extraScopes
        self.onStep = onStep
        self.onWarning = onWarning
    }
}

/// How a provider asks the person by a prompt.
package struct Prompter: Sendable {
    private let ask: (@Sendable (Challenge, AuthError?) async throws -> ChallengeAnswer)?

    /// - Parameter ask: Shows a prompt, with the failure of the answer before, and waits for the answer; `nil` outside of a use case,
    ///   where nothing shows prompts.
    package init(_ ask: (@Sendable (Challenge, AuthError?) async throws -> ChallengeAnswer)? = nil) { self.ask = ask }

    /// Checks that the person can be asked, before anything is sent.
    ///
    /// - Throws: `misconfigured` outside of a use case.
    package func require() throws(AuthError) {
        guard ask == nil else { return }
        throw AuthError(
            .misconfigured,
            """
            The provider asks the person by a prompt, and the attempt has none. Sign in by `AuthService` or `AuthSignIn`, and \
            read `prompts.presenting()`.
            """)
    }

    /// Asks the person, and waits for the answer.
    ///
    /// - Parameter failure: Why the step is asked again.
    /// - Throws: `cancelled` if the person cancels, `timedOut`, `misconfigured` if nothing shows prompts.
    package func answer(
        to challenge: Challenge, after failure: AuthError? = nil
    ) async throws(AuthError) -> ChallengeAnswer {
        try require()
        return try await AuthError.wrapping { try await ask?(challenge, failure) ?? .resend }
    }

    /// Shows a prompt while work is under way. The person's cancel ends the work, and the prompt's expiry the prompt alone.
    package func showing<Value: Sendable>(
        _ challenge: Challenge, while work: @escaping @Sendable () async throws -> Value
    ) async throws(AuthError) -> Value {
        try await AuthStream(work).interrupted {
            do throws(AuthError) {
                _ = try await answer(to: challenge)
                return nil
            } catch {
                return Task.isCancelled || error.code == .timedOut ? nil : error
            }
        }.value
    }
}

extension AuthRequest {
    /// Whether nothing may be asked.
    ///
    /// - Throws: `misconfigured` if something is to be asked all the same.
    package var isSilent: Bool {
        get throws(AuthError) {
            guard prompts.contains(.none) else { return false }
            guard Set(prompts).count == 1, purpose != .reauthenticate else {
                throw AuthError(
                    .misconfigured,
                    "The prompt `none` stands alone (OpenID Connect Core 3.1.2.1), and re-authentication asks the person."
                )
            }
            return true
        }
    }

    /// Requires that the provider may ask the person.
    ///
    /// - Throws: `unsupportedProvider`, or the error of ``isSilent``.
    package func requireQuestions(of provider: ProviderID) throws(AuthError) {
        guard try isSilent else { return }
        throw AuthError(
            .unsupportedProvider,
            "The provider \(provider) signs in only by asking the person. Leave the prompt `none` out.",
            provider: provider)
    }
}

/// Where to present a page or a sheet.
public enum PresentationContext: Sendable {
    /// The key window of the app's scene that is active in the foreground; of several, the frontmost one.
    ///
    /// Presenting fails with `presentationUnavailable` if there is none: the app is in the background, or the process is
    /// an extension, which has no scene. The explanation says which.
    case automatic

    /// A window of the app. Presenting fails with `presentationUnavailable` if it is gone by then, or if its scene was
    /// disconnected or is in the background, and never takes place in another window.
    case window(WeakWindow)

    /// A window of the app, such as that of the button that was tapped.
    ///
    /// - Parameter window: A `UIWindow` or an `NSWindow`. It is held weakly.
    @MainActor
    public static func `in`(_ window: AnyObject) -> Self { .window(WeakWindow(window)) }
}

/// A weak reference to a window.
@MainActor
public final class WeakWindow {
    /// The window; `nil` if it is gone.
    public private(set) weak var window: AnyObject?

    /// Makes a reference to a `UIWindow` or an `NSWindow`.
    package init(_ window: AnyObject) { self.window = window }
}
