#if AUTH_DARWIN
    import os
#else
    import Foundation
#endif

extension AuthEventSink {
    /// The platform's log, as ``log(subsystem:category:)`` of the subsystem `AuthStreams`.
    public static var log: Self { log(subsystem: "AuthStreams") }

    /// The platform's log under a subsystem of your own, such as the app's bundle identifier.
    ///
    /// | platform | where events go | the level of an event |
    /// | --- | --- | --- |
    /// | Apple | the system's log (`os.Logger`) | the log's `info`, `default` for a warning, `error` |
    /// | elsewhere | the standard error stream, one line each in one piece: subsystem, level, event. A closed or broken stream is ignored | `info`, `warning` or `error` in its line |
    ///
    /// See ``AuthEvent/level-swift.property``. Nothing is redacted: events hold no token, but the
    /// explanation of an error may name a file.
    ///
    /// - Parameters:
    ///   - subsystem: Whose events these are.
    ///   - category: A part of the subsystem, for the system's log alone.
    public static func log(subsystem: String, category: String = "events") -> Self {
        #if AUTH_DARWIN
            let logger = Logger(subsystem: subsystem, category: category)
            return Self { event in
                logger.log(level: event.level.logType, "\(event.description, privacy: .public)")
            }
        #else
            return lines(to: .standardError, of: subsystem)
        #endif
    }

    #if !AUTH_DARWIN
        /// One line for each event, each written in one piece, so that those of several writers do not mix.
        static func lines(to file: FileHandle, of subsystem: String = "AuthStreams") -> Self {
            Self { event in
                let line = Data("\(subsystem) \(event.level.rawValue) \(event)\n".utf8)
                // A log that cannot be written is ignored.
                withoutBrokenPipeSignal { try? file.write(contentsOf: line) }
            }
        }
    #endif
}

#if AUTH_DARWIN
    extension AuthEvent.Level {
        fileprivate var logType: OSLogType {
            switch self {
            case .info: .info
            case .warning: .default
            case .error: .error
            }
        }
    }
#endif
