import AuthStreams
import AuthStreamsApple
import AuthStreamsOAuth
import Foundation

// What the article 'Use no server' shows of an app is between the marks.

@MainActor
private func withoutServer(at server: URL, _ callback: URL) -> AuthService {
    // WithoutAServer: no server in an app
    let realm = OpenIDProvider.Configuration.keycloak(
        realm: "app", at: server, clientID: "app", redirect: .redirect(callback),  // com.example.app:/callback
        scopes: OpenIDProvider.defaultScopes + ["offline_access"])
    let auth = AuthService(.openID(realm), providers: [.openID(realm)], platform: .app)
    // WithoutAServer end
    return auth
}

private func logOut(_ auth: AuthService, at goodbye: URL) async throws {
    // WithoutAServer: log out at the issuer
    try await auth.signOut()
    try await auth.endIssuerSession(redirect: .redirect(goodbye)).value  // com.example.app:/goodbye
    // WithoutAServer end
}
