import AuthStreams
import AuthStreamsApple
import SwiftUI

struct ContentView: View {
    var body: some View {
        AuthGate { user in
            Text("Hello, \(user.displayName ?? user.id)")
        } signedOut: {
            SignInPicker()
                .padding()
        }
    }
}
