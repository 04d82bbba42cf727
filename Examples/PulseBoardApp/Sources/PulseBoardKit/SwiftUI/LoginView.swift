import AuthStreams
import AuthStreamsApple
import SwiftUI

struct LoginView: View {
    let model: AuthViewModel
    @Environment(\.pendingLink) private var pendingLink

    var body: some View {
        ScrollView {
            VStack(spacing: 16) {
                Text("PulseBoard").font(.title)
                if let notice = LoginContent(model.state).notice { Text(notice) }
                if pendingLink != nil { Text("Log in to open the link.") }
                // The logos are in the vendors' brand guides: SignInPicker { Image("logo-\($0)").resizable() }
                SignInPicker()
            }
            .padding()
        }
    }
}
