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
    /// | platform | where events go | an event with an error |
    /// | --- | --- | --- |
    /// | Apple | the system's log (`os.Logger`) | is logged as `error`, any other as `info` |
    /// | elsewhere | the standard error stream, one line each in one piece: subsystem, level, event. A stream that is closed or broken is let be | says `error` in its line, any other `info` |
    ///
    /// What a person or a newer attempt ended is no error. Nothing is redacted, because nothing in an event is private.
    ///
    /// - Parameters:
    ///   - subsystem: Whose events these are.
    ///   - category: A part of the subsystem, for the system's log alone.
    public static func log(subsystem: String, category: String = "events") -> Self {
        #if AUTH_DARWIN
            let logger = Logger(subsystem: subsystem, category: category)
            return Self { event in
                logger.log(level: event.isTrouble ? .error : .info, "\(event.description, privacy: .public)")
            }
        #else
            return lines(to: .standardError, of: subsystem)
        #endif
    }

    #if !AUTH_DARWIN
        /// One line for each event, each written in one piece, so that those of several writers do not mix.
        static func lines(to file: FileHandle, of subsystem: String = "AuthStreams") -> Self {
            Self { event in
                let line = Data("\(subsystem) \(event.isTrouble ? "error" : "info") \(event)\n".utf8)
                // A log that cannot be written is no reason to stop anything.
                withoutBrokenPipeSignal { try? file.write(contentsOf: line) }
            }
        }
    #endif
}

extension AuthEvent {
    /// Whether somebody may have to look at it.
    var isTrouble: Bool {
        switch error {
        case nil, .cancelled, .superseded: kind == .eventsMissed || kind == .recordSetAside
        default: true
        }
    }
}
