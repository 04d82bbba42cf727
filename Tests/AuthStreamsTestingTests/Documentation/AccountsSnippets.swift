import AuthStreams
import Foundation

// What the article 'Tokens and accounts' shows is between the marks, in functions that supply what it leaves out.

// The article lines its comments up.
// swift-format-ignore
private func tokens(_ auth: AuthService, loadFeed: (_ bearer: Secret) async throws -> String) async throws {
    // Accounts: tokens
    let token = try await auth.accessToken()                                    // valid now
    let feed = try await auth.withAccessToken { try await loadFeed($0) }  // again, once, if it throws AccessTokenRefused
    // Accounts end
    _ = (token, feed)
}

private func authorised(_ auth: AuthService, _ url: URL) async throws -> HTTPResponse {
    // Accounts: authorised
    let answer = try await auth.data(for: HTTPRequest(.get, url))  // with `api: APIAccess(to: [url])` at the service
    // Accounts end
    return answer
}

// The article lines its comments up.
// swift-format-ignore
private func accounts(
    _ auth: AuthService, welcome: (Result<SignInResult, AuthError>) -> Void,
    handle: (Result<AuthUser, AuthError>) -> Void, show: (Result<Void, AuthError>) -> Void
) async throws {
    // Accounts: accounts
    for await result in auth.signInAnonymously() { welcome(result) }       // try it first …
    for await result in auth.link(with: .apple) { handle(result) }         // … then keep the same user
    for await result in auth.unlink(.kakao) { handle(result) }             // never the last identity
    for await result in auth.reload() { handle(result) }                   // the user as the server has them now
    for await result in auth.updateProfile(displayName: .set("Mia")) { handle(result) }
    for await result in auth.reauthenticate() { handle(result) }           // where the server requires a recent sign-in
    try await auth.signOut(everywhere: true)                               // on all devices, where the server can
    for await result in auth.deleteAccount() { show(result) }              // at the provider, at the server, and here
    // Accounts end
}
