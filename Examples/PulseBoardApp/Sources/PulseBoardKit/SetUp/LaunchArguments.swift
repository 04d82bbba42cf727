import Foundation

/// The launch arguments of the app, as a scheme in Xcode passes them.
struct LaunchArguments: Equatable {
    /// The URL of the emulator that takes the place of all servers.
    private(set) var emulator: URL?

    /// Whether the screens are those of UIKit.
    static func choosesUIKit(_ arguments: [String]) -> Bool { arguments.contains("--uikit") }

    /// Reads the arguments. Those with one dash are the system's, such as `-AppleLanguages`.
    init(_ arguments: [String]) throws(SetUpProblem) {
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            switch argument {
            case "--uikit": break
            case "--emulator": emulator = try Self.emulator(rest.popFirst())
            case _ where argument.hasPrefix("--"):
                throw SetUpProblem("The app has no launch argument \(argument). It has --uikit and --emulator URL.")
            default: break
            }
        }
    }

    private static func emulator(_ text: String?) throws(SetUpProblem) -> URL {
        guard let text, !text.hasPrefix("-") else {
            throw SetUpProblem("--emulator lacks the URL that `swift run emulator` prints, such as \(example).")
        }
        guard let url = URL(string: text), url.scheme == "http", url.port != nil, let host = url.host(),
            ["", "/"].contains(url.path()), url.query() == nil, url.fragment() == nil
        else {
            throw SetUpProblem(
                "--emulator has '\(text)', which is no URL of an emulator. Give it the one that `swift run emulator` prints, such as \(example)."
            )
        }
        guard host == "127.0.0.1" else {
            throw SetUpProblem(
                "--emulator has '\(text)', and an emulator serves 127.0.0.1 alone. Run the app in the simulator, on the Mac where the emulator runs, and give it a URL such as \(example)."
            )
        }
        return url
    }

    private static let example = "http://127.0.0.1:9099"
}
