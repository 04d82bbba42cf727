import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

// What the article 'Compose a service' shows is between the marks.

#if os(Linux) || os(macOS)
    private func commandLine(_ api: URL) -> AuthService {
        // Composition: command line
        let auth = AuthService(
            .server(api),  // such as https://api.example.com/v1
            providers: [
                .google(clientID: "1234-def.apps.googleusercontent.com", clientSecret: Secret("GOCSPX-…")),
                .openID(
                    "work", issuer: "https://id.example.com", clientID: "tool", redirect: .loopback(path: "/callback")),
            ],
            platform: .commandLine(application: "com.example.tool"))
        // Composition end
        return auth
    }

    private func withoutServer(at server: URL) -> AuthService {
        // Composition: no server
        let realm = OpenIDProvider.Configuration.keycloak(
            realm: "app", at: server, clientID: "tool", redirect: .loopback(path: "/callback"))
        let auth = AuthService(.openID(realm), providers: [.openID(realm)], platform: .commandLine)
        // Composition end
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
    // Composition: exit
    let response = try await auth.data(for: request)
    await auth.finish()
    exit(response.isSuccess ? 0 : 1)
    // Composition end
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
            OpenIDProvider.line(
                channelID: channelID, channelSecret: nil, redirect: .redirect(callback), redeemer: .repository,
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
