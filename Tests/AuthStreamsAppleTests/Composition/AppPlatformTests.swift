import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// An app that is made of factories and the platform of an app, on the simulated phone.
@Suite(.appleDevice) @MainActor struct AppPlatformTests {
    /// The app, whose URLs arrive as those of a scene.
    private final class App: NSObject, UIWindowSceneDelegate {
        let auth: AuthService

        init(at emulator: Emulator, _ information: AppInformation = .complete) {
            auth = AuthService(
                .server(emulator.url(for: "https://api.pulseboard.example")),
                // Apple by the sheet, and not by its page.
                providers: [.apple] + AuthProviderFactory.emulated(at: emulator.baseURL).dropFirst(),
                platform: .app(store: MemorySessionStore(), opener: SystemApplicationOpener(information)))
            super.init()
        }

        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            for context in auth.handle(contexts) { Issue.record("no answer: \(context.url.scheme ?? "")") }
        }
    }

    private func begin(
        _ app: App, _ provider: ProviderID, using kind: SignInMethod.Kind? = nil
    ) -> Task<SignInResult, any Error> {
        Task { [auth = app.auth] in try await auth.signIn(with: provider, using: kind).value }
    }

    @Test func appleSignsInByTheSheetOfTheSystem() async throws {
        try await withEmulator { emulator in
            let app = App(at: emulator)
            AppleDevice.App.connect(delegate: app)
            PersonAtTheSheet(at: emulator).answerAll()
            let signIn = try await begin(app, .apple).value
            #expect(signIn.provider == .apple)
            #expect(AppleDevice.WebAuthentication.started == 0)
        }
    }

    @Test(arguments: [ProviderID.google, .kakao, .naver]) func pageIsShownInTheSheet(provider: ProviderID) async throws
    {
        try await withEmulator { emulator in
            let app = App(at: emulator)
            AppleDevice.App.connect(delegate: app)
            let attempt = begin(app, provider, using: .web)
            try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            #expect(try await attempt.value.provider == provider)
        }
    }

    /// The answer comes to the service, and the provider waits at the router of the platform.
    @Test(arguments: [ProviderID.kakao, .naver]) func otherAppAnswersByAURL(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            PhonePerson.installApps()
            let app = App(at: emulator)
            let scene = AppleDevice.App.connect(delegate: app)
            let attempt = begin(app, provider, using: .app)
            try await PhonePerson(base: emulator.baseURL).act(.approve, in: scene)
            #expect(try await attempt.value.provider == provider)
        }
    }

    @Test(arguments: [ProviderID.kakao, .naver])
    func schemeThatInfoPlistLacksIsNamed(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            PhonePerson.installApps()
            let app = App(at: emulator, AppInformation(queries: ["kakaokompassauth", "naversearchthirdlogin"]))
            AppleDevice.App.connect(delegate: app)
            let error = await begin(app, provider, using: .app).authError
            #expect(error?.code == .misconfigured && error?.provider == provider)
            #expect(error?.explanation.contains("CFBundleURLTypes lacks the scheme") == true)
            #expect(AppleDevice.App.opened.isEmpty)
        }
    }

    @Test func partsAreThoseOfTheSystemUnlessGiven() {
        let app = AuthPlatform.app
        #expect(app.store is KeychainSessionStore)
        #expect(app.opener is SystemApplicationOpener)
        #expect(app.userAgent is WebAuthenticationAgent)
        #expect(app.redirect == .appURL)
        let agent = SwiftUIWebAuthenticationAgent()
        #expect(AuthPlatform.app(userAgent: { _ in agent }).userAgent is SwiftUIWebAuthenticationAgent)
    }

    /// A test's process has no bundle identifier.
    @Test func keychainWithoutABundleIdentifierIsAMisconfiguration() async {
        let store = AuthPlatform.app.store
        await #expect { try await store.read(.session) } throws: { ($0 as? AuthError)?.code == .misconfigured }
    }

    /// The page of the Desktop client would refuse the reversed client ID.
    @Test func secretOfADesktopClientIsReportedBeforeTheSheet() async {
        let auth = AuthService(
            .repository(ScriptedRepository()),
            providers: [.google(clientID: "1-a.apps.googleusercontent.com", clientSecret: Secret("GOCSPX-1"))],
            platform: .app(store: MemorySessionStore()))
        let error = await #expect(throws: AuthError.self) { _ = try await auth.signIn(with: .google).value }
        #expect(error?.code == .misconfigured && AppleDevice.WebAuthentication.started == 0)
    }
}
