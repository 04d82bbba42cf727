#if os(macOS) || os(Linux)
    import AuthStreams
    package import Foundation

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// A pseudo-terminal. Programs write other things to a terminal than to a file.
    package final class Terminal: Sendable {
        package struct NoTerminal: Error {}

        /// The end that a program writes to.
        package let program: FileHandle
        private let received = Lock([UInt8]())
        private let ended = Promise<Void>()

        /// Opens a terminal.
        ///
        /// - Throws: ``NoTerminal`` if the system has none left.
        package init() throws {
            let person = try Self.function("posix_openpt", as: (@convention(c) (Int32) -> Int32).self)(
                O_RDWR | O_NOCTTY)
            let grant = try Self.function("grantpt", as: (@convention(c) (Int32) -> Int32).self)
            let unlock = try Self.function("unlockpt", as: (@convention(c) (Int32) -> Int32).self)
            let name = try Self.function(
                "ptsname_r", as: (@convention(c) (Int32, UnsafeMutablePointer<CChar>, Int) -> Int32).self)
            guard person >= 0 else { throw NoTerminal() }
            var path = [CChar](repeating: 0, count: 256)
            guard grant(person) == 0, unlock(person) == 0, name(person, &path, path.count) == 0,
                fcntl(person, F_SETFD, FD_CLOEXEC) == 0
            else {
                close(person)
                throw NoTerminal()
            }
            let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
            guard descriptor >= 0 else {
                close(person)
                throw NoTerminal()
            }
            program = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            Thread.detachNewThread { [received, ended] in
                var buffer = [UInt8](repeating: 0, count: 4_096)
                // It fails once no process has the other end.
                while case let count = read(person, &buffer, buffer.count), count > 0 {
                    received.withLock { $0 += buffer[..<count] }
                }
                close(person)
                ended.resolve(())
            }
        }

        /// What was written so far. Lines end with a carriage return and a line feed.
        package var text: String { String(decoding: received.withLock { $0 }, as: UTF8.self) }

        /// What was written by the time that the program has ended. No other program can be started at it afterwards.
        package func wholeText() async -> String {
            try? program.close()
            await ended.value()
            return text
        }

        /// A function that no header declares which Swift imports on Linux.
        private static func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
            guard let symbol = dlsym(dlopen(nil, RTLD_NOW), name) else { throw NoTerminal() }
            return unsafeBitCast(symbol, to: type)
        }
    }
#endif
