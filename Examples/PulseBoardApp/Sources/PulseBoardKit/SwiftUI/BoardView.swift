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
            UnlockView(model: board.model)
        }
        .overlay {
            // The content stays below.
            if board.model.user != nil, board.model.gateState != .open {
                UnlockView(model: board.model)
                    .frame(maxWidth: .infinity, maxHeight: .infinity)
                    .background(.regularMaterial, in: Rectangle())
            }
        }
        .onAuthError(of: board.model) { message = $0 }
        .overlay(alignment: .bottom) {
            if let message {
                MessageView(message: message) { self.message = nil }
            }
        }
        .authPrompts()
        .authService(board.auth)
    }
}

/// What is seen until the person may see more: while storage is read, and while the gate is closed.
struct UnlockView: View {
    let model: AuthViewModel

    var body: some View {
        if model.gateState == .closed {
            VStack(spacing: 16) {
                Button("Unlock") { model.openGate() }
                Button("Sign out") { model.signOut() }
            }
        } else {
            ProgressView()
        }
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
