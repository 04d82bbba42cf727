public import AuthStreams
public import Foundation

/// Signs in with Naver: by its app if it is installed, otherwise by the browser. The credential is an authorization
/// code.
///
/// Naver's token endpoint requires the client secret, and no endpoint of Naver names the client that a token was issued to. So
/// the credential is the code itself: the server, which has the secret, redeems it, and another app's token cannot take its
/// place. The device sends no request of its own; only the page or the app does.
///
/// ```swift
/// let naver = NaverProvider(
///     .init(clientID: "…", urlScheme: "myapp", appName: "My App"),
///     callbacks: callbacks, opener: opener, userAgent: browser)
/// ```
///
/// In a service that is made for a platform it is `.naver(clientID:urlScheme:appName:)`.
///
/// | event | consequence |
/// | --- | --- |
/// | the person cancels, in the app or on the page | `cancelled`; the browser is not tried after the app |
/// | the person comes back without an answer | `abandoned`, after a short grace period |
/// | the app is not installed, does not open or answers with an error, or this app is not set up for it | the browser is tried, unless mode or request name the app alone |
/// | a callback to another URL or with another `state`, or of the app without exactly one code or error | ignored; the attempt keeps waiting |
/// | a code of the app that the server refuses as invalid, while signing in | the attempt keeps waiting for the app's answer, at most three times and ten minutes in all; then it ends with the first refusal |
///
/// ## What the app's answer proves
///
/// The app's answer has neither `state` nor PKCE. While an attempt waits, any app or page can open
/// `{urlScheme}://thirdPartyLoginResult` with a code of its own: the person is then signed in to that account (log-in
/// CSRF). It can also end the attempt with an error. Naver's app offers no protection against either. Only the server,
/// which has the client secret, recognizes a code that was made up or belongs to another attempt: it refuses the code
/// as invalid, and the attempt keeps waiting.
///
/// So the app is used for signing in only. Linking and re-authentication use the page, whose answer carries 256 random bits,
/// and end with `misconfigured` where the page is excluded. Choose the mode `browserOnly` where a person must never be signed
/// in to another person's account.
public struct NaverProvider: AuthProvider {
    /// `naver`.
    public let id = ProviderID.naver
    /// The Naver app and the browser, or the one of them that ``Configuration/mode`` allows.
    public var methodKinds: [SignInMethod.Kind] { configuration.mode.methodKinds }
    /// The provider's configuration.
    package let configuration: Configuration

    /// Makes the `state` of each attempt. Tests replace it.
    package var makeSecrets: @Sendable () -> AuthorizationSecrets = { AuthorizationSecrets() }

    private let app: OtherAppWait
    private let userAgent: any UserAgent

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - configuration: The app's entries in Naver Developers.
    ///   - callbacks: The router that the app passes every incoming URL to; that of the service.
    ///   - opener: Opens the Naver app. On iOS `LSApplicationQueriesSchemes` lists `naversearchthirdlogin`; otherwise the app
    ///     is not opened.
    ///   - userAgent: Shows Naver's page when the app is not used.
    ///   - clock: Measures how long an answer may take.
    public init(
        _ configuration: Configuration, callbacks: CallbackRouter, opener: any ApplicationOpener,
        userAgent: any UserAgent, clock: AuthClock = .system
    ) {
        self.configuration = configuration
        app = OtherAppWait(opener: opener, callbacks: callbacks, clock: clock)
        self.userAgent = userAgent
    }

