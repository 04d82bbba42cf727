import AuthStreams
import AuthStreamsApple
import SwiftUI

struct ContentView: View {
    var body: some View {
        AuthGate { user in
            HomeView(user: user)
        } signedOut: {
            SignInView()
        } restoring: {
            ProgressView()
        }
    }
}
