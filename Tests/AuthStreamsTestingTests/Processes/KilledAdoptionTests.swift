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
        func adoptionOutlivesEveryDeathButOfTheAnswer(reuseWindow: Duration?) async throws {
            var configuration = EmulatorConfiguration()
            configuration.server.refreshReuseWindow = reuseWindow
            try await withEmulator(configuration) { emulator in
                var points: Set<String> = []
                var interruptions = 0
                // Until a process ends before it comes to that point.
                for number in 1... {
                    let trial = try await Trial(emulator, dyingAt: number)
                    points.formUnion(trial.points)
                    if trial.points.count < number { break }
                    if trial.lostAnswer && reuseWindow == nil {
                        interruptions += 1
                        #expect(trial.after.all("signedOut") == ["refreshInterrupted"], "after a death at \(trial.point)")
                    } else {
                        #expect(trial.after.all("signedOut") == [], "after a death at \(trial.point)")
                        let token = try #require(trial.after.all("token").first, "after a death at \(trial.point)")
                        #expect(emulator.server.accepts(accessToken: Secret(token)), "after a death at \(trial.point)")
                    }
                    #expect(trial.after.all("sent").count == (trial.isStored ? 0 : 1), "after a death at \(trial.point)")
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
            /// The points that it passed before it died.
            let points: [String]
            /// Whether the refresh token was sent, and the answer is not stored.
            let lostAnswer: Bool
            /// Whether the new tokens are stored.
            let isStored: Bool
            /// What the next launch did.
            let after: [ProcessDiary.Line]
            /// Whether the other SDK was told to discard its copy.
            let isDiscarded: Bool

            var point: String { points.last ?? "the start" }

            @MainActor
            init(_ emulator: Emulator, dyingAt number: Int) async throws {
                let token = try await AppUpdate(at: emulator, .server).oldSession().session.refreshToken
                (points, lostAnswer, isStored, after, isDiscarded) = try await withTemporaryFolder { folder in
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    let (store, diary) = (folder.appending(path: "store"), ProcessDiary(at: folder.appending(path: "log")))
                    func launch(dyingAt number: Int) async throws {
                        let program = try BuiltProgram(
                            "CrashApp",
                            [
                                emulator.baseURL.absoluteString, store.path(), folder.appending(path: "log").path(), "adopt",
                                token.reveal(), "\(number)",
                            ])
                        _ = await program.status()
                    }
                    try await launch(dyingAt: number)
                    let first = diary.lines
                    let isStored = try await FileSessionStore(folder: store).session()?.session != nil
                    try await launch(dyingAt: 0)
                    return (
                        first.all("at"), !first.all("sent").isEmpty && !isStored, isStored,
                        Array(diary.lines.dropFirst(first.count)), !diary.lines.all("discarded").isEmpty
                    )
                }
            }
        }
    }
#endif
