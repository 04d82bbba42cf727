#if os(Linux)
    import Foundation

    /// A program, and every process that it starts.
    struct ProcessGroup: Sendable {
        private let id: pid_t

        /// Starts a program. `Process` passes on the standard streams alone.
        ///
        /// - Parameter socket: What the program finds as its descriptors 3 and 4.
        init(_ program: String, _ arguments: [String], environment: [String: String], socket: Int32) throws {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            for stream: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) }
            posix_spawn_file_actions_adddup2(&actions, socket, 3)
            posix_spawn_file_actions_adddup2(&actions, socket, 4)

            // The threads that run tests block signals, and a program inherits that.
            var noSignals = sigset_t()
            sigemptyset(&noSignals)
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
            posix_spawnattr_setsigmask(&attributes, &noSignals)

            let texts = ([program] + arguments).map { strdup($0) } + [nil]
            let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
            defer { for text in texts + variables { free(text) } }
            var id: pid_t = 0
            let status = posix_spawn(&id, program, &actions, &attributes, texts, variables)
            guard status == 0 else { throw POSIXError(.init(rawValue: status) ?? .ENOEXEC) }
            self.id = id
        }

        /// The command line of each process. One that has ended has none.
        var commandLines: [String] {
            let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return processes.compactMap { pid_t($0) }.filter { getpgid($0) == id }.compactMap { process in
                let bytes = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))) ?? Data()
                return bytes.isEmpty
                    ? nil
                    : bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
                        .joined(separator: " ")
            }
        }

        /// Ends every process.
        func kill() { Foundation.kill(-id, SIGKILL) }

        /// Blocks the thread until every process has ended.
        func waitForEnd() {
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            while !commandLines.isEmpty { usleep(2000) }
        }
    }
#endif
