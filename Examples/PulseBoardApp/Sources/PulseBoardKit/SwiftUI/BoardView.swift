import AuthStreams
import AuthStreamsApple
import SwiftUI

/// The screens by who is signed in, and the messages above all of them.
struct BoardView: View {
    let board: Board
    @State private var message: AuthMessage?

    var body: some View {
        AuthGate { user in
            HomeView(user: user, model: board.model)
        } signedOut: {
            LoginView(model: board.model)
        } restoring: {
            ProgressView()
        }
        .onAuthError(of: board.model) { message = $0 }
        .overlay(alignment: .bottom) {
            if let message {
                MessageView(message: message) { self.message = nil }
            }
        }
        .authService(board.auth)
    }
}

/// A message that stays until the person has read it, or another one comes.
struct MessageView: View {
    let message: AuthMessage
    let close: @MainActor () -> Void

    var body: some View {
        VStack(spacing: 8) {
            Text(message.text).font(.headline)
            if let suggestion = message.suggestion { Text(suggestion) }
            Button("OK") { close() }
        }
        .padding()
        .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 12))
        .padding()
    }
}
