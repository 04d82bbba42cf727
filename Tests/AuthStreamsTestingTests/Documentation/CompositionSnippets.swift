import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

// What the articles 'Compose a service', 'Use no server' and 'Write a command-line tool' show is between the marks.

#if os(Linux) || os(macOS)
    private func commandLine(_ api: URL) -> AuthService {
        // CommandLineTools: command line
        let auth = AuthService(
            .server(api),  // such as https://api.example.com/v1
            providers: [
                .google(clientID: "1234-def.apps.googleusercontent.com", clientSecret: Secret("GOCSPX-…")),
                .openID(
                    "work", issuer: "https://id.example.com", clientID: "tool", redirect: .loopback(path: "/callback")),
            ],
            platform: .commandLine(application: "com.example.tool"))
        // CommandLineTools end
        return auth
    }

    private func withoutServer(at server: URL) -> AuthService {
        // WithoutAServer: no server
        let realm = OpenIDProvider.Configuration.keycloak(
            realm: "app", at: server, clientID: "tool", redirect: .loopback(path: "/callback"))
        let auth = AuthService(.openID(realm), providers: [.openID(realm)], platform: .commandLine)
        // WithoutAServer end
        return auth
    }

    private func replaced(by measured: any AuthHTTPTransport) -> AuthPlatform {
        // Composition: replaced
        var platform = AuthPlatform.commandLine(application: "com.example.tool")
        platform.transport = measured
        // Composition end
        return platform
    }
#endif

private func exits(_ auth: AuthService, _ request: AuthHTTPRequest) async throws {
    // CommandLineTools: exit
    let response = try await auth.data(for: request)
    await auth.finish()
    exit(response.isSuccess ? 0 : 1)
    // CommandLineTools end
}

private func ownPlatform(_ store: any SessionStore, _ opener: any ApplicationOpener) -> AuthPlatform {
    // Composition: own platform
    let platform = AuthPlatform(store: store, opener: opener, redirect: .loopback) {
        SystemBrowser(opener: $0.opener, callbacks: $0.callbacks, clock: $0.clock)
    }
    // Composition end
    return platform
}

// Composition: own provider
extension AuthProviderFactory {
    static func line(channelID: String, callback: URL) -> Self {
        Self { platform in
            OpenIDProvider(
                .line(channelID: channelID, redirect: .redirect(callback)), redeemer: .repository,
                userAgent: platform.userAgent, transport: platform.transport, clock: platform.clock)
        }
    }
}
// Composition end

private func isolated() -> AuthService {
    // Composition: isolated
    let auth = AuthService(
        .repository(ScriptedRepository()), providers: [.provider(ScriptedProvider(.kakao))], platform: .isolated())
    // Composition end
    return auth
}

/// The issuer's own API for accounts.
private struct AccountAPI: Sendable {
    func delete(bearer: Secret) async throws {}
}

private func issuersAccounts(
    _ realm: OpenIDProvider.Configuration, _ api: AccountAPI, _ platform: AuthPlatform
) async throws -> AuthUser {
    // WithoutAServer: accounts of an issuer
    let auth = AuthService(
        .openID(realm, deletingAccountsBy: { accessToken in try await api.delete(bearer: accessToken) }),
        providers: [.openID(realm)], platform: platform)
    let user = try await auth.signIn(with: realm.id).value.user  // "keycloak", unless the configuration names another
    // WithoutAServer end
    return user
}

/// The session of the app before.
private struct OldSDK: Sendable {
    let refreshToken: String?
    func signOut() throws {}
}

private func everything(
    _ server: URL, _ oldSDK: OldSDK, _ attestation: @escaping @Sendable () async throws -> String,
    _ platform: AuthPlatform, count: @escaping @Sendable (AuthEvent.Kind) -> Void
) -> AuthService {
    // Composition: everything
    let auth = AuthService(
        .server(
            server,  // https://api.example.com/v1
            headers: { ["X-App-Attestation": try await attestation()] }),
        providers: [.google(clientID: "1234-abc.apps.googleusercontent.com"), .kakao(nativeAppKey: "0123abcd")],
        platform: platform,  // .app, .commandLine(application: …)
        adoption: SessionAdoption(
            find: { oldSDK.refreshToken.map { AdoptableSession(refreshToken: Secret($0)) } },
            discard: { try oldSDK.signOut() }),
        sinks: [.log, .metrics { event in count(event.kind) }],
        api: ["https://api.example.com"])
    // Composition end
    return auth
}

private func whoIsSignedIn(_ auth: AuthService) async {
    // CommandLineTools: who is signed in
    do throws(AuthError) {
        let user = try await auth.restoredUser()  // when the store was read
        print(user.map { $0.displayName ?? $0.id } ?? "No one is signed in.")
    } catch {
        print("Who is signed in is not known: \(error.explanation)")  // `storage`: the store cannot be read
    }
    // CommandLineTools end
}
