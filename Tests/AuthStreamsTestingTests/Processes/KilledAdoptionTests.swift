#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// Real processes that die by SIGKILL at every point of the adoption of another SDK's session, against a server whose refresh
    /// tokens work once.
    @MainActor
    @Suite(.limitedParallelization) struct KilledAdoptionTests {
        /// Whether the server accepts a token a second time soon after the first.
        nonisolated static let reuseWindows = TestVolume.of([nil], full: [nil, Duration.seconds(3600)])

        @Test(arguments: reuseWindows)
        func adoptionSurvivesEveryDeathThatLosesNoAnswer(reuseWindow: Duration?) async throws {
            var configuration = EmulatorConfiguration()
            configuration.server.refreshReuseWindow = reuseWindow
            try await withEmulator(configuration) { emulator in
                var points: Set<String> = []
                var interruptions = 0
                // Until a process ends by itself, before it comes to that point.
                for number in 1... {
                    let trial = try await Trial(emulator, dyingAt: number)
                    points.formUnion(trial.points)
                    guard trial.wasKilled else {
                        #expect(trial.first.all("token").count == 1, "It ends by itself once it has its token.")
                        break
                    }
                    try #require(trial.points.count == number, "It did not die at its point \(number).")
                    if trial.lostAnswer && reuseWindow == nil {
                        interruptions += 1
                        #expect(
                            trial.after.all("signedOut") == ["refreshInterrupted"], "after a death at \(trial.point)")
                    } else {
                        #expect(trial.after.all("signedOut") == [], "after a death at \(trial.point)")
                        let token = try #require(trial.after.all("token").first, "after a death at \(trial.point)")
                        #expect(emulator.server.accepts(accessToken: Secret(token)), "after a death at \(trial.point)")
                    }
                    #expect(
                        trial.after.all("sent").count == (trial.isStored ? 0 : 1), "after a death at \(trial.point)")
                    #expect(trial.isDiscarded, "after a death at \(trial.point)")
                }
                #expect((interruptions > 0) == (reuseWindow == nil))
                let kinds = [
                    "adoption.find", "adoption.discard", "lock.beforeAsking", "record.beforeWrite", "file.linked",
                    "record.afterWrite", "request.beforeSend", "answer.beforeReading", "answer.afterReading",
                ]
                #expect(points.isSuperset(of: kinds))
            }
        }

        /// One app that dies in the launch after its update, and is launched again.
        private struct Trial {
            /// Whether it died at the point of that number.
            private(set) var wasKilled = false
            /// What the first launch did.
            private(set) var first: [ProcessDiary.Line] = []
            /// Whether the new tokens are stored then.
            private(set) var isStored = false
            /// What the next launch did.
            private(set) var after: [ProcessDiary.Line] = []

            var points: [String] { first.all("at") }
            var point: String { points.last ?? "the start" }
            /// Whether the refresh token was sent, and the answer is not stored.
            var lostAnswer: Bool { !first.all("sent").isEmpty && !isStored }
            /// Whether the other SDK was told to discard its copy.
            var isDiscarded: Bool { !(first + after).all("discarded").isEmpty }

            @MainActor
            init(_ emulator: Emulator, dyingAt number: Int) async throws {
                let token = try await AppUpdate(at: emulator, .server).oldSession().session.refreshToken
                let folder = FileManager.default.temporaryDirectory.appending(path: "authstreams-\(UUID().uuidString)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                let (store, log) = (folder.appending(path: "store"), folder.appending(path: "log"))
                func launch(dyingAt number: Int) async throws -> Bool {
                    let program = try BuiltProgram(
                        "CrashApp",
                        [
                            emulator.baseURL.absoluteString, store.path(), log.path(), "adopt", token.reveal(),
                            "\(number)",
                        ])
                    _ = await program.status()
                    return program.wasKilled
                }
                wasKilled = try await launch(dyingAt: number)
                first = ProcessDiary(at: log).lines
                isStored = try await FileSessionStore(folder: store).session()?.session != nil
                _ = try await launch(dyingAt: 0)
                after = Array(ProcessDiary(at: log).lines.dropFirst(first.count))
            }
        }
    }
#endif
