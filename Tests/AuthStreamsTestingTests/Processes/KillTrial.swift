#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// Kills one process after another while they refresh the same session, and looks at what each leaves to the next.
    struct KillTrial {
        /// What a process had done of its last refresh when it died.
        struct Death {
            let point: String
            /// The refresh token that the server has got from it.
            let sent: String?
            /// Whether the tokens that the server answered with had the record's place.
            let isStored: Bool

            /// Whether no process can have the answer any more.
            var lostTheAnswer: Bool { sent != nil && !isStored }
        }
        let emulator: Emulator
        let folder: URL
        private var last: Death?
        private(set) var deaths = 0
        private(set) var interruptions = 0

        init(_ emulator: Emulator, in folder: URL) {
            (self.emulator, self.folder) = (emulator, folder)
        }

        private var store: URL { folder.appending(path: "store") }
        private var log: URL { folder.appending(path: "log") }
        var diary: ProcessDiary { ProcessDiary(at: log) }
        private var forgivesReuse: Bool { emulator.configuration.server.refreshReuseWindow != nil }

        /// Signs in a user in this process.
        func signIn() async throws { try await signInAtServer(emulator, FileSessionStore(folder: store)) }

        /// The points that one refresh passes.
        func points() async throws -> [String] { try await run(dyingAt: 0).all("at") }

        /// Starts a process that finds what the one before left, and dies at a point of its own refresh.
        mutating func kill(at number: Int) async throws {
            var lines = try await run(dyingAt: number)
            if try judge(lines) {
                // The session of the one before was lost with the answer. Nothing is asked or told a second time.
                let again = try await run(dyingAt: number)
                #expect(again.all("signedOut") == ["-"] && again.all("sent") == [])
                try await signIn()
                last = nil
                lines = try await run(dyingAt: number)
                #expect(try judge(lines) == false)
            }
            let points = lines.all("at")
            try #require(points.count == number, "It did not die at its point \(number).")
            deaths += 1
            let refresh = lines.drop { $0.after("at") == nil }
            let answered = refresh.drop { $0.after("read") == nil }
            last = Death(
                point: points[number - 1], sent: Array(refresh).all("sent").last,
                isStored: Array(answered).all("at").contains("file.linked"))
        }

        /// Starts a process that only finds what the last one left.
        mutating func settle() async throws {
            _ = try judge(try await run(dyingAt: 0))
            last = nil
        }

        /// Whether the session is over; with an issue unless it had to be, or had to be not.
        private mutating func judge(_ lines: [ProcessDiary.Line]) throws -> Bool {
            let undisturbed = Array(lines.prefix { $0.after("at") == nil })
            let point = last?.point ?? "the start"
            let mustBeOver = (last?.lostTheAnswer ?? false) && !forgivesReuse
            if mustBeOver {
                interruptions += 1
                #expect(undisturbed.all("signedOut") == ["refreshInterrupted"], "after a death at \(point)")
                #expect(undisturbed.all("sent") == [last?.sent], "after a death at \(point)")
            } else {
                #expect(undisturbed.all("signedOut") == [], "after a death at \(point)")
                let token = try #require(undisturbed.all("token").first, "after a death at \(point)")
                #expect(emulator.server.accepts(accessToken: Secret(token)), "after a death at \(point)")
            }
            return undisturbed.all("signedOut") != []
        }

        private func run(dyingAt number: Int) async throws -> [ProcessDiary.Line] {
            let before = diary.lines.count
            let program = try BuiltProgram(
                "CrashApp", [emulator.baseURL.absoluteString, store.path(), log.path(), "refresh", "\(number)"])
            _ = await program.status()
            return Array(diary.lines.dropFirst(before))
        }
    }

    /// Signs the first emulated user in with Google at the app's own server, and keeps the session there.
    @MainActor
    func signInAtServer(_ emulator: Emulator, _ store: FileSessionStore) async throws {
        let device = EmulatedDevice(at: emulator.baseURL, backend: .server, store: store)
        _ = try await device.auth.signIn(with: .google).value
    }
#endif
