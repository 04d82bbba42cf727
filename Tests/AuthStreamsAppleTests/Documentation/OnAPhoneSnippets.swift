import AuthStreams
import AuthStreamsApple
import AuthStreamsOAuth
import Foundation
import SwiftUI
import UIKit

// What the article 'On a phone' shows is between the marks; `ContentView` is that of the article 'iOS in ten minutes'.

@MainActor
private func makeService(_ api: URL) -> AuthService {
    // OnAPhone: setup
    let auth = AuthService(
        .server(api),  // such as https://api.example.com/v1
        providers: [
            .apple, .google(clientID: "1234-abc.apps.googleusercontent.com"),  // client of type iOS
            .kakao(nativeAppKey: "0123abcd"),
            .naver(clientID: "naverClient", urlScheme: "pulseboard", appName: "PulseBoard"),
        ],
        platform: .app)
    // OnAPhone end
    return auth
}

/// The app's own navigation.
@MainActor
private final class Router {
    func open(_ url: URL) {}
    func resume(_ userActivity: NSUserActivity) {}
}

private struct LinkedView: View {
    let auth: AuthService
    let router: Router

    var body: some View {
        // OnAPhone: swiftui
        ContentView().authService(auth) { url in router.open(url) }
        // OnAPhone end
    }
}

@MainActor
private final class LinkedSceneDelegate: NSObject, UIWindowSceneDelegate {
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

private struct Phone {
    let auth: AuthService

    // OnAPhone: a token for the watch
    func answer(_ reply: @escaping @Sendable (_ token: String?) -> Void) {
        Task { reply(try? await auth.accessToken().reveal()) }
    }
    // OnAPhone end
}

private func adopt(_ tokenForTheWatch: String, by auth: AuthService) async throws -> AuthUser {
    // OnAPhone: a session for the watch
    let user = try await auth.adopt(refreshToken: Secret(tokenForTheWatch)).value
    // OnAPhone end
    return user
}
