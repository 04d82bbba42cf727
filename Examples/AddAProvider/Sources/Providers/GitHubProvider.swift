// swift-format-ignore-file: NeverForceUnwrap

// AddAProvider: GitHub
import AuthStreams
import AuthStreamsOAuth
import Foundation

/// Signs in with GitHub. The credential has an access token, which your server checks at GitHub.
struct GitHubProvider: AuthProvider {
    let id: ProviderID = "github"
    private let client: OAuthClient
    private let (redirect, userAgent): (AuthorizationPage.Redirect, any UserAgent)
    private static let wrongSecret = AuthError(
        .misconfigured, "GitHub refused the secret. Compare it with the app's settings there.")

    init(
        clientID: String, clientSecret: Secret, redirect: AuthorizationPage.Redirect, userAgent: any UserAgent,
        transport: any AuthHTTPTransport
    ) {
        let server = AuthorizationServerMetadata(
            authorizationEndpoint: URL(string: "https://github.com/login/oauth/authorize")!,
            tokenEndpoint: URL(string: "https://github.com/login/oauth/access_token")!)
        client = OAuthClient(
            "github", metadata: server, clientID: clientID, authentication: .post(clientSecret),
            dialect: { $0.error == "incorrect_client_credentials" ? Self.wrongSecret : nil }, transport: transport)
        (self.redirect, self.userAgent) = (redirect, userAgent)
    }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        request.purpose == .reauthenticate
            ? .failure(AuthError(.unsupportedProvider, "GitHub cannot ask for a new log-in.", provider: id))
            : client.authenticate(request, scopes: ["read:user"], redirect: redirect, userAgent: userAgent)
    }

    var callbackRouters: [CallbackRouter] { userAgent.callbackRouters }
    var callbackURLs: [URL] { redirect.callbackURLs }
    func resume(_ request: AuthRequest) -> AuthStream<Credential> { authenticate(request) }
}
// AddAProvider end
