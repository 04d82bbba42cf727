// What the article 'iOS in ten minutes' shows is between the marks; `auth` is that of the article 'Compose a service'.

// IOSInTenMinutes: view
import AuthStreams
import AuthStreamsApple
import SwiftUI

struct SignInView: View {
    @State private var state = auth.state
    @State private var message = ""

    var body: some View {
        VStack {
            switch state {
            case .restoring, .signingIn: ProgressView()
            case .signedOut:
                ForEach(auth.providers, id: \.self) { id in
                    Button(id.rawValue) { Task { await signIn(with: id) } }
                }
            case .signedIn(let user, _): Text("Hello, \(user.displayName ?? user.id)")
            }
            Text(message)
        }
        .task { for await now in auth.states { state = now } }
        .authCallbacks(auth)
    }

    private func signIn(with id: ProviderID) async {
        let result = await auth.signIn(with: id).result
        if case .failure(let error) = result { message = error.errorDescription ?? "" } else { message = "" }
    }
}
// IOSInTenMinutes end
