import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import Foundation

// What the article 'Sign in with Firebase' shows is between the marks, in functions that supply what it leaves out.

private func theFileOfTheConsole(platform: AuthPlatform) -> AuthService {
    // UsingFirebase: the file of the console
    let auth = AuthService(
        .firebase(functionsIn: .seoul), providers: [.google(), .kakao(nativeAppKey: "0123abcd")], platform: platform)
    // UsingFirebase end
    return auth
}

private func anotherFile() -> (AuthRepositoryFactory, AuthProviderFactory) {
    // UsingFirebase: another file
    let file = Bundle.main.url(forResource: "GoogleService-Info-Dev", withExtension: "plist")
    let server = AuthRepositoryFactory.firebase(plist: file, functionsIn: .seoul)
    let google = AuthProviderFactory.google(plist: file)
    // UsingFirebase end
    return (server, google)
}

private func restricted(appCheck: @escaping @Sendable () async throws -> String) -> FirebaseProject {
    // UsingFirebase: a restricted project
    let project = FirebaseProject(
        id: "my-app", apiKey: "AIza…", bundleID: "com.example.app",
        appCheckToken: { Secret(try await appCheck()) })
    // UsingFirebase end
    return project
}

private func passwordAndMailLink(
    _ continueURL: URL, _ linkURL: URL, _ email: String, _ password: String, platform: AuthPlatform
) async throws -> [AuthUser] {
    // UsingFirebase: password and mail link
    let auth = AuthService(
        .firebase(functionsIn: .seoul),
        providers: [.password, .emailLink(continueURL: continueURL, linkURL: linkURL), .google()], platform: platform)
    let newUser = try await auth.signUp(credential: .password(email: email, password)).value.user
    let user = try await auth.signIn(with: .emailLink, AuthRequest(loginHint: email)).value.user
    // UsingFirebase end
    return [newUser, user]
}

private protocol Screen {
    func code(after failure: AuthError?) async -> String
    func firstCode(ofAppWith url: Secret) async -> String
}

private func authenticatorApp(_ auth: AuthService, _ screen: any Screen) async {
    // UsingFirebase: authenticator app
    for await prompt in auth.prompts.presenting() {
        if let code = prompt?.code {
            code.submit(await screen.code(after: prompt?.failure))
        } else if let app = prompt?.enrollment {
            app.confirm(await screen.firstCode(ofAppWith: app.url))
        } else {
            prompt?.cancel()
        }
    }
    // UsingFirebase end
}
