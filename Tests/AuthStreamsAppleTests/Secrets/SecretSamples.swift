import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import SwiftUI
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// Samples of the types of AuthStreamsApple, in the middle and at the end of what they do with secrets.
@MainActor
enum SecretSamples {
    static let all = providers + storage + browsers + scenes + models + prompts + swiftUI + uiKit

    private nonisolated static let mark = SecretSample.mark

    private static func url(_ start: String) throws -> URL {
        try #require(URL(string: "\(start)?code=\(mark)&nonce=\(mark)#id_token=\(mark)"))
    }

    private static let providers = [
        SecretSample(type: AppleProvider.self) {
            let app = SheetFixture()
            let attempt = app.begin()
            let sheet = await AppleDevice.AppleID.nextAttempt()
            let sent = [sheet.request?.state, sheet.request?.nonce].compactMap { $0.map { Secret($0) } }
            let shown = SecretSample.text(of: app.apple, with: sent)
            // Its signature holds the mark.
            let token = AppleDevice.AppleID.Attempt.token(sheet.claims) + Data(mark.utf8)
            sheet.succeed(
                with: .simulated(
                    user: SheetFixture.user, identityToken: token, authorizationCode: Data(mark.utf8),
                    state: sheet.request?.state))
            let credential = try await attempt.value.get()
            let nonce = try #require(credential.rawNonce)
            try #require(credential.idToken?.reveal().contains(mark) == true)
            return shown + SecretSample.text(of: [app.apple, credential], with: sent + [nonce])
        }
    ]

    private static let storage = [
        SecretSample(KeychainSessionStore.self) {
            let keychain = KeychainFixture()
            defer { keychain.removeFiles() }
            let store = keychain.store()
            try await store.write(Data(mark.utf8), for: .session)
            let record = try await store.read(.session)
            try #require(record.data == Data(mark.utf8))
            return store
        }
    ]

    private static func pageWithSecrets() throws -> AuthorizationPage {
        WebStage().page(at: try url("https://issuer.example/authorize"))
    }

    private static let browsers = [
        SecretSample(type: WebAuthenticationAgent.self) {
            AppleDevice.App.connect()
            let agent = WebAuthenticationAgent()
            let (page, callback) = (try pageWithSecrets(), try url("com.example.app:/callback"))
            let attempt = Task { try await agent.authorize(page) }
            let sheet = await AppleDevice.WebAuthentication.nextSheet()
            let shown = everythingPrinted(of: agent)
            sheet.redirect(to: callback)
            let answer = try await attempt.value
            try #require(sheet.url.query()?.contains(mark) == true && answer.url == callback)
            return shown + everythingPrinted(of: [agent, answer])
        },
        SecretSample(type: SwiftUIWebAuthenticationAgent.self) {
            let (page, callback) = (try pageWithSecrets(), try url("com.example.app:/callback"))
            let (target, end) = (Promise<WebTarget>(), Promise<Void>())
            let agent = SwiftUIWebAuthenticationAgent { shown, _ in
                target.resolve(shown)
                _ = await end.value()
                return callback
            }
            let attempt = Task { try await agent.authorize(page) }
            try #require(await target.value()?.url.query()?.contains(mark) == true)
            let shown = everythingPrinted(of: agent)
            end.resolve(())
            let answer = try await attempt.value
            try #require(answer.url == callback)
            return shown + everythingPrinted(of: [agent, answer])
        },
        SecretSample(type: SystemApplicationOpener.self) {
            AppleDevice.App.connect()
            AppleDevice.App.installedSchemes = ["kakaokompassauth"]
            let (opener, talk) = (SystemApplicationOpener(.forKakao), try url("kakaokompassauth://authorize"))
            let visit = try #require(await opener.open(talk, universalLinksOnly: false))
            try #require(AppleDevice.App.opened.contains(talk))
            return everythingPrinted(of: [opener, visit])
        },
    ]

