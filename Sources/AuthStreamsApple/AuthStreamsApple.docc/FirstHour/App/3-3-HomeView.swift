import AuthStreams
import AuthStreamsApple
import SwiftUI

struct HomeView: View {
    @Environment(\.auth) private var auth
    let user: AuthUser

    var body: some View {
        VStack {
            Text(user.displayName ?? user.id).font(.title)
            if let email = user.email { Text(email) }
            Button("Sign out") {
                Task { try? await auth.signOut() }
            }
        }
        .padding()
    }
}
