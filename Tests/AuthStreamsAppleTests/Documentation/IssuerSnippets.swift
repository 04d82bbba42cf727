import AuthStreams
import AuthStreamsApple
import AuthStreamsOAuth
import Foundation

// What the article 'Compose a service' shows of an app without a server is between the marks.

@MainActor
private func withoutServer(at server: URL, _ callback: URL) -> AuthService {
    // Composition: no server in an app
    let realm = OpenIDProvider.Configuration.keycloak(
        realm: "app", at: server, clientID: "app", redirect: .redirect(callback),  // com.example.app:/callback
        scopes: OpenIDProvider.defaultScopes + ["offline_access"])
    let auth = AuthService(.openID(realm), providers: [.openID(realm)], platform: .app)
    // Composition end
    return auth
}

private func logOut(_ auth: AuthService, at goodbye: URL) async throws {
    // Composition: log out at the issuer
    try await auth.signOut()
    try await auth.endIssuerSession(redirect: .redirect(goodbye)).value  // com.example.app:/goodbye
    // Composition end
}
