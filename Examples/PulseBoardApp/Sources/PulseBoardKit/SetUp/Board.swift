import AuthStreams
import AuthStreamsApple

/// What the screens need. There is one for as long as the app runs.
@MainActor
struct Board {
    let auth: AuthService
    let model: AuthViewModel

    init(_ auth: AuthService) {
        self.auth = auth
        model = AuthViewModel(auth)
    }

    /// Makes the board of the app.
    ///
    /// - Parameters:
    ///   - arguments: The launch arguments.
    ///   - configuration: The app's entries in the consoles.
    ///   - platform: The platform unless an emulator is given.
    ///   - emulated: The platform if one is.
    static func make(
        arguments: [String], _ configuration: Configuration = Configuration(),
        on platform: @autoclosure () -> AuthPlatform = .app, emulated: @autoclosure () -> AuthPlatform = .emulated
    ) -> Result<Board, SetUpProblem> {
        Result { () throws(SetUpProblem) in
            if let emulator = try LaunchArguments(arguments).emulator {
                return Board(.emulated(at: emulator, on: emulated()))
            }
            guard configuration.placeholders.isEmpty else { throw .notReplaced(configuration.placeholders) }
            return Board(.pulseBoard(configuration, on: platform()))
        }
    }
}

/// Why the app cannot begin: a mistake of its developer, which the first screen shows.
struct SetUpProblem: Error, Equatable {
    let explanation: String

    init(_ explanation: String) { self.explanation = explanation }

    static func notReplaced(_ placeholders: [String]) -> Self {
        Self(
            """
            Configuration.swift still has \(placeholders.joined(separator: ", ")). Replace them as README.md says, and Kakao's key \
            in Info.plist, too. Or pass --emulator URL, which needs none of them.
            """)
    }
}
