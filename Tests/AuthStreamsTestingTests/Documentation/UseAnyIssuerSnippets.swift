import AuthStreams
import AuthStreamsOAuth
import Foundation

// What the article 'Use any issuer' shows is between the marks.

@MainActor
private func shortest(_ callback: URL, _ platform: AuthPlatform) async throws -> AuthUser {
    // UseAnyIssuer: shortest
    let issuer = OpenIDProvider.Configuration.auth0(
        domain: "example.us.auth0.com", clientID: "app", redirect: .redirect(callback),  // com.example.app:/callback
        scopes: OpenIDProvider.defaultScopes + ["offline_access"])
    let auth = AuthService(.openID(issuer), providers: [.openID(issuer)], platform: platform)  // .app, .commandLine
    let user = try await auth.signIn(with: issuer.id).value.user
    // UseAnyIssuer end
    return user
}

private func withoutPreset(_ callback: URL, _ secret: Secret) -> OpenIDProvider.Configuration {
    // UseAnyIssuer: without a preset
    var issuer = OpenIDProvider.Configuration(
        "work", issuer: "https://id.example.com/tenant", clientID: "app", redirect: .redirect(callback))
    issuer.authentication = .secret(secret)
    issuer.metadataURL = URL(string: "https://config.example.com/tenant.json")
    issuer.metadataOverrides = ["end_session_endpoint": "https://id.example.com/tenant/logout"]
    issuer.trustedAudiences = ["https://api.example.com"]
    issuer.pushesAuthorizationRequests = false
    issuer.options.parameters = ["domain_hint": "example.com"]
    // UseAnyIssuer end
    return issuer
}

/// The app's key, and the format of its tokens.
private struct ClientKey: Sendable {
    func signedToken(subject: String, audience: String) async throws -> Secret { Secret("") }
}

private func signed(_ issuer: OpenIDProvider.Configuration, by key: ClientKey) -> OpenIDProvider.Configuration {
    var issuer = issuer
    // UseAnyIssuer: private key
    issuer.authentication = .privateKeyJWT { request in
        try await key.signedToken(
            subject: request.clientID, audience: request.issuer ?? request.endpoint.absoluteString)
    }
    // UseAnyIssuer end
    return issuer
}

private func silently(_ auth: AuthService, _ issuer: OpenIDProvider.Configuration) async throws {
    // UseAnyIssuer: silently
    do throws(AuthError) {
        _ = try await auth.signIn(with: issuer.id, AuthRequest(prompts: [.none])).value
    } catch {
        guard error.code == .requiresRecentSignIn else { throw error }
        print("The issuer has to ask: \(error.serverCode ?? "")")  // login_required, consent_required, …
    }
    // UseAnyIssuer end
}

@MainActor
private func bound(
    _ issuer: OpenIDProvider.Configuration, _ platform: AuthPlatform, _ url: URL
) async throws -> AuthHTTPResponse {
    var issuer = issuer
    // UseAnyIssuer: bound tokens
    issuer.usesDPoP = true
    let auth = AuthService(
        .openID(issuer), providers: [.openID(issuer)], platform: platform, api: ["https://api.example.com"])
    _ = try await auth.signIn(with: issuer.id).value
    let feed = try await auth.data(for: AuthHTTPRequest(.get, url))  // with Authorization: DPoP and a proof
    // UseAnyIssuer end
    return feed
}

private func logOut(_ auth: AuthService, _ goodbye: URL) async throws {
    // UseAnyIssuer: log out
    try await auth.signOut()
    try await auth.endIssuerSession(redirect: .redirect(goodbye)).value  // com.example.app:/goodbye
    // UseAnyIssuer end
}

private func repository(of auth: AuthService) -> RefreshTokenRule? {
    // UseAnyIssuer: repository
    let repository = auth.repository as? OpenIDRepository  // nil for another server
    let rule = repository?.refreshTokenRule
    // UseAnyIssuer end
    return rule
}

@MainActor
private func deviceCode(
    _ issuer: OpenIDProvider.Configuration, _ platform: AuthPlatform
) async throws -> AuthUser {
    // UseAnyIssuer: device code
    let auth = AuthService(.openID(issuer), providers: [.deviceCode(issuer)], platform: platform)
    Task {
        for await prompt in auth.prompts.presenting() {
            guard let code = prompt?.userCode else { continue }
            print("Open \(code.verificationURI.absoluteString) and enter \(code.code) within \(code.expiresIn).")
        }
    }
    let user = try await auth.signIn(with: issuer.id).value.user
    // UseAnyIssuer end
    return user
}

private func gitHub(_ page: URL, _ tokens: URL, _ codes: URL) -> AuthProviderFactory {
    // UseAnyIssuer: GitHub
    let github = AuthorizationServerMetadata(
        authorizationEndpoint: page,  // https://github.com/login/oauth/authorize
        tokenEndpoint: tokens,  // https://github.com/login/oauth/access_token
        deviceAuthorizationEndpoint: codes)  // https://github.com/login/device/code
    let provider = AuthProviderFactory.deviceCode("github", metadata: github, clientID: "app", scopes: ["read:user"])
    // UseAnyIssuer end
    return provider
}

private func googlesCodes(_ secret: Secret) -> AuthProviderFactory {
    // UseAnyIssuer: Google's codes
    let google = AuthProviderFactory.deviceCode(
        "google", issuer: "https://accounts.google.com", clientID: "app", authentication: .post(secret))
    // UseAnyIssuer end
    return google
}
