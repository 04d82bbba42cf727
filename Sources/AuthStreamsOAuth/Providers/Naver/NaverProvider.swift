public import AuthStreams
import Foundation

/// Naver: by its app where there is one, else by the browser. Hands over an authorization code.
///
/// Naver's token endpoint always wants the client secret, and nothing that Naver says about a token names the client it
/// was made for. So the code itself is the credential: the server, which has the secret, redeems it, and a token of some
/// other app can never be passed off as this one's. No request leaves the device but the page.
///
/// ```swift
/// let naver = NaverProvider(
///     .init(clientID: "…", urlScheme: "myapp", appName: "My App"),
///     callbacks: callbacks, opener: opener, userAgent: browser)
/// ```
///
/// | what happens | how it ends |
/// | --- | --- |
/// | the person cancels, in the app or on the page | `cancelled`; the browser is not tried after the app |
/// | the person comes back without an answer | `abandoned`, after a short grace |
/// | the app is absent, does not open or fails | the browser is tried, unless mode or request name the app alone |
/// | a callback of another place or `state`, or of the app without exactly one code or error | ignored; the attempt keeps waiting |
///
/// ## What the app's answer proves
///
/// The app's exchange knows neither `state` nor PKCE: any app or page can open `{urlScheme}://thirdPartyLoginResult` with a
/// code of its own while an attempt waits, and the person is signed in to that account (log-in CSRF); or with an error or a
/// code that the server refuses, which ends the attempt: only the server can tell, since it has the client secret. Naver offers no way to
/// prevent that in its app. So the app is used for signing in alone: linking and re-authentication go to the page, whose
/// answer carries 256 random bits, and end with `misconfigured` where the page is excluded. Choose the mode `browserOnly`
/// where a person must never be signed in to another's account.
public struct NaverProvider: AuthProvider {
    /// `naver`.
    public let id = ProviderID.naver
    /// The Naver app and the browser, or the one of them that ``Configuration/mode`` leaves.
    public var means: [SignInMeans] { configuration.mode.means }
    /// What the provider was configured with.
    public let configuration: Configuration

    /// What each request makes for itself. Tests make it predictable.
    package var makeSecrets: @Sendable () -> AttemptSecrets = { AttemptSecrets() }

    private let app: AppToApp
    private let userAgent: any UserAgent

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - callbacks: The router that the app hands every incoming URL to.
    ///   - opener: Opens the Naver app. On iOS `LSApplicationQueriesSchemes` lists `naversearchthirdlogin`.
    ///   - userAgent: Shows Naver's page when the app is not used.
    ///   - clock: Measures how long an answer may take.
    public init(
        _ configuration: Configuration, callbacks: CallbackRouter, opener: any ApplicationOpener,
        userAgent: any UserAgent, clock: AuthClock = .system
    ) {
        self.configuration = configuration
        app = AppToApp(opener: opener, callbacks: callbacks, clock: clock)
        self.userAgent = userAgent
    }

