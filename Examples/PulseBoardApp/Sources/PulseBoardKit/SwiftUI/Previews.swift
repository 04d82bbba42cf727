import AuthStreams
import SwiftUI

/// The screens in Xcode's canvas, without a network.
struct BoardPreviews: PreviewProvider {
    static var previews: some View {
        BoardView(board: Board(.preview(.restoring))).previewDisplayName("Launch")
        BoardView(board: Board(.preview(.waitingForPerson))).previewDisplayName("Locked")
        BoardView(board: Board(.preview(lastSignIn: SignInMethod(.kakao)))).previewDisplayName("Log in")
        BoardView(board: Board(.preview(failing: .network))).previewDisplayName("Log in, offline")
        BoardView(board: Board(.preview(.expired))).previewDisplayName("Log in, expired")
        BoardView(board: Board(.preview(.signedIn))).previewDisplayName("Home")
        BoardView(board: Board(.preview(.offline, failing: .network))).previewDisplayName("Home, offline")
    }
}
