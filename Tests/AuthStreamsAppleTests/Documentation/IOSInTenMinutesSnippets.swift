// What the article 'iOS in ten minutes' shows is between the marks; `auth` is that of the article 'Compose a service'.

// IOSInTenMinutes: view
import AuthStreams
import AuthStreamsApple
import SwiftUI

struct ContentView: View {
    @Environment(\.auth) private var auth

    var body: some View {
        AuthGate { user in
            VStack {
                Text("Hello, \(user.displayName ?? user.id)")
                Button("Sign out") { Task { try? await auth.signOut() } }
            }
        } signedOut: {
            SignInView()
        } restoring: {
            ProgressView()
        }
    }
}

struct SignInView: View {
    @State private var message = ""

    var body: some View {
        VStack {
            SignInPicker().onAuthError { message = $0.text }
            Text(message)
        }
    }
}
// IOSInTenMinutes end

@MainActor
private func root() -> some View {
    // IOSInTenMinutes: root
    ContentView().authService(auth)
    // IOSInTenMinutes end
}

@MainActor
private func logos() -> some View {
    // IOSInTenMinutes: logos
    SignInPicker { provider in Image("logo-\(provider)").resizable() }
    // IOSInTenMinutes end
}
