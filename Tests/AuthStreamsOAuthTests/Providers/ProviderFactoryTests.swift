import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// The providers that factories make for a platform, and the mistakes that their attempts report.
@MainActor
@Suite(.limitedParallelization) struct ProviderFactoryTests {
    private nonisolated static let iOS = "1234-abc.apps.googleusercontent.com"

    /// The running app, which a property list has to name where it is one.
    private nonisolated static let app = Bundle.main.bundleIdentifier ?? "com.example.app"

    private static var nothingOpens: ScriptedOpener { ScriptedOpener { _ in nil } }

    private func error(
        of factory: AuthProviderFactory, _ redirect: AuthPlatform.Redirect, using kind: SignInMethod.Kind? = nil,
        _ agent: ScriptedAgent? = nil, _ opener: ScriptedOpener? = nil
    ) async -> AuthError? {
        let platform = AuthPlatform(
            store: MemorySessionStore(), opener: opener ?? Self.nothingOpens, redirect: redirect,
            transport: ScriptedTransport { _ in throw CancellationError() }
        ) { _ in agent ?? ScriptedAgent { _, _ in throw AuthError(.cancelled, "closed") } }
        let request = AuthRequest(methodKind: kind)
        do throws(AuthError) { _ = try await factory.provider(for: platform).authenticate(request).value } catch {
            return error
        }
        return nil
    }

    // MARK: What the platform decides

    @Test(arguments: [
        (AuthPlatform.Redirect.appURL, "com.googleusercontent.apps.1234-abc:/oauth2callback"),
        (.loopback, "http://127.0.0.1:4711/oauth2callback"),
    ])
    func googleAnswersWhereThePlatformReceives(redirect: AuthPlatform.Redirect, redirectURI: String) async throws {
        let seen = Lock<[String]>([])
        let agent = ScriptedAgent { _, redirectURI in
            seen.withLock { $0.append(redirectURI.absoluteString) }
            throw AuthError(.cancelled, "closed")
        }
        let secret = redirect == .loopback ? Secret("GOCSPX-secret") : nil
        let error = await error(of: .google(clientID: Self.iOS, clientSecret: secret), redirect, agent)
        #expect(error?.code == .cancelled)
        #expect(seen.withLock { $0 } == [redirectURI])
    }

    // MARK: Mistakes

    @Test(arguments: [
        ("", nil, AuthPlatform.Redirect.appURL, "apps.googleusercontent.com"),
        ("1234-abc", nil, .appURL, "apps.googleusercontent.com"),
        (iOS, "GOCSPX-secret", .appURL, "type iOS"),
        (iOS, nil, .loopback, "client secret"),
        (iOS, "", .loopback, "client secret"),
        ("", "GOCSPX-secret", .loopback, "no client ID"),
    ])
    func wrongGoogleClientIsReportedBeforeThePage(
        clientID: String, secret: String?, redirect: AuthPlatform.Redirect, explanation: String
    ) async {
        let agent = ScriptedAgent { _, _ in throw AuthError(.cancelled, "closed") }
        let error = await error(
            of: .google(clientID: clientID, clientSecret: secret.map { Secret($0) }), redirect, agent)
        #expect(error?.code == .misconfigured && error?.provider == .google)
        #expect(error?.explanation.contains(explanation) == true, "\(error?.explanation ?? "")")
        #expect(agent.pages.isEmpty)
    }

