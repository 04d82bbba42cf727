import Foundation
import UIKit

/// The app.
@MainActor
public enum PulseBoardLauncher {
    /// What the screens show: the service of the app, or why there is none.
    static let board = Board.make(arguments: ProcessInfo.processInfo.arguments)

    /// Runs the app: with SwiftUI, or with UIKit if the launch arguments have `--uikit`.
    public static func main() { main(arguments: ProcessInfo.processInfo.arguments) }

    static func main(arguments: [String]) {
        guard LaunchArguments.choosesUIKit(arguments) else { return PulseBoardApp.main() }
        UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(AppDelegate.self))
    }
}
