import AuthStreams
import AuthStreamsApple
import SwiftUI

struct HomeView: View {
    let user: AuthUser
    let model: AuthViewModel
    @State private var page: Link?
    @State private var asksToDelete = false

    var body: some View {
        let content = HomeContent(of: user, model)
        ScrollView {
            VStack(spacing: 16) {
                Text(content.title).font(.title)
                ForEach(content.lines, id: \.self) { Text($0) }
                if content.asksProvider { Button("Cancel") { model.cancel() } }
                if let page {
                    Text(page.title).font(.headline)
                    Button("Close") { self.page = nil }
                }
                ForEach(content.identities, id: \.provider) { identity in
                    Button(identity.title) { identity.toggle(model) }
                }
                Button("Sign out") { model.signOut() }
                Button("Sign out everywhere") { model.signOut(everywhere: true) }
                Button("Delete account", role: .destructive) { asksToDelete = true }
            }
            .padding()
        }
        .confirmationDialog(
            HomeContent.deletionTitle + " " + HomeContent.deletionMessage, isPresented: $asksToDelete,
            titleVisibility: .visible
        ) {
            Button("Delete", role: .destructive) { model.deleteAccount() }
        }
        .onOpenLink { page = Link($0) }
    }
}
