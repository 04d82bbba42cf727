import AuthStreams
import AuthStreamsApple
import Foundation
import SwiftUI

struct HomeView: View {
    let user: AuthUser
    let model: AuthViewModel
    /// The link that the person followed, until this screen has opened it.
    @Binding var link: URL?
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
        .task(id: link) {
            guard let link else { return }
            page = Link(link)
            self.link = nil
        }
    }
}
