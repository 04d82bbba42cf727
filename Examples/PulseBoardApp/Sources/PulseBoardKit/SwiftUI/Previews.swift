import AuthStreams
import AuthStreamsApple
import Foundation
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

/// The sheets of one more step, each in both languages.
struct PromptPreviews: PreviewProvider {
    static let kinds: [Challenge.Kind] = [
        .code, .factors, .form, .link, .address, .enrollment, .userCode, .page,
    ]

    static var previews: some View {
        ForEach(["en", "ko"], id: \.self) { language in
            ForEach(kinds, id: \.self) { kind in
                BoardView(board: Board(.preview(.asking(kind))))
                    .environment(\.locale, Locale(identifier: language))
                    .previewDisplayName("\(kind.rawValue), \(language)")
            }
            BoardView(board: Board(.preview(.asking(.code), failing: .codeMismatch)))
                .environment(\.locale, Locale(identifier: language))
                .previewDisplayName("wrong code, \(language)")
        }
    }
}
