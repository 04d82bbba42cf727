#if os(macOS) || os(Linux)
    import AuthStreams
    import Foundation
    import TestSupport
    import Testing

    /// A process that has a session of its own on a common store, and does what it is told.
    final class ObedientProcess: Sendable {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        private let ended = Promise<Void>()
        private let words = Lock(Words())
        private let wasKilled = Lock(false)

        private struct Words {
            var unfinished = ""
            var lines: [String] = []
            var reader: Promise<String>?
        }

        /// Starts it, and returns when it is ready.
        ///
        /// - Parameter action: What it is to do, as arguments of `CrashApp`.
        init(at emulator: URL, store: URL, log: URL, doing action: String...) async throws {
            process.executableURL = try BuiltProgram.executable("CrashApp")
            process.arguments =
                [emulator.absoluteString, store.path(), log.path()] + (action.isEmpty ? ["obey"] : action)
            (process.standardInput, process.standardOutput) = (input, output)
            process.terminationHandler = { [ended] _ in ended.resolve(()) }
            try process.run()
            // A thread, not a handler of the file: Dispatch may watch on after the file was closed, and is then deaf for
            // the process that gets its number.
            Thread.detachNewThread { [words, file = output.fileHandleForReading] in
                while case let data = file.availableData, !data.isEmpty { Self.take(data, words) }
            }
            try await hear("here")
        }

        deinit {
            if process.isRunning { kill() }
        }

        /// Has it done what a word means, and waits until it is.
        func obey(_ command: String) async throws {
            try begin(command)
            try await hear(command)
        }

        func begin(_ command: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
        }

        /// Waits for the answer to a command.
        func hear(_ answer: String) async throws {
            #expect(try await hear() == answer)
        }

        /// Waits for the next line that it says.
        func hear() async throws -> String {
            let next: Promise<String> = words.withLock { words in
                let next = Promise<String>()
                if words.lines.isEmpty { words.reader = next } else { next.resolve(words.lines.removeFirst()) }
                return next
            }
            return try #require(await next.value())
        }

        var identifier: Int32 { process.processIdentifier }
        func kill() {
            wasKilled.withLock { $0 = true }
            Foundation.kill(process.processIdentifier, SIGKILL)
        }

        /// Lets it go, and waits for its end.
        func end() async throws {
            // Writing to who is gone would end this process, too.
            if !wasKilled.withLock({ $0 }) { try begin("end") }
            try input.fileHandleForWriting.close()
            _ = await ended.value()
        }

        private static func take(_ data: Data, _ words: Lock<Words>) {
            words.withLock { words in
                words.unfinished += String(decoding: data, as: UTF8.self)
                while let end = words.unfinished.firstIndex(of: "\n") {
                    words.lines.append(String(words.unfinished[..<end]))
                    words.unfinished.removeSubrange(...end)
                }
                if !words.lines.isEmpty, let reader = words.reader.take() { reader.resolve(words.lines.removeFirst()) }
            }
        }
    }
#endif
