import AuthStreams
import AuthStreamsApple
import Foundation
import SwiftUI

// What the article 'The session in the keychain' shows of an app is between the marks.

@MainActor
private func shared(_ api: URL) -> AuthService {
    // KeychainSession: shared
    let store = KeychainSessionStore.standard(
        accessGroup: "TEAMID.com.example.shared", appGroup: "group.com.example",
        formerAccessGroup: "TEAMID.com.example.app")  // of versions of the app that named no group
    let auth = AuthService(.server(api), providers: [.apple], platform: .app(store: store))
    // KeychainSession end
    return auth
}

@MainActor
private func inAnExtension(_ api: URL) async throws -> Secret {
    // KeychainSession: extension
    var platform = AuthPlatform.app(
        store: KeychainSessionStore.standard(accessGroup: "TEAMID.com.example.shared", appGroup: "group.com.example"))
    platform.refreshPolicy = .onDemand
    let auth = AuthService(.server(api), providers: [], platform: platform)
    let token = try await auth.accessToken()
    await auth.finish()  // before the process may be suspended
    // KeychainSession end
    return token
}

/// The app's own navigation.
@MainActor
private final class Router {
    func open(_ url: URL) {}
}

@MainActor
private func accounts(_ api: URL, _ names: [String], _ url: URL, _ router: Router) {
    // KeychainSession: accounts
    let accounts = names.map { name in
        AuthService(
            .server(api), providers: [.apple],
            platform: .app(store: KeychainSessionStore(service: "com.example.app.\(name)")))
    }
    // KeychainSession end
    // KeychainSession: urls of accounts
    if !accounts.map({ $0.handle(url) }).contains(true) { router.open(url) }
    // KeychainSession end
}