    private final class SceneDelegate: NSObject, UIWindowSceneDelegate {
        var own: AppConnectionOptions?

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) { own = service().handle(connectionOptions) }
    }

    private static let scenes = [
        SecretSample(AppConnectionOptions.self) {
            let delegate = SceneDelegate()
            let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            // Codes of invitations, in links that no attempt waits for.
            let link = try #require(URL(string: "pulseboard://invitations/\(mark)"))
            activity.webpageURL = URL(string: "https://app.example/invitations/\(mark)")
            AppleDevice.App.connect(delegate: delegate, urls: [link], userActivities: [activity])
            let own = try #require(delegate.own)
            try #require(own.urlContexts.count == 1 && own.userActivities.count == 1)
            return own
        },
        SecretSample(RootCoordinator.self) {
            let coordinator = RootCoordinator(service().states) { _ in }
            coordinator.open(try url("https://app.example/invitations"))
            try #require(coordinator.pendingLink != nil)
            return coordinator
        },
    ]

    /// A service at whose only provider, Google, the person agrees at once. Every token is made of the mark.
    private static func service() -> AuthService {
        AuthService(
            repository: ScriptedRepository(establish: { _ in SecretSample.session }),
            providers: [ScriptedProvider(.google) { _ in SecretSample.credential }], store: MemorySessionStore(),
            callbacks: CallbackRouter())
    }

    /// A value that holds a service with a signed-in user, weakly in most cases. So the service lives until it is printed.
    private static func signedIn(
        _ type: Any.Type, _ make: @escaping @MainActor (AuthService) async throws -> Any
    ) -> SecretSample {
        SecretSample(type: type) {
            let auth = service()
            let value = try await make(auth)
            try #require(try await auth.accessToken() == SecretSample.secret)
            return withExtendedLifetime(auth) { everythingPrinted(of: value) }
        }
    }

    private static let models = [
        signedIn(AuthViewModel.self) { auth in
            let model = AuthViewModel(auth)
            model.signIn(with: .google)
            await model.wait { $0.user != nil && !$0.isBusy }
            return model
        }
    ]

    /// The model of a prompt in which the person has entered the mark, beside a key that is the mark.
    private static func prompt() throws -> AuthPromptModel {
        let step = Challenge.Step.enrollment(
            .init(secret: SecretSample.secret, url: Secret("otpauth://totp/\(mark)?secret=\(mark)")))
        let model = AuthPromptModel(
            AuthPrompt(Challenge(step, pendingToken: SecretSample.secret), provider: .kakao))
        let field = try #require(model.content.fields.first)
        model.enter(mark, in: field)
        try #require(model.text(in: field) == mark && model.content.shown?.value == SecretSample.secret)
        return model
    }

    private static let prompts = [
        SecretSample(AuthPromptModel.self) { try prompt() },
        SecretSample(AuthPromptContent.self) { try prompt().content },
        SecretSample(AuthPromptContent.Shown.self) { try #require(try prompt().content.shown) },
        SecretSample(AuthPromptView.self) { AuthPromptView(try prompt()) },
        SecretSample(type: AuthPromptPresenter.self) {
            let scene = AppleDevice.App.connect()
            let fixture = PromptsFixture(PromptsFixture.code)
            let presenter = AuthPromptPresenter(fixture.auth)
            let attempt = fixture.signIn()
            try await wait(for: "the sheet") { scene.windows.count == 2 }
            let sheet = scene.windows.last?.rootViewController?.presentedViewController
            let host = try #require((sheet as? UIHostingController<AuthPromptView>)?.host)
            try #require(host.root.inputs.first).text = mark
            let printed = everythingPrinted(of: presenter)
            sheet?.swipeDown()
            _ = await attempt.value
            return printed
        },
    ]

    /// A view whose button was tapped, with all that the scene keeps of it.
    private static func tapped<Content: View>(_ view: Content, _ auth: AuthService) async -> Any {
        let host = ViewHost(view, auth: auth)
        host.tap("Sign in with Google")
        await host.waitUntilIdle()
        return (view, host)
    }

    private static let swiftUI = [
        signedIn(SignInButton<EmptyView>.self) { await tapped(SignInButton(.google), $0) },
        signedIn(SignInPicker<EmptyView>.self) { await tapped(SignInPicker(), $0) },
        signedIn(AuthGate<Text, EmptyView, EmptyView>.self) { auth in
            let gate = AuthGate {
                Text(verbatim: $0.id)
            } signedOut: {
                EmptyView()
            }
            let host = ViewHost(gate, auth: auth)
            _ = try await auth.signIn(with: .google).value
            await host.wait { $0.texts == [SecretSample.user.id] }
            return (gate, host)
        },
    ]

    private static let uiKit = [
        signedIn(SignInButtonView.self) { auth in
            let button = SignInButtonView(.google, auth: auth) { _ in }
            button.tap()
            try await button.waitUntilIdle()
            return button
        },
        signedIn(SignInPickerView.self) { auth in
            let picker = SignInPickerView(auth: auth) { _ in }
            picker.buttons[0].tap()
            try await picker.buttons[0].waitUntilIdle()
            return picker
        },
    ]
}
