import AuthStreams
import AuthStreamsApple
import SwiftUI

struct SignInView: View {
    @Environment(\.auth) private var auth
    @State private var isExpired = false

    var body: some View {
        VStack {
            if isExpired { Text("Sign in again to continue.") }
            SignInPicker()
        }
        .padding()
        .task {
            for await state in auth.states {
                isExpired = state == .signedOut(.expired)
            }
        }
    }
}
