import AuthStreams
import AuthStreamsApple
import SwiftUI

struct LoginView: View {
    let model: AuthViewModel
    /// Whether a link waits for the log-in.
    let isOpening: Bool

    var body: some View {
        ScrollView {
            VStack(spacing: 16) {
                Text("PulseBoard").font(.title)
                if let notice = LoginContent(model.state).notice { Text(notice) }
                if isOpening { Text("Log in to open the link.") }
                // The logos are in the vendors' brand guides: SignInPicker { Image("logo-\($0)").resizable() }
                SignInPicker()
            }
            .padding()
        }
    }
}
