#if os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation

    /// Runs when the test process is loaded, before Swift Testing starts.
    ///
    /// On Apple platforms a host process loads the tests after it has read its arguments, so there is no watchdog there.
    @section(".init_array") @used
    private let launch: @convention(c) () -> Void = {
        LoopbackProxy.exemptThisMachine()
        Watchdog.launch()
    }

    extension Watchdog {
        /// The environment variable with both ends of the pipe from which the process reads its own event stream.
        private static let pipe = "AUTHSTREAMS_TEST_EVENTS"

        fileprivate static func launch() {
            let environment = ProcessInfo.processInfo.environment
            if let ends = environment[pipe]?.split(separator: " ").compactMap({ Int32($0) }), ends.count == 2 {
                unsetenv(pipe)
                // Processes that tests start do not inherit them.
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                Thread.detachNewThread { watch(ends[0]) }
            } else if CommandLine.arguments.contains("swift-testing"),
                !CommandLine.arguments.contains(where: { $0.hasPrefix("--event-stream-output-path") })
            {
                restartWithEventStream()
            }
        }

        /// Restarts the process with one more argument, because only an argument starts an event stream.
        private static func restartWithEventStream() {
            var ends: [Int32] = [0, 0]
            guard Foundation.pipe(&ends) == 0 else { fatalError("The tests cannot be watched: no pipe") }
            setenv(pipe, "\(ends[0]) \(ends[1])", 1)
            let arguments = CommandLine.arguments + ["--event-stream-output-path", "/dev/fd/\(ends[1])"]
            let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            execv(executable.path(percentEncoded: false), arguments.map { strdup($0) } + [nil])
            fatalError("The tests cannot be watched: \(String(cString: strerror(errno)))")
        }

        /// That of this process, and of the processes that it started, waited for, and that have ended.
        private static var usedProcessorTime: Duration {
            var usage = rusage()
            #if canImport(Glibc)
                getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
            #else
                getrusage(RUSAGE_CHILDREN, &usage)
            #endif
            return [usage.ru_utime, usage.ru_stime].reduce(ProcessorTime.ofProcess) {
                $0 + .seconds($1.tv_sec) + .microseconds($1.tv_usec)
            }
        }

        private static func watch(_ events: Int32) {
            var watchdog = Watchdog()
            var costs = ProcessInfo.processInfo.environment[SuiteCosts.variable].map { _ in
                SuiteCosts(processorTime: usedProcessorTime)
            }
            var unread = Data()
            var descriptor = pollfd(fd: events, events: Int16(POLLIN), revents: 0)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                if poll(&descriptor, 1, 1000) > 0 {
                    let count = Foundation.read(events, &buffer, buffer.count)
                    guard count > 0 else { return }
                    unread.append(contentsOf: buffer[..<count])
                }
                var lines = unread.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                unread = lines.removeLast()
                for line in lines where costs != nil {
                    guard let report = costs?.record(line, processorTime: usedProcessorTime) else { continue }
                    FileHandle.standardError.write(Data(report.utf8))
                }
                let (admitted, waits) = (LimitedParallelization.admittedTests, PendingWait.all)
                guard let report = watchdog.read(lines, admitted: admitted, waits: waits) else { continue }
                FileHandle.standardError.write(Data(report.utf8))
                abort()
            }
        }
    }
#endif
