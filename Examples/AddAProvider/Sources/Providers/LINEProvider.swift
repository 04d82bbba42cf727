// AddAProvider: LINE
import AuthStreams
import AuthStreamsOAuth
import Foundation

/// Signs in with LINE. The credential has an ID token for your server.
struct LINEProvider: AuthProvider {
    let id: ProviderID = "line"
    private let client: OAuthClient
    private let redirect: AuthorizationPage.Redirect
    private let userAgent: any UserAgent

    init(
        channelID: String, channelSecret: Secret, redirect: AuthorizationPage.Redirect, userAgent: any UserAgent,
        transport: any AuthHTTPTransport
    ) {
        var client = OAuthClient(
            "line", issuer: "https://access.line.me", clientID: channelID, authentication: .post(channelSecret),
            transport: transport)
        client.idTokenRules = { $0.sharedSecret = channelSecret }  // LINE's page signs with it: HS256
        self.client = client
        self.redirect = redirect
        self.userAgent = userAgent
    }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        client.authenticate(request, scopes: ["openid", "profile"], redirect: redirect, userAgent: userAgent)
    }

    var callbackRouters: [CallbackRouter] { userAgent.callbackRouters }
    var callbackURLs: [URL] { redirect.callbackURLs }
    func resume(_ request: AuthRequest) -> AuthStream<Credential> { authenticate(request) }
}
// AddAProvider end