    /// Returns one attempt to get a code.
    ///
    /// | kind | used |
    /// | --- | --- |
    /// | `nil` | the kinds of ``Configuration/mode``; `AuthRequest.onWarning` receives the app's error before the browser is tried; the browser at once for linking, for re-authentication, and if the person has to log in again |
    /// | `SignInMethod.Kind.app` | the app alone: `appUnavailable` if it does not open; `misconfigured` for linking and re-authentication |
    /// | `SignInMethod.Kind.web` | the browser alone |
    ///
    /// The prompt `consent` asks for the consents again (Naver's `reprompt`), in the app, too. The prompts `login` and
    /// `selectAccount`, and re-authentication, ask for a new log-in (`reauthenticate`), which only the page offers: if
    /// only the app is allowed, it signs in without the prompt. The page accepts one of the two values, and the log-in
    /// has precedence. Naver has neither scopes nor a log-in hint; both are left out.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await credential(for: request) }
    }

    /// Those of the Naver app and of the page.
    public var callbackURLs: [URL] {
        [configuration.appCallback, configuration.browserRedirectURI].compactMap(\.self)
    }

    /// The router for the Naver app's answers, and that of the page.
    public var callbackRouters: [CallbackRouter] { [app.callbacks] + userAgent.callbackRouters }

    /// Finishes an attempt of an earlier process at the page.
    ///
    /// The Naver app's answer repeats no `state`, so an attempt in the app is not resumed.
    public func resume(_ request: AuthRequest) -> AuthStream<Credential> { authenticate(request) }

    private func credential(for request: AuthRequest) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        try request.requireQuestions(of: id)
        guard !configuration.clientID.isEmpty else {
            throw AuthError(
                .misconfigured, "Naver's client ID is empty. Copy it from Naver Developers.", provider: id)
        }
        let kinds = try kinds(for: request)
        if kinds.contains(.app) {
            do throws(AuthError) { return try await askApp(request) } catch {
                guard kinds.contains(.web), error.allowsFallback else {
                    throw error.located(provider: id, step: .waitingForOtherApp)
                }
                request.onWarning(error)
            }
        }
        return try await ProgressReporter(of: id, reportingTo: request).run(.presenting) { try await askPage(request) }
    }

    /// Returns the kinds to try, in order.
    ///
    /// - Throws: `misconfigured` if only the app is allowed for linking or re-authentication.
    private func kinds(for request: AuthRequest) throws(AuthError) -> [SignInMethod.Kind] {
        guard request.purpose == .signIn else {
            guard request.methodKind != .app, methodKinds.contains(.web) else { throw Self.appProvesNothing }
            return [.web]
        }
        if let named = request.methodKind { return [named] }
        return Self.asksForLogIn(request) && methodKinds.contains(.web) ? [.web] : methodKinds
    }

    private func askApp(_ request: AuthRequest) async throws(AuthError) -> Credential {
        let question = NaverAppRequest(
            clientID: configuration.clientID, urlScheme: configuration.urlScheme, appName: configuration.appName,
            authType: request.prompts.contains(.consent) ? Self.reprompt : nil)
        guard let url = question.url, let callback = configuration.appCallback else { throw Self.wrongScheme }
        guard try await app.isInstalled(NaverAppRequest.availabilityURL, answeringAt: callback) else {
            throw Self.appDidNotOpen
        }
        let expected = ExpectedCallback(state: nil, dialect: NaverErrors.dialect)
        let answer = try await app.answer(
            opening: [OtherAppWait.Launch(url)], comingBackTo: callback, reportingTo: request,
            accepts: { expected.accepts($0, redirectURI: callback, ifWellFormed: NaverErrors.isAppAnswer) })
        guard let answer else { throw Self.appDidNotOpen }
        return try credential(of: answer, expected, callback)
    }

    /// Returns the credential of the app's answer. Only the server, which has the client secret, can distinguish a code
    /// of another attempt; so the credential has a way to wait for the next answer.
    private func credential(
        of answer: OtherAppWait.Answer, _ expected: ExpectedCallback, _ callback: URL
    ) throws(AuthError) -> Credential {
        let code = try NaverErrors.code(ofAppAnswer: try expected.parse(answer.url, redirectURI: callback))
        var credential = Credential(provider: id, authorizationCode: .init(code: code))
        credential.replacement = Credential.Replacement { refusal in
            do throws(AuthError) {
                let next = try await AuthError.wrapping { () async throws in
                    guard let refusal = refusal as? AuthError else { throw refusal }
                    return try await answer.next(after: refusal)
                }
                return try self.credential(of: next, expected, callback)
            } catch {
                throw error.located(provider: id, step: .waitingForOtherApp)
            }
        }
        return credential
    }

    private func askPage(_ request: AuthRequest) async throws(AuthError) -> Credential {
        guard let redirectURI = configuration.browserRedirectURI else { throw Self.wrongScheme }
        let secrets = makeSecrets()
        var page = AuthorizationRequest(
            endpoint: configuration.endpoints.authorize, clientID: configuration.clientID, state: secrets.state)
        let consent = request.prompts.contains(.consent) ? Self.reprompt : nil
        page.set("auth_type", Self.asksForLogIn(request) ? "reauthenticate" : consent)
        let grant = try await userAgent.grant(
            for: page, request, secrets: secrets, redirect: .redirect(redirectURI), dialect: NaverErrors.dialect)
        // Naver's token endpoint requires the state again, so the server gets it with the code.
        return Credential(
            provider: id,
            authorizationCode: .init(
                code: try grant.callback.code(), state: grant.callback["state"].map(Secret.init),
                redirectURI: grant.redirectURI), isBound: grant.isBound)
    }

    /// The value that asks for the consents again.
    private static let reprompt = "reprompt"

    /// Naver offers a choice of account only by a new log-in.
    private static func asksForLogIn(_ request: AuthRequest) -> Bool {
        request.purpose == .reauthenticate || !request.prompts.allSatisfy { $0 == .consent }
    }

    private static var appDidNotOpen: AuthError {
        AuthError(
            .appUnavailable,
            """
            The Naver app did not open: it is not installed, or LSApplicationQueriesSchemes lacks naversearchthirdlogin. \
            Mode appPreferred without a named method kind falls back to the browser.
            """)
    }

    private static var appProvesNothing: AuthError {
        AuthError(
            .misconfigured,
            """
            The Naver app's answer carries nothing of the attempt, so another app can answer in its place with another \
            person's code. It is not used to link an identity or to re-authenticate. Leave out the request's method kind and the \
            mode `appOnly`, so that the page is used.
            """, provider: .naver)
    }

    private static var wrongScheme: AuthError {
        AuthError(
            .misconfigured,
            """
            Naver's URL scheme is empty, or not valid (RFC 3986). It begins with a letter and has letters, digits, '+', '-' and '.', \
            without `://`.
            """)
    }
}

extension AuthProviderFactory {
    /// Sign-in with Naver, by its app or page; see ``NaverProvider``.
    ///
    /// Both answer at URLs of the app's scheme. On the command line attempts end with `misconfigured`.
    ///
    /// - Parameters:
    ///   - clientID: The client ID of Naver Developers. The client secret stays on the server.
    ///   - urlScheme: The URL scheme of this app without `://`, as registered there.
    ///   - appName: The app's name, which the Naver app shows.
    ///   - mode: Whether the app is asked, whose answer another app can imitate, or the page; the app first unless given.
    public static func naver(
        clientID: String, urlScheme: String, appName: String, mode: NaverProvider.Configuration.Mode = .appPreferred
    ) -> Self {
        .naver(.init(clientID: clientID, urlScheme: urlScheme, appName: appName, mode: mode))
    }

    /// Sign-in with Naver, by a configuration.
    ///
    /// - Parameter configuration: The app's entries in Naver Developers.
    public static func naver(_ configuration: NaverProvider.Configuration) -> Self {
        Self { platform in
            NaverProvider(
                configuration, callbacks: platform.callbacks, opener: platform.opener, userAgent: platform.userAgent,
                clock: platform.clock)
        }
    }
}