    @Test func googleTakesTheClientOfThePropertyList() async throws {
        let content = try propertyList(["CLIENT_ID": Self.iOS, "BUNDLE_ID": Self.app])
        try await withTemporaryFile(named: "GoogleService-Info.plist", content) { file in
            let agent = ScriptedAgent { _, _ in throw AuthError(.cancelled, "closed") }
            #expect(await error(of: .google(plist: file), .appURL, agent)?.code == .cancelled)
            #expect(agent.pages.map { $0["client_id"] } == [Self.iOS])
            // Its client is of type iOS.
            #expect(await error(of: .google(plist: file), .loopback, agent)?.code == .misconfigured)
            #expect(agent.pages.count == 1)
            let clientID = try GoogleProvider.clientID(in: file, of: Self.app)
            #expect(clientID == Self.iOS)
            let other = #expect(throws: AuthError.self) {
                try GoogleProvider.clientID(in: file, of: "com.example.other")
            }
            #expect(other?.code == .misconfigured && other?.explanation.contains("com.example.other") == true)
        }
    }

    @Test(
        arguments: [
            ([:], "no text for the key BUNDLE_ID"), (["BUNDLE_ID": app], "Enable Google"),
            (["BUNDLE_ID": app, "CLIENT_ID": ""], "Enable Google"),
            (["BUNDLE_ID": app, "CLIENT_ID": "1234"], "apps.googleusercontent.com"),
            (nil, "cannot be read"),
        ] as [([String: String]?, String)])
    func wrongPropertyListIsReportedBeforeThePage(values: [String: String]?, explanation: String) async throws {
        try await withTemporaryFile(named: "GoogleService-Info.plist", values.map { try propertyList($0) }) { file in
            let agent = ScriptedAgent { _, _ in throw AuthError(.cancelled, "closed") }
            let error = await error(of: .google(plist: file), .appURL, agent)
            #expect(error?.code == .misconfigured && error?.provider == .google && error?.step == .presenting)
            #expect(error?.explanation.contains(explanation) == true, "\(error?.explanation ?? "")")
            #expect(agent.pages.isEmpty)
        }
    }

    @Test func withoutAPropertyListInTheBundleGoogleSaysSo() async {
        let error = await error(of: .google(), .appURL)
        #expect(error?.code == .misconfigured && error?.explanation.contains("not in the bundle of the app") == true)
    }

    @Test(arguments: ["", "a1 b2", "kakaoa1b2://oauth", "a1b2\n"], [SignInMethod.Kind?.none, .app, .web])
    func wrongKeyOfKakaoIsReportedBeforeAnythingOpens(key: String, kind: SignInMethod.Kind?) async {
        let (agent, opener) = (ScriptedAgent { _, _ in throw AuthError(.cancelled, "closed") }, Self.nothingOpens)
        let error = await error(of: .kakao(nativeAppKey: key), .appURL, using: kind, agent, opener)
        #expect(error?.code == .misconfigured && error?.provider == .kakao)
        #expect(error?.explanation.contains("native app key") == true)
        #expect(agent.pages.isEmpty && opener.opened.isEmpty)
    }

    @Test(
        arguments: [("", "myapp"), ("cl_1", ""), ("cl_1", "my app"), ("cl_1", "1app"), ("cl_1", "myapp://")],
        [SignInMethod.Kind?.none, .app, .web])
    func wrongEntryOfNaverIsReportedBeforeAnythingOpens(entry: (String, String), kind: SignInMethod.Kind?) async {
        let (agent, opener) = (ScriptedAgent { _, _ in throw AuthError(.cancelled, "closed") }, Self.nothingOpens)
        let error = await error(
            of: .naver(clientID: entry.0, urlScheme: entry.1, appName: "My App"), .appURL, using: kind, agent, opener)
        #expect(error?.code == .misconfigured && error?.provider == .naver)
        #expect(error?.explanation.contains(entry.0.isEmpty ? "client ID" : "URL scheme") == true)
        #expect(agent.pages.isEmpty && opener.opened.isEmpty)
    }

    @Test func emptyEntryOfAppleAndOfAnIssuerIsReportedBeforeThePage() async {
        let agent = ScriptedAgent { _, _ in throw AuthError(.cancelled, "closed") }
        let callback = URL(literal: "com.example.app:/callback")
        let factories: [AuthProviderFactory] = [
            .apple(servicesID: "", relay: URL(literal: "https://relay.example"), callback: callback),
            .openID("keycloak", issuer: "", clientID: "app", redirect: .redirect(callback)),
        ]
        for factory in factories { #expect(await error(of: factory, .appURL, agent)?.code == .misconfigured) }
        #expect(agent.pages.isEmpty)
    }

    /// Such a provider would wait for an answer that the service gives to another router.
    @Test(arguments: [ProviderID.apple, .google, .kakao, .naver, "keycloak"])
    func providerWithAnotherRouterIsReportedBeforeAnythingOpens(id: ProviderID) async throws {
        let opener = Self.nothingOpens
        func platform() -> AuthPlatform {
            AuthPlatform(
                store: MemorySessionStore(), opener: opener, redirect: .appURL,
                transport: ScriptedTransport { _ in throw CancellationError() }
            ) { SystemBrowser(emulatedBy: $0.opener, callbacks: $0.callbacks, clock: $0.clock) }
        }
        let callback = URL(literal: "com.example.app:/callback")
        let factories: [ProviderID: AuthProviderFactory] = [
            .apple: .apple(servicesID: "com.example", relay: URL(literal: "https://relay.example"), callback: callback),
            .google: .google(clientID: Self.iOS), .kakao: .kakao(nativeAppKey: "0123abcd"),
            .naver: .naver(clientID: "cl_1", urlScheme: "myapp", appName: "My App"),
            "keycloak": .openID(
                "keycloak", issuer: "https://issuer.example", clientID: "app", redirect: .redirect(callback)),
        ]
        let factory = try #require(factories[id])
        let (own, other) = (platform(), platform())
        func signIn(by provider: any AuthProvider) async -> Result<SignInResult, AuthError> {
            let auth = AuthService(.repository(ScriptedRepository()), providers: [.provider(provider)], platform: own)
            return await auth.signIn(with: id).result
        }
        let refused = await #expect(throws: AuthError.self) {
            try await signIn(by: factory.provider(for: other)).get()
        }
        #expect(refused?.code == .misconfigured && refused?.provider == id)
        #expect(refused?.explanation.contains("CallbackRouter") == true)
        #expect(opener.opened.isEmpty)
        let asked = await #expect(throws: AuthError.self) { try await signIn(by: factory.provider(for: own)).get() }
        #expect(asked?.explanation.contains("CallbackRouter") == false)
    }
}
