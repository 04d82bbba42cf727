#if os(Linux)
    import AuthStreams
    import AuthStreamsOAuth
    import Foundation
    import TestSupport
    import Testing

    /// Chromium as the person's browser, without a window and with a profile of its own. It starts with the first page.
    ///
    /// `localhost`, which is another site than 127.0.0.1, leads to this machine. Other names lead nowhere.
    @MainActor
    final class Chromium: ApplicationOpener {
        /// The program, if `PATH` leads to it.
        nonisolated static let program = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
            .map { "\($0)/chromium" }.first { FileManager.default.isExecutableFile(atPath: $0) }

        private let folder: URL
        private var processes: ProcessGroup?
        private var devTools: DevTools?
        private let hasEnded = Promise<Void>()
        /// The address that the browser was opened with.
        private(set) var start: URL?

        private init(in folder: URL) { self.folder = folder }

        /// Runs a body with a browser. Its processes have ended, and its profile is removed, when the call returns.
        static func run(blockingCookies: Bool = false, _ body: (Chromium) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "authstreams-\(UUID().uuidString)")
            let profile = folder.appending(path: "Default")
            try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            if blockingCookies {
                let preferences = #"{ "profile": { "default_content_setting_values": { "cookies": 2 } } }"#
                try Data(preferences.utf8).write(to: profile.appending(path: "Preferences"))
            }
            let browser = Chromium(in: folder)
            let result: Result<Void, any Error>
            do { result = .success(try await body(browser)) } catch { result = .failure(error) }
            await browser.end()
            try result.get()
        }

        func canOpen(_ url: URL) -> Bool { Self.program != nil }

        func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
            do { try launch(at: url) } catch {
                Issue.record(error, "Chromium did not start.")
                return nil
            }
            return .unobservable
        }

        /// The tab with the address that the browser was opened with.
        func page() async throws -> ChromiumPage {
            let devTools = try await Self.retry { self.devTools }
            let target = try await Self.retry {
                let targets = try await devTools.call("Target.getTargets")["targetInfos"]?.array ?? []
                return targets.first { $0["type"]?.string == "page" }?["targetId"]
            }
            let session = try await devTools.call(
                "Target.attachToTarget", ["targetId": target, "flatten": .bool(true)])
            let page = ChromiumPage(devTools: devTools, session: try #require(session["sessionId"]?.string))
            try await page.emulateFocus()
            return page
        }

        /// The command line of each process of the browser.
        var commandLines: [String] { processes?.commandLines ?? [] }

        private func launch(at url: URL) throws {
            try #require(processes == nil, "Chromium runs already.")
            var sockets: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
            defer { close(sockets[1]) }
            let path = folder.path()
            let arguments = [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
                "--disable-background-networking", "--disable-breakpad", "--no-proxy-server",
                "--host-resolver-rules=MAP localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                // A click on a page that is not drawn yet counts.
                "--allow-pre-commit-input",
                "--user-data-dir=\(path)", "--remote-debugging-pipe", url.absoluteString,
            ]
            let environment = ProcessInfo.processInfo.environment.merging(["HOME": path, "TMPDIR": path]) { $1 }
            let processes: ProcessGroup
            do {
                processes = try ProcessGroup(
                    try #require(Self.program), arguments, environment: environment, socket: sockets[1])
            } catch {
                close(sockets[0])
                throw error
            }
            devTools = DevTools(socket: sockets[0]) { [hasEnded] in
                processes.kill()
                processes.waitForEnd()
                hasEnded.resolve(())
            }
            (self.processes, start) = (processes, url)
        }

        private func end() async {
            guard let processes else { return }
            processes.kill()
            // A task of its own, because a cancelled one would not wait.
            await Task { _ = await hasEnded.value() }.value
        }

        /// Repeats a question until it has an answer, or the browser has ended.
        static func retry<Value>(_ question: () async throws -> Value?) async throws -> Value {
            var answer: Value?
            try await wait(for: "an answer of the browser") {
                answer = try await question()
                return answer != nil
            }
            return try #require(answer)
        }
    }
#endif
