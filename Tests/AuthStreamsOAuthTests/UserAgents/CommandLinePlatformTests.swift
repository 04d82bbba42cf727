import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// What a program on the command line is made of.
@MainActor
@Suite(.limitedParallelization) struct CommandLinePlatformTests {
    @Test func sessionIsInFilesAndPagesAnswerToAListener() {
        for platform in [AuthPlatform.commandLine, .commandLine(application: "com.example.tool")] {
            #expect(platform.store is FileSessionStore)
            #expect(platform.opener is SystemBrowserLauncher)
            #expect(platform.userAgent is SystemBrowser)
            #expect(platform.redirect == .loopback)
        }
    }

    @Test(arguments: ["", "../elsewhere", ".hidden"]) func nameThatIsNoFolderIsReported(name: String) async {
        let store = AuthPlatform.commandLine(application: name).store
        await #expect { try await store.read(.session) } throws: { ($0 as? AuthError)?.code == .storage }
    }

    @Test func googleAndAnIssuerSignInByTheListener() async throws {
        try await withEmulator { emulator in
            let apps = emulator.configuration
            let browser = ScriptedBrowser(transport: URLSessionTransport.untimed())
            let auth = AuthService(
                .repository(ScriptedRepository()),
                providers: [
                    .google(
                        clientID: apps.google.desktop.id, clientSecret: apps.google.desktop.secret.map { Secret($0) },
                        endpoints: .emulator(at: emulator.baseURL)),
                    .openID(
                        "keycloak",
                        issuer: emulator.url(for: "https://id.pulseboard.example/realms/main").absoluteString,
                        clientID: apps.issuer.clientID, redirect: .loopback(path: "/callback/openid")),
                ],
                platform: .commandLine(store: MemorySessionStore(), opener: browser))
            for provider in auth.providers {
                let signIn = try await auth.signIn(with: provider).value
                #expect(signIn.provider == provider)
            }
            #expect(browser.visits.count == 2)
        }
    }

    private func realm(of emulator: Emulator) -> OpenIDProvider.Configuration {
        .keycloak(
            realm: "main", at: emulator.url(for: "https://id.pulseboard.example"),
            clientID: emulator.configuration.issuer.clientID, redirect: .loopback(path: "/callback/openid"))
    }

    @Test func issuersTokensAreTheSessionWithoutAServer() async throws {
        try await withEmulator { emulator in
            let browser = ScriptedBrowser(transport: URLSessionTransport.untimed())
            let realm = realm(of: emulator)
            let auth = AuthService(
                .openID(realm), providers: [.openID(realm)],
                platform: .commandLine(store: MemorySessionStore(), opener: browser))
            let user = try await auth.signIn(with: "keycloak").value.user
            #expect(auth.user?.id == user.id)
            _ = try await auth.accessToken()

            try await auth.signOut()
            try await auth.endIssuerSession(redirect: .loopback(path: "/goodbye")).value
            #expect(emulator.journal.entries.last?.path.hasSuffix("/logout") == true)
            #expect(emulator.journal.entries.last?.status == 303)
        }
    }

    @Test func serviceOfAnotherServerHasNoPageToLogOutAt() async {
        let browser = ScriptedBrowser(transport: ScriptedTransport { _ in throw CancellationError() })
        let auth = AuthService(
            .repository(ScriptedRepository()), providers: [],
            platform: .commandLine(store: MemorySessionStore(), opener: browser))
        let error = await #expect(throws: AuthError.self) {
            try await auth.endIssuerSession(redirect: .loopback(path: "/goodbye")).value
        }
        #expect(error?.code == .unsupportedProvider)
        #expect(browser.visits.isEmpty)
    }

    /// The credential of a provider that belongs to another server has the tokens.
    @Test func issuersCodeIsRedeemedByTheAppForAnotherServer() async throws {
        try await withEmulator { emulator in
            let browser = ScriptedBrowser(transport: URLSessionTransport.untimed())
            let credentials = Lock<[Credential]>([])
            let repository = ScriptedRepository(establish: { credential in
                credentials.withLock { $0.append(credential) }
                return ScriptedRepository.session(of: credential)
            })
            let auth = AuthService(
                .repository(repository), providers: [.openID(realm(of: emulator))],
                platform: .commandLine(store: MemorySessionStore(), opener: browser))
            _ = try await auth.signIn(with: "keycloak").value
            let credential = try #require(credentials.withLock { $0.first })
            #expect(credential.idToken != nil && credential.authorizationCode == nil)
        }
    }

    @Test func providerThatRedeemsTheIssuersCodeItselfIsAMisconfiguration() async throws {
        try await withEmulator { emulator in
            let browser = ScriptedBrowser(transport: URLSessionTransport.untimed())
            let realm = realm(of: emulator)
            let auth = AuthService(
                .openID(realm), providers: [.openID(realm, redeemer: .app)],
                platform: .commandLine(store: MemorySessionStore(), opener: browser))
            let error = await #expect(throws: AuthError.self) { _ = try await auth.signIn(with: "keycloak").value }
            #expect(error?.code == .misconfigured && auth.user == nil)
        }
    }

    /// Their pages answer by a URL that opens an app. On the command line the answer would be waited for in vain.
    @Test(arguments: [ProviderID.apple, .kakao, .naver])
    func providerWithoutAListenerIsAMisconfiguration(provider: ProviderID) async throws {
        let browser = ScriptedBrowser(transport: ScriptedTransport { _ in throw CancellationError() })
        let auth = AuthService(
            .repository(ScriptedRepository()),
            providers: [
                .apple(
                    servicesID: "com.example.web", relay: URL(literal: "https://relay.example"),
                    callback: URL(literal: "com.example.app:/callback")),
                .kakao(nativeAppKey: "a1b2"), .naver(clientID: "cl_1", urlScheme: "myapp", appName: "My App"),
            ],
            platform: .commandLine(store: MemorySessionStore(), opener: browser))
        let error = await #expect(throws: AuthError.self) { _ = try await auth.signIn(with: provider).value }
        #expect(error?.code == .misconfigured && error?.provider == provider && error?.isUserCancellation == false)
        #expect(error?.explanation.contains("command line") == true)
        #expect(browser.visits.isEmpty)
    }
}
