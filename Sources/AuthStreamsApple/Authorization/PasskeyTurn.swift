#if AUTH_AUTHENTICATION_SERVICES
    import AuthStreams

    /// The request for a passkey that is under way. The system takes one of an app at a time, and ends a second one with an error;
    /// its sheet of Sign in with Apple is not one of them.
    ///
    /// A sheet replaces the suggestions of AutoFill. Every other request waits until the one before has ended.
    @MainActor
    final class PasskeyTurn {
        private static var current: PasskeyTurn?
        /// How many requests wait for their turn.
        private(set) static var waiting = 0

        /// Whether the system has answered, or does not answer to a cancel.
        private let hasEnded: Promise<Void>
        /// Ends suggestions of AutoFill; `nil` for a sheet, and when the attempt is over.
        private var endSuggestions: (@MainActor () -> Void)?

        /// Takes the turn for a sheet that is about to be presented.
        init(of sheet: AuthorizationSheet, endSuggestions: (@MainActor () -> Void)?) {
            hasEnded = sheet.hasEnded
            self.endSuggestions = endSuggestions
            Self.current = self
        }

        /// Whether the system has not answered the last request yet.
        private static var isTaken: Bool { current.map { $0.hasEnded.current == nil } ?? false }

        /// Ends the suggestions of AutoFill, and waits until the system has answered the last request.
        ///
        /// - Parameter isSuggestion: Whether the request that waits is one of AutoFill, which ends no other.
        /// - Throws: `cancelled` if the task is cancelled.
        static func wait(isSuggestion: Bool = false) async throws(AuthError) {
            waiting += 1
            defer { waiting -= 1 }
            while let turn = current, isTaken {
                if !isSuggestion { turn.endSuggestions?() }
                guard await turn.hasEnded.value() != nil else {
                    throw AuthError(.cancelled, "The task was cancelled while another sheet was shown.")
                }
            }
        }

        /// Lets the next request begin when the system has answered, or does not answer in time.
        func attemptEnded(_ clock: AuthClock) {
            endSuggestions = nil
            guard hasEnded.current == nil else { return }
            // No child task: it ends after the attempt.
            _ = TaskSpawner.start { [hasEnded] in
                try? await clock.sleep(for: .seconds(1))
                hasEnded.resolve(())
            }
        }
    }
#endif
