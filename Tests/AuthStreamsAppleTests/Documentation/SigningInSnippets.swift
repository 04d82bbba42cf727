import AuthStreams
import AuthStreamsApple
import Foundation
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

// SigningIn: offline
struct OfflineBanner: View {
    @Environment(\.auth) private var auth
    @State private var since: Date?

    var body: some View {
        Text(since.map { "Offline since \($0.formatted(date: .omitted, time: .shortened))" } ?? "")
            .task {
                for await state in auth.states {
                    since = if case .signedIn(_, .offline(let date)) = state { date } else { nil }
                }
            }
    }
}
// SigningIn end
