#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// Real processes that die by SIGKILL at every point of a refresh, against a server whose refresh tokens work once and
    /// whose sessions end when one is used again.
    @Suite(.limitedParallelization) struct KilledProcessTests {
        /// How often a process dies at each point: `AUTH_KILLS`. Each time is a case of its own.
        static let kills =
            1...(ProcessInfo.processInfo.environment["AUTH_KILLS"].flatMap(Int.init) ?? TestVolume.of(1, full: 2))

        @Test(arguments: [nil, Duration.seconds(3600)], kills)
        func aSessionOutlivesEveryDeathButOfTheAnswer(reuseWindow: Duration?, time: Int) async throws {
            var configuration = EmulatorConfiguration()
            configuration.server.refreshReuseWindow = reuseWindow
            try await withEmulator(configuration) { emulator in
                try await withTemporaryFolder { folder in
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    var trial = KillTrial(emulator, in: folder)
                    try await trial.signIn()
                    let points = try await trial.points()
                    expectEveryKind(of: points)
                    try #require(!points.isEmpty)

                    for number in 1...points.count { try await trial.kill(at: number) }
                    try await trial.settle()

                    #expect(trial.deaths == points.count)
                    #expect((trial.interruptions > 0) == (reuseWindow == nil))
                    expectNoTokenIsWasted(trial.diary.lines)
                    // As the server saw it.
                    #expect(emulator.server.refreshes.count == trial.diary.lines.all("sent").count)
                    #expect(emulator.server.refreshes.allSatisfy { $0.use <= 2 })
                }
            }
        }

        /// Each journal write, the request, its answer, every step on the disk, the locks and the hand-out.
        private func expectEveryKind(of points: [String]) {
            let names = [
                "lock.beforeAsking", "file.lockTaken", "record.beforeWrite", "file.temporaryMade", "file.dataWritten",
                "file.fileOrdered", "file.linked", "file.folderFlushed", "file.swept", "record.afterWrite",
                "file.lockReleased",
                "request.beforeSend", "answer.beforeReading", "answer.afterReading", "token.handedOut",
            ]
            #expect(Set(points) == Set(names))
            // The mark before the request, and the new tokens after it.
            #expect(points.count { $0 == "file.linked" } == 2)
            #expect(points.last == "token.handedOut")
        }

        /// A refresh token is sent once, and once more only when the process that sent it died before it had stored the
        /// answer.
        private func expectNoTokenIsWasted(_ lines: [ProcessDiary.Line]) {
            var senders: [String: [Int32]] = [:]
            var isStored: Set<String> = []
            var readBy: [Int32: String] = [:]
            for line in lines {
                if let token = line.after("sent") {
                    #expect(!isStored.contains(token), "sent again after its answer was stored")
                    #expect(!(senders[token] ?? []).contains(line.process), "sent twice by one process")
                    senders[token, default: []].append(line.process)
                    #expect(senders[token, default: []].count <= 2, "sent more than twice")
                } else if let token = line.after("read") {
                    readBy[line.process] = token
                } else if line.after("at") == "file.linked", let token = readBy[line.process] {
                    isStored.insert(token)
                } else if line.after("token") != nil, let token = readBy[line.process] {
                    isStored.insert(token)
                }
            }
        }
    }
#endif
