import AuthStreams
import AuthStreamsApple
import AuthStreamsOAuth
import Foundation
import SwiftUI

// What the article 'A gate before tokens' shows of an app is between the marks.

@MainActor
private func deviceOwner(_ api: URL, _ key: String) -> AuthService {
    // AGateBeforeTokens: device owner
    let auth = AuthService(
        .server(api), providers: [.apple, .kakao(nativeAppKey: key)], platform: .app,
        gate: .deviceOwner("Unlock your notes.", after: .seconds(300)))
    // AGateBeforeTokens end
    return auth
}

private struct HomeView: View {
    let user: AuthUser
    var body: some View { Text(user.id) }
}

private struct LockScreen: View {
    let model: AuthViewModel
    var body: some View { Button("Unlock") { model.openGate() } }
}

@MainActor
private func root(_ model: AuthViewModel) -> some View {
    // AGateBeforeTokens: launch screen
    AuthGate { user in
        HomeView(user: user)
    } signedOut: {
        SignInPicker()
    } restoring: {
        if model.gateState == .closed {
            Button("Unlock") { model.openGate() }
            Button("Sign out") { model.signOut() }
        }
    }
    .overlay {
        if model.user != nil, model.gateState != .open { LockScreen(model: model) }
    }
    // AGateBeforeTokens end
}
