import AuthStreams
import AuthStreamsApple
import SwiftUI

struct HomeView: View {
    let user: AuthUser

    var body: some View {
        VStack {
            Text(user.displayName ?? user.id).font(.title)
            if let email = user.email { Text(email) }
        }
        .padding()
    }
}
