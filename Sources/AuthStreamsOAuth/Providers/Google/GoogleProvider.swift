public import AuthStreams
public import Foundation

/// Signs in with Google as an installed app: the system browser, PKCE, and a validated ID token.
///
/// ```swift
/// let google = GoogleProvider(
///     clientID: "1234-abc.apps.googleusercontent.com", clientSecret: Secret("GOCSPX-…"),
///     userAgent: SystemBrowser(opener: SystemBrowserLauncher()), transport: transport)
/// ```
///
/// In a service that is made for a platform, `.google(clientID:)` does the same, with the redirect of the platform, and
/// `.google(plist:)` takes the client ID of `GoogleService-Info.plist`.
///
/// The credential has the ID token with its nonce, the access token, and the person's Google identifier. Google's
/// refresh token is dropped: the session is your server's, not Google's.
///
/// ## A server that calls Google for the person
///
/// With the client ID of your server, a client of type Web in the same project, Google issues the ID token for the
/// server (`aud` is the server's client, `azp` the app's) and adds a one-time code, the credential's
/// `Credential.serverAuthCode`. The server redeems it at Google's token endpoint with its own client ID and secret,
/// `grant_type=authorization_code` and an empty `redirect_uri`, and receives its own tokens. If Google returns no code,
/// the sign-in continues without one: the ID token still signs the person in, and the server decides whether it needs
/// the code. A code that is empty or not a string counts as none. A client ID that is not a Web client of the project
/// ends the attempt with `misconfigured`.
///
/// Rules: <https://developers.google.com/identity/protocols/oauth2/native-app>, RFC 8252, OpenID Connect Core 3.1.3.7.
public struct GoogleProvider: AuthProvider {
    /// `google.com`.
    public var id: ProviderID { .google }
    /// Google's page.
    public var methodKinds: [SignInMethod.Kind] { [.web] }

    /// The scopes that sign a person in.
    public static let defaultScopes = ["openid", "email", "profile"]

    private let client: OAuthClient
    private let serverClientID: String?
    private let redirect: Redirect
    private let scopes: [String]
    private let hostedDomain: String?
    private let userAgent: any UserAgent
    /// Why the property list of the client ID could not be used; `nil` if it could, or there was none.
    var plistError: AuthError?

    /// Makes the secrets of each request. Tests replace it.
    package var makeSecrets: @Sendable () -> AuthorizationSecrets = { AuthorizationSecrets() }

    /// Makes a provider for one client of the Google Cloud console.
    ///
    /// - Parameters:
    ///   - clientID: The client ID, such as `1234-abc.apps.googleusercontent.com`.
    ///   - clientSecret: For clients of type Desktop. Google requires it in token requests, although it ships with the
    ///     app and is not secret (RFC 8252 section 8.5). `nil` for clients of type iOS. Attempts end with `misconfigured` if
    ///     it does not fit the redirect.
    ///   - serverClientID: The client ID of your server, for a `Credential.serverAuthCode`; `nil` or empty for none.
    ///   - redirect: How the answer returns; it must fit the client's type.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - hostedDomain: The Workspace domain an account must belong to, `*` for any; `nil` accepts every account. It
    ///     is sent as a hint and enforced by the ID token's `hd` claim.
    ///   - userAgent: Shows Google's page. Google refuses embedded views.
    ///   - transport: Sends the requests to Google.
    ///   - clock: Provides the time for the ID token's times.
    ///   - endpoints: Google's endpoints.
    public init(
        clientID: String, clientSecret: Secret? = nil, serverClientID: String? = nil, redirect: Redirect = .loopback,
        scopes: [String] = defaultScopes, hostedDomain: String? = nil, userAgent: any UserAgent,
        transport: any AuthHTTPTransport, clock: AuthClock = .system, endpoints: Endpoints = .production
    ) {
        let serverClientID = serverClientID.flatMap { $0.isEmpty ? nil : $0 }
        var client = OAuthClient(
            .google, metadata: endpoints.metadata, clientID: clientID,
            authentication: clientSecret.map { .post($0) } ?? .publicClient, dialect: GoogleErrors.dialect,
            transport: transport, clock: clock)
        client.idTokenRules = { rules in
            rules.issuers = endpoints.issuers
            rules.serverClientID = serverClientID
        }
        self.client = client
        self.serverClientID = serverClientID
        self.redirect = redirect
        self.scopes = ["openid"] + scopes
        self.hostedDomain = hostedDomain
        self.userAgent = userAgent
    }

