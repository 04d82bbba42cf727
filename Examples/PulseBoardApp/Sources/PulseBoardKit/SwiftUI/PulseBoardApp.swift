import SwiftUI

/// The app with SwiftUI.
struct PulseBoardApp: App {
    var body: some Scene {
        WindowGroup { RootView(board: PulseBoardLauncher.board) }
    }
}

/// The screens, or what has to be set up before there are any.
struct RootView: View {
    let board: Result<Board, SetUpProblem>

    var body: some View {
        switch board {
        case .success(let board): BoardView(board: board)
        case .failure(let problem): ScrollView { Text(problem.explanation).padding() }
        }
    }
}
