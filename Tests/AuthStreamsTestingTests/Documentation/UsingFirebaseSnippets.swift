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