    /// Returns one sign-in with Google.
    ///
    /// Google has no prompt for the password: the prompt `login`, and re-authentication, let the person choose the
    /// account instead. Extra scopes are requested together with those that were granted before
    /// (`include_granted_scopes`).
    ///
    /// Errors: `accessDenied` if the person or the Workspace administrator declines or the account is outside the
    /// hosted domain, `unsupportedProvider` for a kind other than ``methodKinds``, those of the user agent, of the token
    /// endpoint and of the ID-token rules.
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { try await attempt(request, secrets: makeSecrets()) }
    }

    /// That of the reversed client ID; none with a listener.
    public var callbackURLs: [URL] { (try? pageRedirect())?.callbackURLs ?? [] }

    /// That of the page.
    public var callbackRouters: [CallbackRouter] { userAgent.callbackRouters }

    /// Finishes an attempt of an earlier process.
    public func resume(_ request: AuthRequest) -> AuthStream<Credential> { authenticate(request) }
}

extension GoogleProvider {
    /// Page, token request, ID token: the authorization code flow with PKCE.
    func attempt(_ request: AuthRequest, secrets: AuthorizationSecrets) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        let steps = ProgressReporter(of: id, reportingTo: request)
        let grant = try await steps.run(.presenting) {
            if let plistError { throw plistError }
            return try await client.authorize(
                request, scopes: scopes, redirect: try pageRedirect(), userAgent: userAgent, secrets: secrets
            ) { page in
                page.set("prompt", words: Self.prompts(for: request))
                // Google's ID tokens do not say when the person logged in.
                page.set("max_age", nil)
                page.set("hd", hostedDomain)
                page.set("include_granted_scopes", request.extraScopes.isEmpty ? nil : "true")
                // The server that tokens are requested for, as in Google's own client.
                page.set("audience", serverClientID)
            }
        }
        return try await steps.run(.exchanging) {
            let answer = try await client.redeem(grant, parameters: serverClientID.map { ["audience": $0] } ?? [:])
            let idToken = try await client.idToken(of: answer, for: grant)
            try checkDomain(of: idToken)
            return Credential(
                provider: id, idToken: idToken.token, rawNonce: grant.rawNonce, accessToken: answer.accessToken,
                serverAuthCode: serverAuthCode(in: answer), userID: idToken.subject, isBound: grant.isBound)
        }
    }

    /// Returns the code only if one was requested.
    private func serverAuthCode(in answer: TokenResponse) -> Secret? {
        guard serverClientID != nil, let code = answer.members["server_code"]?.string, !code.isEmpty else { return nil }
        return Secret(code)
    }

    /// Google has no prompt for the password; choosing the account is the nearest one.
    private static func prompts(for request: AuthRequest) -> [String] {
        let prompts = request.prompts + (request.purpose == .reauthenticate ? [.login] : [])
        return prompts.map { ($0 == .login ? .selectAccount : $0).rawValue }
    }

    private func pageRedirect() throws(AuthError) -> AuthorizationPage.Redirect {
        switch redirect {
        case .loopback:
            guard client.authentication.clientSecret?.present != nil else { throw Self.withoutSecret }
            return .loopback(path: "/oauth2callback")
        case .reversedClientID:
            guard client.authentication.clientSecret == nil else { throw Self.secretOfAnotherType }
            guard let uri = Redirect.reversed(clientID: client.clientID) else {
                throw AuthError(
                    .misconfigured,
                    "A reversed client ID needs one of the form NUM-HASH.apps.googleusercontent.com, of type iOS.")
            }
            return .redirect(uri)
        }
    }

    private static var withoutSecret: AuthError {
        AuthError(
            .misconfigured,
            """
            Google's answer to a listener needs a client of type Desktop, with its client secret: Google requires the secret, \
            although it ships with the program. Copy both from the Google Cloud console.
            """)
    }

    private static var secretOfAnotherType: AuthError {
        AuthError(
            .misconfigured,
            """
            Google's answer to the reversed client ID needs a client of type iOS, which has no client secret. Leave the secret \
            out, and use the client ID of that type.
            """)
    }

    /// `hd` in the request is an unprotected hint; the claim is signed by Google.
    private func checkDomain(of token: IDToken) throws(AuthError) {
        guard let hostedDomain else { return }
        let domain = token["hd"]?.string?.lowercased()
        guard let domain, hostedDomain == "*" || domain == hostedDomain.lowercased() else {
            throw AuthError(
                .accessDenied, "The Google account does not belong to the Workspace domain that is required.")
        }
    }
}

