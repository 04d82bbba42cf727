import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that several processes append lines to. A line is in it at once, even if the process dies then.
final class ProcessLog: Sendable {
    private let descriptor: Int32

    init?(at path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    func say(_ words: String) {
        let line = Array("\(getpid()) \(words)\n".utf8)
        _ = write(descriptor, line, line.count)
    }
}
