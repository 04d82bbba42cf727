import AuthStreams
import AuthStreamsApple
import AuthStreamsOAuth
import Foundation
import SwiftUI
import UIKit

// What the article 'On a phone' shows is between the marks.

@MainActor
private func makeService(repository: any AuthRepository, store: any SessionStore) -> AuthService {
    // OnAPhone: setup
    let (callbacks, transport) = (CallbackRouter(), URLSessionTransport())
    let (browser, opener) = (WebAuthenticationAgent(), SystemApplicationOpener())
    let google = GoogleProvider(
        clientID: "1234-abc.apps.googleusercontent.com", redirect: .reversedClientID, userAgent: browser,
        transport: transport)
    let kakao = KakaoProvider(
        .init(nativeAppKey: "0123abcd"), callbacks: callbacks, opener: opener, userAgent: browser, transport: transport)
    let naver = NaverProvider(
        .init(clientID: "naverClient", urlScheme: "pulseboard", appName: "PulseBoard"), callbacks: callbacks,
        opener: opener, userAgent: browser)
    let auth = AuthService(
        repository: repository, providers: [google, kakao, naver], store: store, callbacks: callbacks)
    // OnAPhone end
    return auth
}

/// The app's own navigation.
@MainActor
private final class Router {
    func open(_ url: URL) {}
    func resume(_ userActivity: NSUserActivity) {}
}

private struct ContentView: View {
    var body: some View { EmptyView() }
}

private struct RootView: View {
    let auth: AuthService
    let router: Router

    var body: some View {
        // OnAPhone: swiftui
        ContentView().handlesCallbacks(of: auth) { url in router.open(url) }
        // OnAPhone end
    }
}

@MainActor
private final class SceneDelegate: NSObject, UIWindowSceneDelegate {
    let auth: AuthService
    let router: Router

    init(_ auth: AuthService, _ router: Router) {
        (self.auth, self.router) = (auth, router)
        super.init()
    }

    // OnAPhone: delegate
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        for context in auth.handle(contexts) { router.open(context.url) }
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        if !auth.handle(userActivity) { router.resume(userActivity) }
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        let own = auth.handle(connectionOptions)
        for context in own.urlContexts { router.open(context.url) }
        for activity in own.userActivities { router.resume(activity) }
    }
    // OnAPhone end
}

@MainActor
private func signIn(_ auth: AuthService, in window: UIWindow) async -> Result<SignInResult, AuthError> {
    // OnAPhone: window
    let result = await auth.signIn(with: .google, AuthRequest(presentation: .in(window))).result
    // OnAPhone end
    return result
}