extension GoogleProvider {
    /// The file `GoogleService-Info.plist` in the bundle of the app, also in that of an extension; `nil` if there is none.
    @usableFromInline static var bundledPlist: URL? { GoogleServiceInfo.bundled }

    /// Reads the client ID of a property list.
    ///
    /// - Parameter bundleID: The bundle identifier of the app, which the file must name; `nil` for any.
    static func clientID(in plist: URL?, of bundleID: String?) throws(AuthError) -> String {
        let info = try GoogleServiceInfo(at: plist)
        try info.requireBundleID(bundleID)
        // The console adds the client when Google is enabled.
        return try info.text(
            for: "CLIENT_ID",
            orElse: "Enable Google in the Firebase console, at the sign-in methods, and download the file again.")
    }
}

extension AuthProviderFactory {
    /// Sign-in with Google; see ``GoogleProvider``.
    ///
    /// The platform decides the type of the client, and how the answer returns:
    ///
    /// | platform | client of type | the answer returns to |
    /// | --- | --- | --- |
    /// | an app | iOS, without a secret | the reversed client ID |
    /// | the command line | Desktop, with its secret | a listener |
    ///
    /// - Parameters:
    ///   - clientID: The client ID of the Google Cloud console, such as `1234-abc.apps.googleusercontent.com`.
    ///   - clientSecret: The secret of a client of type Desktop; `nil` for one of type iOS.
    ///   - serverClientID: The client ID of your server, for a `Credential.serverAuthCode`; `nil` for none.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - hostedDomain: The Workspace domain an account must belong to, `*` for any; `nil` accepts every account.
    ///   - endpoints: Google's endpoints.
    public static func google(
        clientID: String, clientSecret: Secret? = nil, serverClientID: String? = nil,
        scopes: [String] = GoogleProvider.defaultScopes, hostedDomain: String? = nil,
        endpoints: GoogleProvider.Endpoints = .production
    ) -> Self {
        Self { platform in
            GoogleProvider(
                clientID: clientID, clientSecret: clientSecret, serverClientID: serverClientID,
                redirect: GoogleProvider.Redirect(for: platform.redirect), scopes: scopes, hostedDomain: hostedDomain,
                userAgent: platform.userAgent, transport: platform.transport, clock: platform.clock,
                endpoints: endpoints)
        }
    }

    /// Sign-in with Google, by the client in the file `GoogleService-Info.plist` of an app.
    ///
    /// Its client is of type iOS. On the command line attempts end with `misconfigured`, because Google requires another type
    /// there.
    ///
    /// - Parameters:
    ///   - plist: The file, which is read here; that of the app's bundle unless given. If it is missing, is no property list, has
    ///     no `CLIENT_ID`, or is of another app, attempts end with `misconfigured` before anything is shown.
    ///   - serverClientID: The client ID of your server, for a `Credential.serverAuthCode`; `nil` for none.
    ///   - scopes: The requested scopes; `openid` is always added.
    ///   - hostedDomain: The Workspace domain an account must belong to, `*` for any; `nil` accepts every account.
    ///   - endpoints: Google's endpoints.
    public static func google(
        plist: URL? = GoogleProvider.bundledPlist, serverClientID: String? = nil,
        scopes: [String] = GoogleProvider.defaultScopes, hostedDomain: String? = nil,
        endpoints: GoogleProvider.Endpoints = .production
    ) -> Self {
        var (clientID, plistError) = ("", AuthError?.none)
        do throws(AuthError) {
            clientID = try GoogleProvider.clientID(in: plist, of: Bundle.appIdentifier)
        } catch {
            plistError = error
        }
        return Self { [clientID, plistError] platform in
            var provider = GoogleProvider(
                clientID: clientID, serverClientID: serverClientID,
                redirect: GoogleProvider.Redirect(for: platform.redirect), scopes: scopes, hostedDomain: hostedDomain,
                userAgent: platform.userAgent, transport: platform.transport, clock: platform.clock,
                endpoints: endpoints)
            provider.plistError = plistError
            return provider
        }
    }
}
