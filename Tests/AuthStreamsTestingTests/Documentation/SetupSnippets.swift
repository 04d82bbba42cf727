// Composition: setup
import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import Foundation

@MainActor
func makeAuth(relay: URL, callback: URL) -> AuthService {
    let callbacks = CallbackRouter()
    let opener = SystemBrowserLauncher()  // in an iOS app: SystemApplicationOpener()
    let browser = SystemBrowser(opener: opener, callbacks: callbacks)  // … WebAuthenticationAgent()
    let transport = URLSessionTransport()
    return AuthService(
        repository: FirebaseRepository(
            project: FirebaseProject(id: "my-app", apiKey: "AIza…"),
            routes: .standard(functionsIn: .seoul),
            transport: transport),
        providers: [
            AppleWebProvider(
                servicesID: "com.example.web", relayURL: relay, callback: callback,
                userAgent: browser, transport: transport),
            GoogleProvider(
                clientID: "1234-abc.apps.googleusercontent.com", redirect: .reversedClientID,  // type iOS
                userAgent: browser, transport: transport),
            KakaoProvider(
                .init(nativeAppKey: "…"),
                callbacks: callbacks, opener: opener, userAgent: browser, transport: transport),
            NaverProvider(
                .init(clientID: "…", urlScheme: "myapp", appName: "My App"),
                callbacks: callbacks, opener: opener, userAgent: browser),
        ],
        store: FileSessionStore.standard(application: "com.example.app"),  // … KeychainSessionStore(service: …)
        callbacks: callbacks)
}
// Composition end
