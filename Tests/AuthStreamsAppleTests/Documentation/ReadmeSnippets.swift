import AuthStreams
import AuthStreamsApple
import SwiftUI

// What the README shows is between the marks; `auth` is that of the article 'Compose a service'.

// README: screen
struct LoginScreen: View {
    @State private var message = ""

    var body: some View {
        VStack {
            SignInPicker().onAuthError { message = $0.text }
            Text(message)
        }
    }
}
// README end

@MainActor
private func root() -> some View {
    // README: root
    AuthGate { user in
        Text("Hello, \(user.displayName ?? user.id)")
    } signedOut: {
        LoginScreen()
    } restoring: {
        ProgressView()
    }
    .authService(auth)
    // README end
}

// The README lines its comments up.
// swift-format-ignore
@MainActor
private func follow(_ show: (AuthState) -> Void) async throws {
    // README: states
    for await state in auth.states { show(state) }             // each reader sees every change
    let user = try await auth.signIn(with: .kakao).value.user  // a button of your own
    // README end
    _ = user
}
