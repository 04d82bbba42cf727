import AuthStreams
import AuthStreamsOAuth
import Foundation

/// GitHub's access token as the session. GitHub signs no ID tokens, and an OAuth app gets no refresh token.
struct GitHubRepository: AuthRepository {
    private static let nameless = AuthError(.invalidResponse, "GitHub did not say whose the token is.")
    let transport: any AuthHTTPTransport
    static var server: AuthorizationServerMetadata {
        let paths = ["login/oauth/authorize", "login/oauth/access_token", "login/device/code"]
        let urls = paths.compactMap { URL(string: "https://github.com/\($0)") }
        return AuthorizationServerMetadata(
            authorizationEndpoint: urls[0], tokenEndpoint: urls[1],
            userInfoEndpoint: URL(string: "https://api.github.com/user"), deviceAuthorizationEndpoint: urls[2])
    }

    func accepts(_ provider: ProviderID) -> Bool { provider == "github" }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        guard let token = credential.accessToken, let url = Self.server.userInfoEndpoint else { throw Self.nameless }
        let request = AuthHTTPRequest(.get, url, headers: [.authorization: "Bearer \(token.reveal())"])
        let answer = try await transport.send(request)
        let claims = try? JSONDecoder().decode(AuthJSON.self, from: answer.body)
        guard answer.isSuccess, let id = claims?["id"]?.lenientInteger else { throw Self.nameless }
        let name = claims?["name"]?.string ?? claims?["login"]?.string
        let user = AuthUser(id: "\(id)", email: claims?["email"]?.string, displayName: name)
        return AuthSession(
            accessToken: token, refreshToken: nil, expiresAt: nil, user: user, provider: credential.provider)
    }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        throw AuthError(.sessionExpired, "GitHub gave no refresh token. Log in again.", provider: session.provider)
    }

    func deleteAccount(_ session: AuthSession) async throws(AuthError) {
        throw AuthError(.unsupportedProvider, "GitHub's accounts are not this program's.")
    }

    /// Sends nothing: GitHub ends a token only for a client with a secret.
    func signOut(_ session: AuthSession) async throws(AuthError) {}
}
