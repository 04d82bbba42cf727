import AuthStreams
import AuthStreamsApple
import SwiftUI

struct SignInView: View {
    @Environment(\.auth) private var auth
    @State private var isExpired = false
    @State private var message = ""

    var body: some View {
        VStack {
            if isExpired { Text("Sign in again to continue.") }
            SignInPicker()
                .onAuthError { message = $0.text }
            Text(message)
        }
        .padding()
        .task {
            for await state in auth.states {
                isExpired = state == .signedOut(.expired)
            }
        }
    }
}
