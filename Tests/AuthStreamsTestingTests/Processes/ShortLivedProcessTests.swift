#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// A command-line tool that runs again and again on one session, each time for some milliseconds, against a server whose
    /// refresh tokens work once and whose sessions end when one is used again.
    @Suite(.limitedParallelization) struct ShortLivedProcessTests {
        private static let runs = TestVolume.of(8, full: 200)

        /// Every second run finds a token late in its life, which a longer process refreshes ahead of expiry; the others find
        /// one that is over.
        @Test(arguments: ["exit", "finish"]) func sessionOutlivesEveryRun(ending: String) async throws {
            try await withEmulator { emulator in
                try await withTemporaryFolder { folder in
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    let (store, log) = (folder.appending(path: "store"), folder.appending(path: "log"))
                    try await signInAtServer(emulator, FileSessionStore(folder: store))
                    for run in 1...Self.runs {
                        let arguments = [
                            emulator.baseURL.absoluteString, store.path(), log.path(), "tool", ending,
                            "\(run * 800)", "\(run * 7 % 20)",
                        ]
                        #expect(try await BuiltProgram("CrashApp", arguments).status() == 0)
                    }
                    let lines = ProcessDiary(at: log).lines
                    #expect(lines.all("signedOut") == [])
                    // No token is sent twice, and every answer is read.
                    #expect(Set(lines.all("sent")).count == lines.all("sent").count)
                    #expect(lines.all("read") == lines.all("sent"))
                    if ending == "exit" {
                        #expect(lines.all("token").count == Self.runs && lines.all("sent").count == Self.runs / 2)
                    } else {
                        #expect(lines.all("finished") == [String](repeating: "true", count: Self.runs))
                        #expect(Set(lines.all("error")).isSubset(of: ["cancelled"]))
                    }
                }
            }
        }
    }
#endif
