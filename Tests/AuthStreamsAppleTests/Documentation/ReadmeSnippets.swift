import AuthStreams
import AuthStreamsApple
import SwiftUI

// What the README shows is between the marks; `auth` is that of the article 'Compose a service'.

// README: screen
struct Screen: View {
    @State private var state = auth.state

    var body: some View {
        VStack {
            switch state {
            case .restoring, .signingIn: ProgressView()
            case .signedOut: Button("Kakao") { Task { await auth.signIn(with: .kakao).result } }
            case .signedIn(let user, _): Text("Hello, \(user.displayName ?? user.id)")
            }
        }
        .task { for await now in auth.states { state = now } }
        .authCallbacks(auth)
    }
}
// README end
