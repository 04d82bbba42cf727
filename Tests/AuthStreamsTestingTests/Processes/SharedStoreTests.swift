#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// Several processes with one session on one store.
    @Suite(.limitedParallelization) struct SharedStoreTests {
        @Test(arguments: [2, 8])
        func processesThatNeedATokenAtOnceSendOneRequestPerExpiry(count: Int) async throws {
            try await withProcesses(count) { emulator, processes, diary, _ in
                for round in 1...5 {
                    for process in processes { try await process.obey("expire") }
                    for process in processes { try process.begin("take") }
                    for process in processes { try await process.hear("take") }

                    #expect(emulator.refreshes == round)
                    let lines = diary.lines
                    for process in processes {
                        let own = lines.filter { $0.process == process.identifier }.all("token").suffix(8)
                        #expect(Set(own).count == 1 && own.count == 8)
                        #expect(emulator.server.accepts(accessToken: Secret(own.last ?? "")))
                    }
                }
                #expect(diary.lines.all("error") == [])
                #expect(Set(diary.lines.all("sent")).count == 5)
            }
        }

        @Test func whoWaitsForAProcessThatDiesWithTheLockGoesOn() async throws {
            try await withProcesses(3) { emulator, processes, diary, _ in
                try await processes[0].obey("lock")
                for process in processes.dropFirst() {
                    try await process.obey("expire")
                    try process.begin("queue")
                    try await process.hear("asking")
                }
                #expect(emulator.refreshes == 0)
                processes[0].kill()
                for process in processes.dropFirst() { try await process.hear("queue") }
                #expect(emulator.refreshes == 1)
                #expect(diary.lines.all("error") == [])
            }
        }

        @Test func whatAnotherProcessDoesReachesTheReadersHere() async throws {
            try await withProcesses(1) { emulator, processes, diary, store in
                let auth = await EmulatedDevice(at: emulator.baseURL, backend: .server, store: store).auth
                var states = auth.states.makeAsyncIterator()
                while await states.next()?.user == nil {}
                var events = auth.events.makeAsyncIterator()

                try await processes[0].obey("refresh")
                while let event = await events.next(), event.kind != .sessionChangedElsewhere {}
                let token = try #require(diary.lines.all("token").last)
                #expect(try await auth.accessToken() == Secret(token))
                #expect(emulator.refreshes == 1)

                try await processes[0].obey("leave")
                while let state = await states.next(), state != .signedOut(.elsewhere) {}
                #expect(auth.state == .signedOut(.elsewhere))
            }
        }

        /// Signs in a user, and runs a test with that many processes that have the session.
        private func withProcesses(
            _ count: Int,
            _ body: (Emulator, [ObedientProcess], ProcessDiary, FileSessionStore) async throws -> Void
        ) async throws {
            try await withEmulator { emulator in
                try await withTemporaryFolder { folder in
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    let (place, log) = (folder.appending(path: "store"), folder.appending(path: "log"))
                    let store = FileSessionStore(folder: place)
                    try await signInAtServer(emulator, store)
                    var processes: [ObedientProcess] = []
                    for _ in 0..<count {
                        processes.append(try await ObedientProcess(at: emulator.baseURL, store: place, log: log))
                    }
                    try await body(emulator, processes, ProcessDiary(at: log), store)
                    for process in processes { try await process.end() }
                }
            }
        }
    }

    extension Emulator {
        fileprivate var refreshes: Int { journal.entries.count { $0.path == "/auth/refresh" } }
    }
#endif