    /// One attempt to get a code.
    ///
    /// | means | who is asked |
    /// | --- | --- |
    /// | `nil` | whom ``Configuration/mode`` says, and ``AuthRequest/onWarning`` hears why the app did not answer; the browser at once for linking, and where the log-in is to be asked for again |
    /// | ``SignInMeans/app`` | the app alone: `appUnavailable` where it does not open, `misconfigured` but for signing in |
    /// | ``SignInMeans/web`` | the browser alone |
    ///
    /// `consent` among the prompts asks for the consents again (Naver's `reprompt`), by the app too. `login` and
    /// `selectAccount`, and re-authentication, ask for the log-in again (`reauthenticate`), which only the page can: the
    /// app, when it is all there is for signing in, asks as ever. The page takes one of the two, and then it is the log-in. Naver has
    /// neither scopes nor a log-in hint; both are left out.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await credential(for: request) }
    }

    private func credential(for request: AuthRequest) async throws(AuthError) -> Credential {
        try requireMeans(of: request)
        let means = try means(for: request)
        if means.contains(.app) {
            do throws(AuthError) { return try await askApp(request) } catch {
                guard means.contains(.web), error.leavesAnotherWay else {
                    throw error.located(provider: id, step: .waitingForOtherApp)
                }
                request.onWarning(error)
            }
        }
        return try await AttemptSteps(of: id, reportingTo: request).run(.presenting) { try await askPage(request) }
    }

    /// The means to try. Those of several are tried in order.
    ///
    /// - Throws: `misconfigured` where only the app is left for what its answer is no proof of.
    private func means(for request: AuthRequest) throws(AuthError) -> [SignInMeans] {
        guard request.purpose == .signIn else {
            guard request.means != .app, means.contains(.web) else { throw Self.appProvesNothing }
            return [.web]
        }
        if let named = request.means { return [named] }
        return Self.asksForLogIn(request) && means.contains(.web) ? [.web] : means
    }

    private func askApp(_ request: AuthRequest) async throws(AuthError) -> Credential {
        let question = NaverAppRequest(
            clientID: configuration.clientID, urlScheme: configuration.urlScheme, appName: configuration.appName,
            authType: request.prompts.contains(.consent) ? Self.reprompt : nil)
        guard let url = question.url, let callback = configuration.appCallback else { throw Self.wrongScheme }
        guard await app.isInstalled(NaverAppRequest.availabilityURL) else { throw Self.appDidNotOpen }
        let expected = ExpectedCallback(state: nil, dialect: NaverErrors.dialect)
        let code = try await app.authorize(
            opening: [AppToApp.Launch(url)], comingBackTo: callback, reportingTo: request,
            accepts: { expected.accepts($0, redirectURI: callback, ifWellFormed: NaverErrors.isAppAnswer) },
            redeem: { answer in
                // Only the server can tell a code of another attempt from this one's: it has the client secret.
                .redeemed(try NaverErrors.code(ofAppAnswer: try expected.parse(answer.url, redirectURI: callback)))
            })
        guard let code else { throw Self.appDidNotOpen }
        return Credential(provider: id, authorizationCode: .init(code: code), isBound: false)
    }

    private func askPage(_ request: AuthRequest) async throws(AuthError) -> Credential {
        guard let redirectURI = configuration.browserRedirectURI else { throw Self.wrongScheme }
        let state = makeSecrets().state
        var question = AuthorizationRequest(
            endpoint: configuration.endpoints.authorize, clientID: configuration.clientID, state: state)
        let consent = request.prompts.contains(.consent) ? Self.reprompt : nil
        question.set("auth_type", Self.asksForLogIn(request) ? "reauthenticate" : consent)
        let answer = try await userAgent.callback(
            of: question, comingBackBy: .redirect(redirectURI),
            expecting: ExpectedCallback(state: state, dialect: NaverErrors.dialect), presentation: request.presentation)
        // Naver's token endpoint wants the state again, so the server gets it with the code.
        return Credential(
            provider: id,
            authorizationCode: .init(
                code: try answer.callback.code(), state: state, redirectURI: answer.redirectURI))
    }

    /// Asks for the consents again.
    private static let reprompt = "reprompt"

    /// Naver knows no choice of account but by a new log-in.
    private static func asksForLogIn(_ request: AuthRequest) -> Bool {
        request.purpose == .reauthenticate || !request.prompts.allSatisfy { $0 == .consent }
    }

    private static var appDidNotOpen: AuthError {
        AuthError(
            .appUnavailable,
            """
            The Naver app did not open: it is not installed, or LSApplicationQueriesSchemes lacks naversearchthirdlogin. \
            Mode appPreferred without named means falls back to the browser.
            """)
    }

    private static var appProvesNothing: AuthError {
        AuthError(
            .misconfigured,
            """
            The Naver app's answer carries nothing of the attempt, so another app can answer in its place with another \
            person's code. It is not used to link an identity or to re-authenticate. Leave out the request's means and the \
            mode `appOnly`, so that the page is used.
            """, provider: .naver)
    }

    private static var wrongScheme: AuthError {
        AuthError(.misconfigured, "The configured URL scheme makes no URL. It is written without `://`.")
    }
}
