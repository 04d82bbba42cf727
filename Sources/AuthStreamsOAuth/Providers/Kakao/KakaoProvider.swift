public import AuthStreams
public import Foundation

/// Signs in with Kakao: by KakaoTalk if it is installed, otherwise by the Kakao account page. The credential is an ID
/// token with its nonce, and Kakao's access token.
///
/// Both use the code flow with PKCE (RFC 7636). The native app key needs no secret; Kakao compares the bundle
/// identifier instead. If the app does not use OpenID Connect, the credential is only Kakao's access token.
///
/// ```swift
/// let kakao = KakaoProvider(
///     .init(nativeAppKey: "…"), callbacks: callbacks, opener: opener, userAgent: browser, transport: transport)
/// ```
///
/// In a service that is made for a platform it is `.kakao(nativeAppKey:)`.
///
/// | event | consequence |
/// | --- | --- |
/// | the person cancels, in KakaoTalk or by closing the page | `cancelled`; the page is not tried after KakaoTalk |
/// | the person comes back without an answer | `abandoned`, after a short grace period |
/// | the person does not agree | `accessDenied`; they are not asked twice |
/// | the person is under 14 | `accessDenied` with the server code `-406`; the page is not tried after KakaoTalk |
/// | KakaoTalk is not installed, does not open or answers with an error, or this app is not set up for it | the account page is tried, unless the request names `SignInMethod.Kind.app` |
/// | Kakao's answer has no ID token, though the configuration says that OpenID Connect is on | `misconfigured`; the page is not tried after KakaoTalk |
/// | a callback to another URL, without exactly one code or error, or of the page without its `state` | ignored; the attempt keeps waiting |
/// | a code from KakaoTalk that Kakao calls invalid | the attempt keeps waiting, at most three times; then the first such error |
///
/// KakaoTalk's callback carries no `state`. It is bound to the attempt in another way: the code needs this attempt's verifier,
/// the ID token repeats its nonce, and challenge and nonce are sent by a universal link, which opens KakaoTalk and no other
/// app. Another app can still end an attempt by a made-up refusal, such as `kakao{KEY}://oauth?error=cancelled`, or by several
/// made-up codes. With OpenID Connect it cannot do more. ``Configuration/allowsCustomScheme`` and
/// ``Configuration/usesOpenIDConnect`` state what their other values risk.
public struct KakaoProvider: AuthProvider {
    /// `kakao`.
    public let id = ProviderID.kakao
    /// KakaoTalk, or the account page.
    public let methodKinds: [SignInMethod.Kind] = [.app, .web]
    /// The provider's configuration.
    package let configuration: Configuration

    /// Makes the verifier, `state` and nonce of each attempt. Tests replace it.
    package var makeSecrets: @Sendable () -> AuthorizationSecrets = { AuthorizationSecrets() }
    /// Describes this client to KakaoTalk; see ``KakaoAgent``.
    package var agent: String

    private let talk: OtherAppWait
    private let userAgent: any UserAgent
    private let client: OAuthClient

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - configuration: The app's entries in Kakao Developers. On iOS `CFBundleURLTypes` lists the scheme `kakao{KEY}`, by
    ///     which KakaoTalk and the page answer.
    ///   - callbacks: The router that the app passes every incoming URL to; that of the service.
    ///   - opener: Opens KakaoTalk. On iOS `LSApplicationQueriesSchemes` lists `kakaokompassauth`; otherwise KakaoTalk is not
    ///     opened.
    ///   - userAgent: Shows the account page when KakaoTalk is not used.
    ///   - transport: Sends the token request and the request for Kakao's keys.
    ///   - clock: Measures how long an answer may take, and checks the ID token's times.
    public init(
        _ configuration: Configuration, callbacks: CallbackRouter, opener: any ApplicationOpener,
        userAgent: any UserAgent, transport: any AuthHTTPTransport, clock: AuthClock = .system
    ) {
        self.configuration = configuration
        self.userAgent = userAgent
        agent = KakaoAgent.current(bundleID: configuration.bundleID)
        talk = OtherAppWait(opener: opener, callbacks: callbacks, clock: clock)
        // The ID token's audience is the key that was used: a token for the app's REST key belongs to another client.
        client = OAuthClient(
            .kakao, metadata: configuration.endpoints.metadata, clientID: configuration.nativeAppKey,
            dialect: KakaoErrors.dialect, transport: transport, clock: clock)
    }

