import AuthStreams
import SwiftUI

// What the article 'Sign people in' shows of a view is between the marks.

private struct NameView: View {
    let auth: AuthService
    @State private var name = ""

    var body: some View {
        // SigningIn: observed
        Text(name).task {
            for await user in auth.states.users { name = user?.displayName ?? "" }
        }
        // SigningIn end
    }
}
