import AuthStreams
import AuthStreamsOAuth
import Foundation

// SecretOnTheServer: a code for the server
/// Signs in with GitHub. The credential has a code, which your server redeems with the client secret.
struct GitHubCodeProvider: AuthProvider {
    let id: ProviderID = "github"
    let client: OAuthClient
    let redirect: AuthorizationPage.Redirect
    let userAgent: any UserAgent

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream {
            try await ProgressReporter(of: id, reportingTo: request).run(.presenting) {
                let grant = try await client.authorize(
                    request, scopes: ["read:user"], redirect: redirect, userAgent: userAgent
                ) { page in page.set("login", request.loginHint) }  // GitHub's name for the hint
                return Credential(
                    provider: id,
                    authorizationCode: .init(
                        code: try grant.callback.code(), redirectURI: grant.redirectURI, codeVerifier: grant.verifier),
                    isBound: grant.isBound)
            }
        }
    }

    var callbackRouters: [CallbackRouter] { userAgent.callbackRouters }
    var callbackURLs: [URL] { redirect.callbackURLs }
    func resume(_ request: AuthRequest) -> AuthStream<Credential> { authenticate(request) }
}
// SecretOnTheServer end