    /// Returns one attempt to get a credential.
    ///
    /// | kind | used |
    /// | --- | --- |
    /// | `nil` | KakaoTalk, then the account page if KakaoTalk does not open or answers with an error, which `AuthRequest.onWarning` receives; the page at once for a request with scopes, and for linking and re-authentication without OpenID Connect |
    /// | `SignInMethod.Kind.app` | KakaoTalk alone: `appUnavailable` if it does not open; `misconfigured` with scopes, and for linking and re-authentication without OpenID Connect |
    /// | `SignInMethod.Kind.web` | the account page alone |
    ///
    /// KakaoTalk shows only the console's consents, so scopes need the page. Kakao has no `consent` prompt; it is left out.
    /// Only the account page uses the log-in hint.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await credential(for: request) }
    }

    /// `kakao{KEY}://oauth`, for KakaoTalk and for the account page.
    public var callbackURLs: [URL] { configuration.redirectURI.map { [$0] } ?? [] }

    /// The router for KakaoTalk's answers, and that of the page.
    public var callbackRouters: [CallbackRouter] { [talk.callbacks] + userAgent.callbackRouters }

    /// Finishes an attempt of an earlier process at the account page.
    ///
    /// KakaoTalk's answer repeats no `state`, so an attempt in KakaoTalk is not resumed.
    public func resume(_ request: AuthRequest) -> AuthStream<Credential> { authenticate(request) }

    private func credential(for request: AuthRequest) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        let kakaoRequest = try KakaoRequest(request, configuration)
        if configuration.usesOpenIDConnect { client.warnIfUnverifiable(request) }
        let kinds = try kakaoRequest.kinds
        let steps = ProgressReporter(of: id, reportingTo: request)
        if kinds.contains(.app) {
            do throws(AuthError) { return try await askTalk(kakaoRequest, steps) } catch {
                guard kinds.contains(.web), error.allowsFallback else {
                    throw error.located(provider: id, step: .waitingForOtherApp)
                }
                request.onWarning(error)
            }
        }
        let grant = try await steps.run(.presenting) { try await askPage(kakaoRequest) }
        return try await steps.run(.exchanging) { try await credential(for: grant) }
    }

    private func askTalk(
        _ kakaoRequest: KakaoRequest, _ steps: ProgressReporter
    ) async throws(AuthError) -> Credential {
        let redirectURI = kakaoRequest.redirectURI
        guard try await talk.isInstalled(KakaoTalkRequest.availabilityURL, answeringAt: redirectURI) else {
            throw Self.talkDidNotOpen
        }
        let secrets = makeSecrets()
        let expected = ExpectedCallback(state: nil, dialect: KakaoErrors.dialect)
        let first = try await talk.answer(
            opening: kakaoRequest.launches(by: agent, secrets), comingBackTo: redirectURI,
            reportingTo: kakaoRequest.request,
            accepts: { expected.accepts($0, redirectURI: redirectURI) { $0.hasExactlyOne(of: "code", "error") } })
        guard var answer = first else { throw Self.talkDidNotOpen }
        while true {
            let callback = try expected.parse(answer.url, redirectURI: redirectURI)
            let grant = kakaoRequest.grant(of: callback, openedBy: answer.launch, secrets)
            do throws(AuthError) {
                return try await steps.run(.exchanging) { try await credential(for: grant) }
            } catch {
                // A code that another app made up, or of an earlier attempt or another request.
                guard error.isOfAnotherCode else { throw error }
                answer = try await answer.next(after: error)
            }
        }
    }

    private func askPage(_ kakaoRequest: KakaoRequest) async throws(AuthError) -> AuthorizationGrant {
        // New secrets: a late answer of KakaoTalk belongs to the previous request.
        let secrets = makeSecrets()
        let isSilent = try kakaoRequest.request.isSilent
        return try await userAgent.grant(
            for: kakaoRequest.page(secrets), kakaoRequest.request, secrets: secrets,
            redirect: .redirect(kakaoRequest.redirectURI),
            dialect: { failure in (isSilent ? failure.ofSilentRequest : nil) ?? KakaoErrors.dialect(failure) })
    }

    /// Redeems an answer.
    private func credential(for grant: AuthorizationGrant) async throws(AuthError) -> Credential {
        // Kakao compares the bundle identifier with the console when the native app key is used.
        let tokens = try await client.redeem(
            grant, parameters: configuration.bundleID.map { ["ios_bundle_id": $0] } ?? [:])
        // Without a nonce to compare, an ID token proves no more than the access token does: that Kakao accepted the verifier.
        guard grant.nonce != nil else {
            return Credential(provider: .kakao, accessToken: tokens.accessToken, isBound: grant.isBound)
        }
        // The access token alone is not bound to the nonce, and a server that expects an ID token would check less.
        guard tokens.idToken != nil else { throw Self.idTokenIsMissing }
        let idToken = try await client.idToken(of: tokens, for: grant)
        return Credential(
            provider: .kakao, idToken: idToken.token, rawNonce: grant.rawNonce, accessToken: tokens.accessToken,
            userID: idToken.subject, isBound: grant.isBound)
    }

    private static var talkDidNotOpen: AuthError {
        AuthError(
            .appUnavailable,
            """
            KakaoTalk did not open: it is not installed, or LSApplicationQueriesSchemes lacks kakaokompassauth. Leave the \
            method kind open to fall back to the account page.
            """)
    }

    private static var idTokenIsMissing: AuthError {
        AuthError(
            .misconfigured,
            """
            Kakao's answer has no ID token. Turn on Kakao Login > OpenID Connect in the console, or set `usesOpenIDConnect` \
            of the configuration to `false`.
            """)
    }
}

extension AuthProviderFactory {
    /// Sign-in with Kakao, by KakaoTalk or the account page; see ``KakaoProvider``.
    ///
    /// Both answer at `kakao{KEY}://oauth`, which opens an app. On the command line attempts end with `misconfigured`.
    ///
    /// - Parameter nativeAppKey: The native app key of Kakao Developers.
    public static func kakao(nativeAppKey: String) -> Self { .kakao(.init(nativeAppKey: nativeAppKey)) }

    /// Sign-in with Kakao, by a configuration.
    ///
    /// - Parameter configuration: The app's entries in Kakao Developers.
    public static func kakao(_ configuration: KakaoProvider.Configuration) -> Self {
        Self { platform in
            KakaoProvider(
                configuration, callbacks: platform.callbacks, opener: platform.opener, userAgent: platform.userAgent,
                transport: platform.transport, clock: platform.clock)
        }
    }
}

extension AuthError {
    /// Whether Kakao or the ID token says that a code was not made for this attempt's request.
    fileprivate var isOfAnotherCode: Bool {
        [.invalidCredential, .nonceMismatch].contains(code) || serverCode == "KOE303"
    }
}
