import AuthStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What the article 'Tokens and accounts' shows is between the marks, in functions that supply what it leaves out.

private func tokens(_ auth: AuthService, _ request: inout URLRequest) async throws {
    // Accounts: tokens
    let token = try await auth.accessToken()  // valid now
    request.setValue("Bearer \(token.reveal())", forHTTPHeaderField: "Authorization")
    // Accounts end
}

/// The app's own request: what the server answered, and its status.
private func load(bearer: String) async throws -> (feed: String, status: Int) { ("", 200) }

private func repeated(_ auth: AuthService) async throws -> String {
    // Accounts: repeated
    let feed = try await auth.withAccessToken { token in
        let (feed, status) = try await load(bearer: token.reveal())
        if status == 401 { throw AccessTokenRefused() }
        return feed
    }
    // Accounts end
    return feed
}

private func authorised(_ auth: AuthService, _ url: URL) async throws -> AuthHTTPResponse {
    // Accounts: authorised
    let answer = try await auth.data(for: URLRequest(url: url))
    // Accounts end
    return answer
}

// The article lines its comments up.
// swift-format-ignore
private func accounts(_ auth: AuthService) async throws {
    // Accounts: accounts
    let guest = try await auth.signInAnonymously().value.user  // try it first …
    var user = try await auth.link(with: .apple).value         // … then keep the same user
    user = try await auth.unlink(.kakao).value                 // never the last identity
    user = try await auth.reload().value                       // the user as the server has them now
    user = try await auth.updateProfile(displayName: .set("Mia")).value
    user = try await auth.reauthenticate().value               // where the server requires a recent sign-in
    try await auth.signOut(everywhere: true)                   // on all devices, where the server can
    try await auth.deleteAccount().value                       // at the provider, at the server, and here
    // Accounts end
    _ = (guest, user)
}
