#if os(Linux) || os(macOS)
    import AuthStreams
    import AuthStreamsOAuth
    import Foundation
    import TestSupport
    import Testing

    @Suite(.limitedParallelization) struct SystemBrowserLauncherTests {
        private let page = URL(literal: "https://a.example/authorize?state=s;touch%20x&b='$(id)'")

        /// A folder with programs that write their arguments, one a line, to `NAME.seen` and exit with a status.
        ///
        /// Another process writes them. While this one wrote them, a process that another test starts would inherit the open
        /// file for a moment, and a program that is open for writing cannot be run.
        private func folder(_ programs: KeyValuePairs<String, Int>) async throws -> URL {
            let folder = FileManager.default.temporaryDirectory.appending(path: "launcher-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, status) in programs {
                let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$0.seen\"\nexit \(status)\n"
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

        @Test func appsTakeNoLinksHere() async throws {
            let launcher = SystemBrowserLauncher(environment: ["BROWSER": "/bin/true"])
            #expect(await launcher.open(page, universalLinksOnly: true) == nil)
        }
    }
#endif
