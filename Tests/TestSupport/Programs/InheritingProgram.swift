#if os(Linux)
    import Foundation
    import Glibc

    /// A program that inherits every file descriptor that is not close-on-exec, and runs until the value is destroyed.
    ///
    /// Foundation's `Process` closes the descriptors that it does not hand over.
    package struct InheritingProgram: ~Copyable {
        private let id: pid_t
        /// The other end of the program's input, which ends with this process too.
        private let input: Int32

        /// - Throws: `POSIXError` if the program cannot be started.
        package init() throws {
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
                throw POSIXError(.init(rawValue: errno) ?? .EMFILE)
            }
            defer { close(ends[1]) }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
            for stream: Int32 in 1...2 { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) }
            var arguments = [strdup("cat"), nil]
            defer { free(arguments[0]) }
            var id = pid_t()
            let status = posix_spawn(&id, "/bin/cat", &actions, nil, &arguments, environ)
            guard status == 0 else {
                close(ends[0])
                throw POSIXError(.init(rawValue: status) ?? .ENOEXEC)
            }
            (self.id, input) = (id, ends[0])
        }

        deinit {
            close(input)
            waitpid(id, nil, 0)
        }

        /// What the program has open: paths, and texts such as `socket:[8]`.
        package var files: [String] {
            get throws {
                let descriptors = "/proc/\(id)/fd"
                return try FileManager.default.contentsOfDirectory(atPath: descriptors).compactMap {
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
                }
            }
        }
    }
#endif
