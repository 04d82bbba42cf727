#if os(Linux) || os(macOS)
    import AuthStreams
    import Foundation
    import TestSupport
    import Testing

    @testable import AuthStreamsOAuth

    @Suite(.limitedParallelization) struct SystemBrowserLauncherTests {
        private let page = URL(literal: "https://a.example/authorize?state=s;touch%20x&b='$(id)'")

        /// A folder with programs that write their arguments, one a line, to `NAME.seen` and exit with a status.
        ///
        /// Another process writes them. While this one wrote them, a process that another test starts would inherit the open
        /// file for a moment, and a program that is open for writing cannot be run.
        private func folder(_ programs: KeyValuePairs<String, Int>) async throws -> URL {
            try await folder(
                running: programs.map { ($0, "printf '%s\\n' \"$@\" >\"$0.seen\"\nexit \($1)") })
        }

        /// A folder with programs of these lines for the shell.
        private func folder(running programs: [(name: String, lines: String)]) async throws -> URL {
            let folder = FileManager.default.temporaryDirectory.appending(path: "launcher-\(UUID())")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for (name, lines) in programs {
                let script = "#!/bin/sh\n\(lines)\n"
                let writer = try BuiltProgram(
                    URL(filePath: "/bin/sh"),
                    ["-c", #"printf %s "$1" >"$0" && chmod 700 "$0""#, folder.appending(path: name).path(), script])
                #expect(await writer.status() == 0)
            }
            return folder
        }

        private func seen(_ name: String, in folder: URL) -> [Substring]? {
            let text = try? String(contentsOf: folder.appending(path: "\(name).seen"), encoding: .utf8)
            return text?.split(separator: "\n")
        }

        private func open(_ url: URL, browser: String, in folder: URL) async -> Bool {
            let launcher = SystemBrowserLauncher(environment: ["BROWSER": browser, "PATH": folder.path()])
            return await launcher.open(url, universalLinksOnly: false) != nil
        }

        @Test func addressIsOneArgument() async throws {
            let folder = try await folder(["browser": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(await open(page, browser: "browser --new", in: folder))
            #expect(seen("browser", in: folder) == ["--new", Substring(page.absoluteString)])
        }

        @Test func placeholderStandsForTheAddress() async throws {
            let folder = try await folder(["browser": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(await open(page, browser: "browser --app=%s --quiet", in: folder))
            #expect(seen("browser", in: folder) == ["--app=\(page.absoluteString)", "--quiet"])
        }

        @Test(
            arguments: [
                ("browser %s", ["ADDRESS"]), ("browser %s %s", ["ADDRESS", "ADDRESS"]), ("browser", ["ADDRESS"]),
                ("browser 100%%", ["100%", "ADDRESS"]), ("browser %%s", ["%s", "ADDRESS"]),
                ("browser %%%s", ["%ADDRESS"]), ("browser %%s=%s", ["%s=ADDRESS"]),
                ("browser % %d", ["%", "%d", "ADDRESS"]),
                ("  browser   -a  ", ["-a", "ADDRESS"]),
            ])
        func percentSignsAreExpandedOnce(browser: String, arguments: [String]) async throws {
            let folder = try await folder(["browser": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            // What the address contains is not expanded.
            let page = URL(literal: "https://a.example/%25%73?q=%25s%25%25")
            #expect(await open(page, browser: browser, in: folder))
            let expected = arguments.map { $0.replacing("ADDRESS", with: page.absoluteString) }
            #expect(seen("browser", in: folder)?.map(String.init) == expected)
        }

        @Test(arguments: ["browser", ":browser", "::browser::", " : browser:", "absent:/absent/browser::browser"])
        func emptyAndAbsentCommandsAreIgnored(browser: String) async throws {
            let folder = try await folder(["browser": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(await open(page, browser: browser, in: folder))
            #expect(seen("browser", in: folder) == [Substring(page.absoluteString)])
        }

        @Test func commandsAfterTheFirstThatSucceedsAreNotRun() async throws {
            let folder = try await folder(["first": 0, "second": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(await open(page, browser: "first:second", in: folder))
            #expect(seen("first", in: folder) != nil && seen("second", in: folder) == nil)
        }

        @Test func noShellReadsACommand() async throws {
            let folder = try await folder(["browser": 0, "other": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(await !open(page, browser: "browser; $(other) `other` '%s' && other", in: folder))
            #expect(seen("browser", in: folder) == nil && seen("other", in: folder) == nil)
        }

        @Test func wordsOfACommandAreArgumentsAsTheyStand() async throws {
            let folder = try await folder(["browser": 0, "other": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(await open(page, browser: "browser $(other) ;other $HOME '%s' *", in: folder))
            let address = page.absoluteString
            #expect(
                seen("browser", in: folder)?.map(String.init) == ["$(other)", ";other", "$HOME", "'\(address)'", "*"])
            #expect(seen("other", in: folder) == nil)
        }

        @Test func nextCommandIsTriedAfterAFailure() async throws {
            let folder = try await folder(["broken": 4, "browser": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(await open(page, browser: "absent:broken:browser", in: folder))
            #expect(seen("broken", in: folder) != nil && seen("browser", in: folder) != nil)
        }

        #if os(Linux)
            @Test func systemCommandIsTheLastResort() async throws {
                let folder = try await folder(["xdg-open": 0])
                defer { try? FileManager.default.removeItem(at: folder) }
                #expect(await open(page, browser: "", in: folder))
                #expect(seen("xdg-open", in: folder) == [Substring(page.absoluteString)])
            }

            /// A program that opens no page does not wait for the search.
            @Test func programIsSearchedForAtTheFirstPage() async throws {
                let folder = try await folder([:])
                defer { try? FileManager.default.removeItem(at: folder) }
                let launcher = SystemBrowserLauncher(environment: ["PATH": folder.path()])
                let programs = try await self.folder(["xdg-open": 0])
                try FileManager.default.moveItem(
                    at: programs.appending(path: "xdg-open"), to: folder.appending(path: "xdg-open"))
                try FileManager.default.removeItem(at: programs)
                #expect(await launcher.canOpen(page))
            }

            @Test func withoutABrowserNothingOpens() async throws {
                let folder = try await folder([:])
                defer { try? FileManager.default.removeItem(at: folder) }
                let launcher = SystemBrowserLauncher(environment: ["PATH": folder.path()])
                #expect(await !launcher.canOpen(page))
                #expect(await launcher.open(page, universalLinksOnly: false) == nil)
            }
        #endif

        @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "kakao1://oauth", "--help", "https:/path"])
        func onlyWebPagesAreOpened(text: String) async throws {
            let folder = try await folder(["browser": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(await !open(try #require(URL(string: text)), browser: "browser", in: folder))
            #expect(seen("browser", in: folder) == nil)
        }

        // MARK: Out of the arguments

        /// Prints the arguments, the access rights of the folder and of the page, and the page.
        private let reader = """
            { printf '%s\\n' "$@"; stat -c '%a' "$(dirname "$2")" "$2"; cat "$2"; } >"$0.seen"
            """

        @Test func pageLeadsToTheAddressAndIsReadableByThisUserAlone() async throws {
            let folder = try await folder(running: [("browser", reader)])
            defer { try? FileManager.default.removeItem(at: folder) }
            let home = folder.appending(path: "home")
            try FileManager.default.createDirectory(
                at: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let leftover = home.appending(path: "AuthStreams-sign-in-old000")
            let foreign = home.appending(path: "AuthStreams-sign-in-notes0")
            for folder in [leftover, foreign] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            try Data("x".utf8).write(to: leftover.appending(path: "sign-in.html"))
            try Data("x".utf8).write(to: foreign.appending(path: "notes.txt"))
            for folder in [leftover, foreign] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date.distantPast], ofItemAtPath: folder.path())
            }

            let launcher = SystemBrowserLauncher(
                environment: ["BROWSER": "browser -a %f", "PATH": folder.path(), "HOME": home.path()])
            var visit = await launcher.open(page, universalLinksOnly: false)
            let lines = try #require(seen("browser", in: folder)).map(String.init)
            let path = try #require(lines.dropFirst().first)
            #expect(lines.first == "-a" && path.hasPrefix("\(home.path())/AuthStreams-sign-in-"))
            #expect(lines[2] == "700")
            let link = page.absoluteString.replacing("&", with: "&amp;")
            #expect(lines.contains { $0.contains(#"http-equiv="refresh" content="0; url=\#(link)""#) })
            #expect(visit != nil && FileManager.default.fileExists(atPath: path))
            visit = nil
            #expect(try FileManager.default.contentsOfDirectory(atPath: home.path()) == [foreign.lastPathComponent])
        }

        @Test(arguments: [
            ("browser", ["browser"]), ("  browser \t -a\n", ["browser", "-a"]), ("", []),
            ("browser ''", ["browser", ""]),
            ("'my browser' \"a b\"c", ["my browser", "a bc"]), (#"my\ browser \'x"#, ["my browser", "'x"]),
            (#"b '\n$x' "\n\"\\\$y\`""#, ["b", #"\n$x"#, #"\n"\$y`"#]),
            (#"b "it's" 'say "hi"'"#, ["b", "it's", #"say "hi""#]),
            ("b $(id) ;id *", ["b", "$(id)", ";id", "*"]),
        ])
        func commandIsSplitAsByAShellThatExpandsNothing(command: String, words: [String]) {
            #expect(BrowserCommand.words(of: command) == words)
        }

        @Test(arguments: [
            "'firefox", "firefox \"", "firefox \\", #""a\"#, "", " ", "/absent/browser", "absent-browser",
        ])
        func commandThatCannotBeRunIsAMisconfiguration(command: String) throws {
            #expect {
                _ = try SystemBrowserLauncher(command: command, environment: ["PATH": "/usr/bin:/bin"])
            } throws: {
                ($0 as? AuthError)?.code == .misconfigured
            }
        }

        /// The address of a page that only its first reader may open is in no process's arguments.
        @Test func oneCommandIsGivenThePage() async throws {
            let folder = try await folder(["browser": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            let launcher = try SystemBrowserLauncher(
                command: "browser --profile 'a b'", environment: ["PATH": folder.path(), "HOME": folder.path()])
            #expect(await launcher.hidesURLs)
            #expect(await launcher.canOpen(page))
            let visit = await launcher.open(page, universalLinksOnly: false)
            let arguments = try #require(seen("browser", in: folder))
            #expect(arguments.dropLast() == ["--profile", "a b"])
            #expect(arguments.last?.hasSuffix("/sign-in.html") == true)
            withExtendedLifetime(visit) {}
        }

        @Test func oneCommandIsGivenTheAddressIfItAsksForIt() async throws {
            let folder = try await folder(["browser": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            let launcher = try SystemBrowserLauncher(
                command: "browser --app=%s", environment: ["PATH": folder.path(), "HOME": folder.path()])
            #expect(await !launcher.hidesURLs)
            #expect(await launcher.open(page, universalLinksOnly: false) != nil)
            #expect(seen("browser", in: folder) == [Substring("--app=\(page.absoluteString)")])
        }

        @Test func commandIsSkippedIfNoPageCanBeWrittenForIt() async throws {
            let folder = try await folder(["first": 0, "second": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            let launcher = SystemBrowserLauncher(
                environment: ["BROWSER": "first %f:second", "PATH": folder.path(), "HOME": "/absent"])
            let remarks = Lock([String]())
            let visit = await launcher.open(
                ListenerPage(page, onRemark: { remark in remarks.withLock { $0.append(remark) } }))
            #expect(visit != nil && seen("first", in: folder) == nil && seen("second", in: folder) != nil)
            #expect(remarks.withLock { $0 }.contains { $0.contains("'first'") && $0.contains("HOME") })
        }

        #if os(Linux)
            @Test(arguments: [
                ("firefox.desktop", "firefox.desktop", true), ("firefox.desktop", "editor.desktop", false),
                ("firefox.desktop", "", false),
            ])
            func desktopIsGivenThePageIfItOpensItInTheBrowser(browser: String, editor: String, isPage: Bool)
                async throws
            {
                let folder = try await folder(running: [
                    ("xdg-open", "printf '%s\\n' \"$@\" >\"$0.seen\""),
                    (
                        "xdg-mime",
                        "case $3 in text/html) echo \(editor);; x-scheme-handler/http) echo \(browser);; esac"
                    ),
                ])
                defer { try? FileManager.default.removeItem(at: folder) }
                let launcher = SystemBrowserLauncher(environment: ["PATH": folder.path(), "HOME": folder.path()])
                #expect(await launcher.open(page, universalLinksOnly: false) != nil)
                let argument = seen("xdg-open", in: folder)?.first
                #expect(argument?.hasSuffix("/sign-in.html") == isPage)
                #expect((argument == Substring(page.absoluteString)) == !isPage)
                #expect(
                    await !launcher.hidesURLs, "Whether the desktop is given a page is known only when it is asked.")
            }
        #endif

        /// The system's command on macOS.
        @Test func scriptIsOnTheStandardInputAlone() async throws {
            let folder = try await folder(running: [("osascript", "{ printf '%s\\n' \"$@\"; cat; } >\"$0.seen\"")])
            defer { try? FileManager.default.removeItem(at: folder) }
            let command = try #require(BrowserCommand(parsing: "osascript -", folders: [folder.path()], .script))
            #expect(await command.run(with: page, page: nil) == nil)
            #expect(seen("osascript", in: folder) == ["-", "open location \"\(page.absoluteString)\""])
        }

        @MainActor @Test func addressIsHiddenIfNoCommandIsGivenItAsAnArgument() async throws {
            let folder = try await folder(["first": 0, "second": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            func hides(_ browser: String) -> Bool {
                SystemBrowserLauncher(environment: ["BROWSER": browser, "PATH": folder.path()]).hidesURLs
            }
            #expect(hides("first %f:second --app=%f"))
            #expect(!hides("first %f:second") && !hides("first %%f") && !hides("first %s"))
        }

        // MARK: How a command ends

        /// A browser's command may fail although it opened the page, which is for one browser alone.
        @Test(arguments: [true, false]) func noSecondBrowserOpensAPageThatWasFetched(isFetched: Bool) async throws {
            let folder = try await folder(["first": 3, "second": 0])
            defer { try? FileManager.default.removeItem(at: folder) }
            let launcher = SystemBrowserLauncher(environment: ["BROWSER": "first:second", "PATH": folder.path()])
            let remarks = Lock([String]())
            let visit = await launcher.open(
                ListenerPage(
                    page, isFetched: { isFetched }, onRemark: { remark in remarks.withLock { $0.append(remark) } }))
            #expect(visit != nil && (seen("second", in: folder) == nil) == isFetched)
            #expect(remarks.withLock { $0 } == ["The browser command 'first' ended with status 3."])
        }

        @Test func appsTakeNoLinksHere() async throws {
            let launcher = SystemBrowserLauncher(environment: ["BROWSER": "/bin/true"])
            #expect(await launcher.open(page, universalLinksOnly: true) == nil)
        }
    }
#endif
