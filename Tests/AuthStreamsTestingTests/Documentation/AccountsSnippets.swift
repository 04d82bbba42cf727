import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

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

private struct Post: Codable {
    var id: Int
    var text: String
}

/// What the app makes of a status.
private struct FeedError: Error {
    let status: Int
}

private func reads(_ auth: AuthService, _ api: URL) async throws -> [Post] {
    // Accounts: get
    let answer = try await auth.data(for: AuthHTTPRequest(.get, api.appending(path: "feed")))
    guard answer.isSuccess else { throw FeedError(status: answer.status) }
    let feed = try JSONDecoder().decode([Post].self, from: answer.body)
    // Accounts end
    return feed
}

private func writes(_ auth: AuthService, _ api: URL, _ post: Post) async throws -> String? {
    // Accounts: post
    let request = AuthHTTPRequest(
        .post, api.appending(path: "posts"), headers: [.contentType: "application/json"],
        body: try JSONEncoder().encode(post))
    let created = try await auth.data(for: request)
    let location = created.headers["location"]
    // Accounts end
    return location
}

private func large(_ auth: AuthService, _ url: URL) async throws -> AuthHTTPResponse {
    // Accounts: large
    let video = try await auth.data(for: URLRequest(url: url), maximumResponseBytes: 200 << 20)
    // Accounts end
    return video
}

private struct Conflicts {
    let auth: AuthService
    /// Asks the person.
    let choose: @Sendable ([ProviderID]) async -> ProviderID?
    let confirmSwitch: @Sendable () async -> Bool

    // Accounts: account exists
    func signIn(with provider: ProviderID) async throws(AuthError) -> AuthUser {
        do throws(AuthError) { return try await auth.signIn(with: provider).value.user } catch {
            // The address belongs to an account that signs in another way: 'You have used Kakao before.'
            guard error.code == .accountExists, let conflict = error.conflict,
                let known = await choose(conflict.providers)
            else { throw error }
            let user = try await auth.signIn(with: known).value.user
            guard let credential = conflict.credential else { return user }
            return try await auth.link(credential: credential).value
        }
    }
    // Accounts end

    // Accounts: credential in use
    func link(_ provider: ProviderID) async throws(AuthError) -> AuthUser {
        do throws(AuthError) { return try await auth.link(with: provider).value } catch {
            // The identity is another user's: 'Continue with that account?'
            guard error.code == .credentialInUse, await confirmSwitch() else { throw error }
            guard let credential = error.conflict?.credential else {
                return try await auth.signIn(with: provider).value.user
            }
            return try await auth.signIn(credential: credential).value.user
        }
    }
    // Accounts end
}

@Suite struct AccountsSnippets {
    private func conflicts(_ repository: ScriptedRepository) -> Conflicts {
        Conflicts(
            auth: AuthService(
                .repository(repository),
                providers: [.provider(ScriptedProvider(.google)), .provider(ScriptedProvider(.kakao))],
                platform: .isolated()),
            choose: { $0.first }, confirmSwitch: { true })
    }

    @Test func anAddressThatIsKnownIsSignedInAndLinked() async throws {
        let repository = ScriptedRepository(establish: { credential in
            guard credential.provider == .google else { return ScriptedRepository.session(of: credential) }
            throw AuthError(
                .accountExists, "The address is known.",
                conflict: AuthConflict(providers: [.kakao], credential: credential))
        })
        let user = try await conflicts(repository).signIn(with: .google)
        #expect(user.id == "kakao:1001" && user.providers.map(\.id) == [.google])
        #expect(repository.calls == [.signIn(.google), .signIn(.kakao), .link(.google)])
    }

    @Test func anIdentityOfAnotherUserSignsInAsThem() async throws {
        var account = ScriptedAccount()
        account.link = { credential, _ in
            throw AuthError(.credentialInUse, "It is another's.", conflict: AuthConflict(credential: credential))
        }
        let conflicts = conflicts(ScriptedRepository(account: account))
        _ = try await conflicts.auth.signIn(with: .kakao).value
        #expect(try await conflicts.link(.google).id == "google.com:1001")
        #expect(conflicts.auth.user?.id == "google.com:1001")
    }
}
