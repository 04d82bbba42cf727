#if AUTH_DARWIN
    import os

    extension AuthEventSink {
        /// The system's log, subsystem `AuthStreams`, category `events`.
        ///
        /// Events with an error are logged as such, except where a person or a newer attempt ended the old one; all others
        /// as `info`. Nothing is redacted, because nothing in an event is private.
        public static var log: Self { log(subsystem: "AuthStreams") }

        /// The same under a subsystem of your own, such as the app's bundle identifier.
        public static func log(subsystem: String, category: String = "events") -> Self {
            let logger = Logger(subsystem: subsystem, category: category)
            return Self { event in
                logger.log(level: event.isTrouble ? .error : .info, "\(event.description, privacy: .public)")
            }
        }
    }
#else
    import Foundation

    extension AuthEventSink {
        /// The standard error stream: one line for each event, written in one piece.
        public static var log: Self { lines(to: .standardError) }

        /// One line for each event, each written in one piece, so that those of several writers do not mix.
        static func lines(to file: FileHandle) -> Self {
            Self { event in
                // A log that cannot be written is no reason to stop anything.
                try? file.write(contentsOf: Data(event.logLine.utf8))
            }
        }
    }
#endif

extension AuthEvent {
    /// Whether somebody may have to look at it.
    var isTrouble: Bool {
        switch error {
        case nil, .cancelled, .superseded: kind == .eventsMissed || kind == .recordSetAside
        default: true
        }
    }

    /// The line for a stream that other programs write to as well.
    var logLine: String { "AuthStreams \(isTrouble ? "error" : "info") \(self)\n" }
}
