#if os(macOS) || os(Linux)
    import AuthStreams
    import Foundation
    import LoopbackHTTP
    import TestSupport
    import Testing

    @testable import AuthStreamsTesting

    /// Runs the built `signin` as a person and as a program do, at an issuer on this machine.
    @MainActor
    @Suite(.limitedParallelization) struct SigninProgramTests {
        nonisolated private static let login = [
            "login", "--path", "/callback/openid", "--scope", "email profile offline_access",
        ]

        /// An issuer, and a store in a folder of its own.
        private struct Desk {
            let emulator: Emulator
            let folder: URL

            var issuer: String { emulator.url(for: EmulatorConfiguration.Issuer.identifier).absoluteString }
            var store: String { folder.appending(path: "store").path() }
            var user: EmulatorUser { emulator.configuration.issuer.users[0] }

            /// Runs a command on the store.
            func run(_ words: String..., environment: [String: String] = [:]) throws -> BuiltProgram {
                try BuiltProgram("signin", words + ["--store", store], environment: environment)
            }

            /// Begins a log-in whose page no browser is opened for.
            func login(_ words: String...) throws -> BuiltProgram { try login(words) }

            func login(_ words: [String]) throws -> BuiltProgram {
                try BuiltProgram(
                    "signin",
                    SigninProgramTests.login + ["--issuer", issuer, "--client-id", "pulseboard-app", "--no-browser"]
                        + ["--json", "--store", store] + words)
            }

            /// Waits for the first line about an event.
            private func line(_ event: AuthJSON, of program: BuiltProgram) async throws -> AuthJSON {
                try await wait(for: "the line about '\(event.string ?? "")'") {
                    program.hasEnded || program.lines.contains { $0["event"] == event }
                }
                return try #require(program.lines.first { $0["event"] == event }, "\(program.output)")
            }

            /// The address of a log-in's page.
            func page(of program: BuiltProgram) async throws -> URL {
                try #require(try await line("authorize", of: program)["url"]?.string.flatMap(URL.init(string:)))
            }

            /// The address of the page for a log-in's code, with the code.
            func codePage(of program: BuiltProgram) async throws -> URL {
                let line = try await line("device", of: program)
                var page = try #require(line["verificationURI"]?.string.flatMap(URLComponents.init(string:)))
                page.queryItems = [URLQueryItem(name: "user_code", value: line["userCode"]?.string)]
                return try #require(page.url)
            }

            /// Logs in, and returns the lines.
            @discardableResult
            func signIn(_ answer: ScriptedBrowser.Answer = .approve, _ words: String...) async throws -> [AuthJSON] {
                let program = try login(words)
                try await SigninProgramTests.visit(try await page(of: program), answer)
                #expect(await program.status() == (answer == .approve ? 0 : 1))
                return program.lines
            }

            /// Runs a command on the store to its end.
            func status(of words: String...) async throws -> Int32? {
                await (try BuiltProgram("signin", words + ["--store", store])).status()
            }

            /// The files of the store.
            var files: [(name: String, text: String, permissions: Int)] {
                get throws {
                    let folder = URL(filePath: store)
                    return try FileManager.default.contentsOfDirectory(atPath: store).map { name in
                        let path = folder.appending(path: name).path()
                        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
                            .replacing("\\/", with: "/")
                        return (name, text, (permissions as? NSNumber)?.intValue ?? 0)
                    }
                }
            }

            /// The number of requests to an endpoint.
            func count(of endpoint: EmulatorEndpoint) -> Int {
                emulator.journal.entries.count { endpoint.matches(host: $0.host, path: $0.path) }
            }
        }

        private func withDesk(
            lifetime: Duration = .seconds(300), _ change: (inout EmulatorConfiguration.Issuer) -> Void = { _ in },
            _ body: (Desk) async throws -> Void
        ) async throws {
            var configuration = EmulatorConfiguration()
            configuration.issuer.accessTokenLifetime = lifetime
            change(&configuration.issuer)
            configuration.issuer.redirectURIs.append("http://127.0.0.1/callback")
            try await withTemporaryFolder { folder in
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try await withEmulator(configuration) { try await body(Desk(emulator: $0, folder: folder)) }
            }
        }

        /// The same, at an issuer that gives codes for other devices.
        private func withDeviceDesk(_ body: (Desk) async throws -> Void) async throws {
            try await withDesk(
                {
                    $0.acceptsDeviceCodes = true
                    $0.devicePollingInterval = .seconds(1)
                }, body)
        }

        /// A person opens a page and answers.
        private static func visit(_ page: URL, _ answer: ScriptedBrowser.Answer = .approve) async throws {
            let browser = ScriptedBrowser(answer, transport: URLSessionTransport.untimed())
            _ = await browser.open(page, universalLinksOnly: false)
            await browser.waitUntilSettled()
        }

        // MARK: Words

        @Test(arguments: [
            [], ["signin"], ["login"], ["login", "--issuer", "https://a.example"], ["login", "--client-id", "a"],
            ["login", "--client-id"], ["login", "--provider", "line", "--client-id", "1"],
            ["login", "--provider", "myspace", "--client-id", "1"], ["status", "--device"], ["token", "--port", "1"],
            ["login", "--provider", "entra", "--client-id", "1", "--port", "65536"],
            ["login", "--provider", "entra", "--client-id", "1", "--host", "example.com"],
            ["login", "--provider", "entra", "--client-id", "1", "--param", "prompt"],
            ["login", "--provider", "entra", "--client-id", "1", "extra"],
            ["login", "--provider", "entra", "--client-id", "1", "--param", "prompt=bogus"],
            ["login", "--provider", "github", "--client-id", "1", "--dpop"],
            ["login", "--provider", "github", "--client-id", "1", "--issuer", "https://a.example"],
            ["login", "--provider", "entra", "--client-id", "1", "--browser", "firefox", "--no-browser"],
            ["status", "--timeout", "0"], ["status", "--timeout", "soon"], ["call"], ["call", "feed"],
        ])
        func badArgumentsEndWithTwo(arguments: [String]) async throws {
            try await withTemporaryFolder { folder in
                let store = ["--store", folder.appending(path: "store").path()]
                let isLogin = arguments.first == "login" && arguments.last != "--client-id"
                let program = try BuiltProgram("signin", arguments + (isLogin ? store : []))
                #expect(await program.status() == 2)
                #expect(program.errors.contains("usage: ") && program.errors.contains("signin --help"))
                #expect(program.output.isEmpty)
            }
        }

        @Test func usageIsAResultForAProgram() async throws {
            let program = try BuiltProgram("signin", ["status", "--devise", "--json"])
            #expect(await program.status() == 2)
            let result = try #require(program.lines.last)
            #expect(program.lines.count == 1 && result["event"] == "result" && result["ok"] == false)
            #expect(result["code"] == "usage" && result["command"] == "status" && result["retryable"] == false)
            #expect(program.errors.isEmpty)
        }

        @Test func optionIsNoCommand() async throws {
            let program = try BuiltProgram("signin", ["--json"])
            #expect(await program.status() == 2)
            #expect(program.lines.last?["command"] == "" && program.lines.last?["code"] == "usage")
        }

        @Test(arguments: [["--help"], ["help"], ["login", "-h"]])
        func helpSaysWhatEachProviderNeeds(arguments: [String]) async throws {
            let program = try BuiltProgram("signin", arguments)
            #expect(await program.status() == 0)
            for word in ["google", "line", "entra", "github", "kakao", "naver", "apple", "--client-secret-file"] {
                #expect(program.output.contains("  \(word) "))
            }
            #expect(program.output.contains("device flow") && program.output.contains("relay page"))
        }

        @Test func appleIsRefusedWithTheReason() async throws {
            try await withTemporaryFolder { folder in
                let program = try BuiltProgram(
                    "signin",
                    ["login", "--provider", "apple", "--client-id", "a", "--json", "--store", folder.path()])
                #expect(await program.status() == 1)
                #expect(program.lines.last?["code"] == "unsupportedProvider")
                #expect(program.lines.last?["message"]?.string?.contains("relay page") == true)
            }
        }

        // MARK: A session

        @Test func sessionIsMadeUsedAndEnded() async throws {
            try await withDesk { desk in
                let lines = try await desk.signIn()
                #expect(lines.last?["user"]?["id"]?.string == desk.user.id)
                #expect(lines.last?["user"]?["email"]?.string == desk.user.email)
                #expect(lines.last?["ok"] == true && lines.last?["command"] == "login")
                let states = lines.filter { $0["event"] == "state" }.compactMap { $0["state"]?.string }
                #expect(states.contains { $0.hasPrefix("signingIn(openid, establishingSession") })
                #expect(states.last?.hasPrefix("signedIn(\(desk.user.id)") == true)

                // What the store has is all that these need.
                let requests = desk.emulator.journal.entries.count
                let status = try desk.run("status")
                #expect(await status.status() == 0)
                #expect(status.output.contains(desk.issuer) && status.errors.isEmpty)
                let token = try desk.run("token", "--json")
                #expect(await token.status() == 0)
                let seconds = try #require(token.lines.last?["expiresIn"]?.lenientInteger)
                #expect((1...300).contains(seconds) && token.lines.last?["token"] == nil)
                #expect(desk.emulator.journal.entries.count == requests)

                let shown = try desk.run("token", "--show-token")
                #expect(await shown.status() == 0)
                let secret = Secret(shown.output.trimmingCharacters(in: .whitespacesAndNewlines))
                #expect(desk.emulator.issuer.accepts(accessToken: secret))
                let renewed = try desk.run("token", "--force-refresh")
                #expect(await renewed.status() == 0 && !renewed.output.contains(secret.reveal()))
                #expect(desk.count(of: .issuerToken) == 2)

                let claims = try desk.run("userinfo", "--json")
                #expect(await claims.status() == 0)
                #expect(claims.lines.last?["claims"]?["name"]?.string == desk.user.name)
                let call = try desk.run("call", EmulatorEndpoint.userInfoURL(at: desk.emulator))
                #expect(await call.status() == 0 && call.output.contains(desk.user.id))
                let missing = try desk.run("call", "\(desk.issuer)/missing", "--json")
                #expect(await missing.status() == 1 && missing.lines.last?["code"] == "refused")

                let logout = try desk.run("logout")
                #expect(await logout.status() == 0 && desk.count(of: .issuerRevocation) == 1)
                for command in ["status", "token", "userinfo", "watch", "logout"] {
                    let program = try desk.run(command, "--json")
                    #expect(await program.status() == 3 && program.lines.last?["code"] == "notSignedIn")
                }
            }
        }

        @Test func storeHasTheOptionsAndNoSecret() async throws {
            try await withDesk { desk in
                let secret = desk.folder.appending(path: "secret")
                try Data("of-the-client\n".utf8).write(to: secret)
                let program = try desk.login("--client-secret-file", secret.path(), "--param", "prompt=login")
                // The issuer's client has no secret, and is refused with one.
                try await Self.visit(try await desk.page(of: program))
                #expect(await program.status() == 1)
                #expect(program.lines.last?["code"] == "misconfigured")
                #expect(try desk.files.isEmpty || desk.files.allSatisfy { !$0.text.contains("of-the-client") })

                try await desk.signIn()
                let files = try desk.files
                #expect(files.contains { $0.text.contains(desk.issuer) && $0.name.hasPrefix("signin-login@") })
                #expect(files.allSatisfy { $0.permissions & 0o077 == 0 })
                #expect(!files.contains { $0.text.contains("--no-browser") })
                // Another log-in needs no client.
                let again = try BuiltProgram("signin", ["login", "--no-browser", "--json", "--store", desk.store])
                try await Self.visit(try await desk.page(of: again))
                #expect(await again.status() == 0)
            }
        }

        @Test func parametersReachThePage() async throws {
            try await withDesk { desk in
                let words = ["kc_idp_hint=github", "audience=a=b&c", "prompt=login consent", "login_hint=minji"]
                let program = try desk.login(words.flatMap { ["--param", $0] })
                let start = try await URLSessionTransport.untimed().send(
                    AuthHTTPRequest(.get, try await desk.page(of: program)))
                let page = try #require(start.headers["Location"].flatMap { URLComponents(string: $0) })
                for word in words {
                    let (name, value) = (word.prefix { $0 != "=" }, word.drop { $0 != "=" }.dropFirst())
                    #expect(page.queryItems?.filter { $0.name == name }.map(\.value) == [String(value)])
                }
                program.interrupt()
                #expect(await program.status() == 130)
            }
        }

        /// The issuer takes the secret at one place, and nowhere else.
        @Test(arguments: [["--provider", "kakao", "--host", "127.0.0.1", "--port", "0"], []])
        func secretOfAPresetIsInTheBody(preset: [String]) async throws {
            try await withDesk {
                $0.authentication =
                    preset.isEmpty ? .basic(secret: "of-the-client") : .post(secret: "of-the-client")
            } _: { desk in
                // The metadata do not say where.
                desk.emulator.inject(
                    .changedMembers { $0["token_endpoint_auth_methods_supported"] = nil }, at: .issuerMetadata,
                    .always)
                let secret = desk.folder.appending(path: "secret")
                try Data("of-the-client\n".utf8).write(to: secret)
                let program = try desk.login(preset + ["--client-secret-file", secret.path()])
                try await Self.visit(try await desk.page(of: program))
                #expect(await program.status() == 0, "\(program.output)")
                #expect(try await desk.status(of: "token", "--force-refresh") == 0)
            }
        }

        /// A server's text must not move the cursor, change the title or hide what stands before it.
        @Test func namesDoNotControlTheTerminal() async throws {
            try await withDesk {
                $0.users[0].email = "minji\u{1B}[2J\u{9B}1A\u{7}\u{8}@pulseboard.example"
            } _: { desk in
                let terminal = try Terminal()
                let login = try BuiltProgram(
                    "signin",
                    Self.login + ["--issuer", desk.issuer, "--client-id", "pulseboard-app", "--no-browser"]
                        + ["--store", desk.store],
                    at: terminal)
                // The countdown begins after the address, and is of a terminal.
                try await wait(for: "the countdown") { terminal.text.contains("Waiting: ") }
                let address = try #require(terminal.text.firstMatch(of: /Open (http:\S+)/)?.1)
                try await Self.visit(try #require(URL(string: String(address))))
                #expect(await login.status() == 0)
                let statusTerminal = try Terminal()
                let status = try BuiltProgram("signin", ["status", "--store", desk.store], at: statusTerminal)
                #expect(await status.status() == 0)
                let eraser = "\r\u{1B}[K"
                for text in [await terminal.wholeText(), await statusTerminal.wholeText()] {
                    #expect(text.contains("minji[2J1A@pulseboard.example"))
                    let shown = text.replacing(eraser, with: "").replacing("\r\n", with: "\n")
                    #expect(
                        shown.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control },
                        "\(shown.debugDescription)")
                }
                #expect(terminal.text.hasSuffix("\(eraser)Signed in as minji[2J1A@pulseboard.example.\r\n"))
            }
        }

        @Test func refusalEndsWithItsCode() async throws {
            try await withDesk { desk in
                let lines = try await desk.signIn(.deny)
                #expect(lines.last?["code"] == "accessDenied" && lines.last?["retryable"] == false)
                #expect(try await desk.status(of: "status") == 3)
            }
        }

        @Test func wrongNonceEndsWithItsCode() async throws {
            try await withDesk { desk in
                desk.emulator.inject(.wrongNonce, at: .issuerToken)
                let program = try desk.login()
                try await Self.visit(try await desk.page(of: program))
                #expect(await program.status() == 1)
                let result = try #require(program.lines.last)
                #expect(result["event"] == "result" && result["code"] == "nonceMismatch" && result["ok"] == false)
                #expect(result["retryable"] == false && result["message"]?.string?.isEmpty == false)
            }
        }

        @Test func sessionThatTheIssuerEndedIsNotSignedIn() async throws {
            try await withDesk { desk in
                try await desk.signIn()
                desk.emulator.issuer.revokeSessions(of: desk.user.id)
                let token = try desk.run("token", "--force-refresh", "--json")
                #expect(await token.status() == 3)
                #expect(token.lines.last?["code"] == "sessionExpired")
            }
        }

        @Test func watchRefreshesAndEndsWithTheSession() async throws {
            try await withDesk(lifetime: .seconds(1)) { desk in
                try await desk.signIn()
                let watch = try desk.run("watch", "--json")
                try await wait(for: "a refresh") { watch.lines.contains { $0["event"] == "refreshSucceeded" } }
                desk.emulator.issuer.revokeSessions(of: desk.user.id)
                #expect(await watch.status() == 3)
                #expect(watch.lines.last?["code"] == "sessionExpired")
                #expect(watch.lines.contains { $0["state"]?.string?.hasPrefix("signedOut(") == true })
            }
        }

        @Test func interruptEndsTheWatch() async throws {
            try await withDesk { desk in
                try await desk.signIn()
                let watch = try desk.run("watch")
                try await wait(for: "the first state") { watch.output.contains("signedIn(") }
                watch.interrupt()
                #expect(await watch.status() == 130)
                #expect(try await desk.status(of: "status") == 0)
            }
        }

        @Test func logOutPageEndsTheSessionAtTheIssuer() async throws {
            try await withDesk { desk in
                try await desk.signIn()
                let logout = try desk.run("logout", "--end-session", "--path", "/goodbye", "--no-browser", "--json")
                try await Self.visit(try await desk.page(of: logout))
                #expect(await logout.status() == 0 && desk.count(of: .issuerEndSession) == 1)
            }
        }

        @Test func signingOutElsewhereIsNotOffered() async throws {
            try await withDesk { desk in
                try await desk.signIn()
                let logout = try desk.run("logout", "--everywhere", "--json")
                #expect(await logout.status() == 1 && logout.lines.last?["code"] == "unsupportedProvider")
                #expect(try await desk.status(of: "status") == 3)
            }
        }

        @Test func personSignsInByACode() async throws {
            try await withDeviceDesk { desk in
                let program = try desk.login("--device")
                try await Self.visit(try await desk.codePage(of: program))
                #expect(await program.status() == 0)
                #expect(program.lines.last?["user"]?["id"]?.string == desk.user.id)
                #expect(try await desk.status(of: "token", "--force-refresh") == 0)
            }
        }

        @Test func refusedCodeEndsWithItsCode() async throws {
            try await withDeviceDesk { desk in
                let program = try desk.login("--device")
                try await Self.visit(try await desk.codePage(of: program), .deny)
                #expect(await program.status() == 1)
                #expect(program.lines.last?["code"] == "accessDenied")
            }
        }

        @Test func interruptEndsTheWaitForACode() async throws {
            try await withDeviceDesk { desk in
                let program = try desk.login("--device")
                _ = try await desk.codePage(of: program)
                program.interrupt()
                #expect(await program.status() == 130 && program.lines.last?["code"] == "cancelled")
            }
        }

        @Test func boundTokensArePresentedWithAProof() async throws {
            try await withDesk {
                $0.dpop = .required
            } _: { desk in
                try await desk.signIn(.approve, "--dpop")
                for words in [["token", "--force-refresh"], ["userinfo"]] {
                    let program = try BuiltProgram("signin", words + ["--store", desk.store])
                    #expect(await program.status() == 0, "\(words): \(program.errors)")
                }
            }
        }

        // MARK: The browser

        /// Writes its arguments, one a line, beside itself. A shell writes it: see `SystemBrowserLauncherTests`.
        private func browser(in folder: URL) async throws -> URL {
            let browser = folder.appending(path: "my browser")
            let lines = "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$0.new\"\nmv \"$0.new\" \"$0.seen\"\n"
            let writer = try BuiltProgram(
                URL(filePath: "/bin/sh"),
                ["-c", #"printf %s "$1" >"$0" && chmod 700 "$0""#, browser.path(percentEncoded: false), lines])
            #expect(await writer.status() == 0)
            return browser
        }

        private func login(_ desk: Desk, browser command: String) throws -> BuiltProgram {
            try desk.run(
                "login", "--issuer", desk.issuer, "--client-id", "pulseboard-app", "--browser", command,
                environment: ["HOME": desk.folder.path(percentEncoded: false)])
        }

        private func arguments(of browser: URL) async throws -> [String] {
            let seen = browser.path(percentEncoded: false) + ".seen"
            try await wait(for: "the browser") { FileManager.default.fileExists(atPath: seen) }
            return try String(contentsOfFile: seen, encoding: .utf8).split(separator: "\n").map(String.init)
        }

        @Test func browsersLastArgumentIsThePrivatePage() async throws {
            try await withDesk { desk in
                let browser = try await browser(in: desk.folder)
                let program = try login(desk, browser: "'\(browser.path(percentEncoded: false))' --profile \"a b\"")
                let arguments = try await arguments(of: browser)
                #expect(arguments.dropLast() == ["--profile", "a b"])
                let page = try String(contentsOfFile: try #require(arguments.last), encoding: .utf8)
                let link = try #require(page.firstMatch(of: /href="([^"]+)"/)?.1)
                try await Self.visit(try #require(URL(string: String(link))))
                #expect(await program.status() == 0)
                #expect(program.output == "Signed in as \(desk.user.email ?? "").\n")
                // The page is removed.
                #expect(!FileManager.default.fileExists(atPath: try #require(arguments.last)))
            }
        }

        @Test func browserThatCannotReadThePageIsGivenTheAddress() async throws {
            try await withDesk { desk in
                let browser = try await browser(in: desk.folder)
                let program = try login(desk, browser: "'\(browser.path(percentEncoded: false))' --url=%s")
                let address = try #require(try await arguments(of: browser).first?.dropFirst("--url=".count))
                try await Self.visit(try #require(URL(string: String(address))))
                #expect(await program.status() == 0)
            }
        }

        @Test(arguments: ["/absent/browser", "'firefox"])
        func noBrowserIsAMisconfiguration(command: String) async throws {
            try await withDesk { desk in
                let program = try login(desk, browser: command)
                #expect(await program.status() == 1)
                #expect(program.errors.contains("misconfigured: ") && program.output.isEmpty)
            }
        }

        @Test func takenPortIsAMisconfiguration() async throws {
            try await withDesk { desk in
                let server = try LoopbackServer.start { _ in .html("") }
                defer { server.stop() }
                let program = try desk.login("--port", "\(server.port)")
                #expect(await program.status() == 1)
                #expect(program.lines.last?["code"] == "misconfigured")
                #expect(program.lines.last?["message"]?.string?.contains("Port \(server.port)") == true)
            }
        }

        @Test func listenerIsAtTheHostOfTheOption() async throws {
            try await withDesk { desk in
                let program = try desk.login("--host", "localhost")
                #expect(try await desk.page(of: program).host() == "localhost")
                program.interrupt()
                #expect(await program.status() == 130)
                // The countdown is for a terminal.
                #expect(program.errors.isEmpty)
            }
        }

        // MARK: The end

        @Test func interruptEndsTheAttemptCleanly() async throws {
            try await withDesk { desk in
                let port = try UInt16.unsharedPort()
                let program = try desk.login("--port", "\(port)")
                let page = try await desk.page(of: program)
                #expect(page.port == Int(port))
                program.interrupt()
                #expect(await program.status() == 130)
                #expect(program.lines.last?["code"] == "cancelled" && program.lines.last?["ok"] == false)
                #expect(throws: RawClient.ConnectError.self) { try RawClient(port: port) }
            }
        }

        @Test(arguments: [EmulatorEndpoint.issuerMetadata, .issuerToken])
        func interruptEndsARequest(endpoint: EmulatorEndpoint) async throws {
            try await withDesk { desk in
                let gate = EmulatorGate()
                desk.emulator.inject(.held(until: gate), at: endpoint)
                let program = try desk.login()
                if endpoint == .issuerToken { try await Self.visit(try await desk.page(of: program)) }
                await gate.arrival()
                program.interrupt()
                #expect(await program.status() == 130)
                gate.open()
                #expect(try await desk.status(of: "status") == 3)
            }
        }

        /// The gate is opened after the program's end, so that nothing else can have ended its wait.
        @Test func interruptEndsARefresh() async throws {
            try await withDesk { desk in
                try await desk.signIn()
                let gate = EmulatorGate()
                desk.emulator.inject(.held(until: gate), at: .issuerToken)
                let program = try desk.run("token", "--force-refresh", "--json")
                await gate.arrival()
                program.interrupt()
                #expect(await program.status() == 130)
                gate.open()
            }
        }

        /// The session has ended here by the time that the issuer is told. What was done is reported as done.
        @Test func interruptAfterTheLogOutLeavesItDone() async throws {
            try await withDesk { desk in
                try await desk.signIn()
                let gate = EmulatorGate()
                desk.emulator.inject(.held(until: gate), at: .issuerRevocation)
                let program = try desk.run("logout", "--json")
                await gate.arrival()
                program.interrupt()
                #expect(await program.status() == 0 && program.lines.last?["ok"] == true)
                gate.open()
                #expect(try await desk.status(of: "status") == 3)
            }
        }

        #if os(Linux)
            /// The tests are the other process.
            @Test func interruptEndsTheWaitForTheRefreshOfAnotherProcess() async throws {
                try await withDesk { desk in
                    try await desk.signIn()
                    let store = FileSessionStore(folder: URL(filePath: desk.store))
                    let lock = try await store.lock(SessionStoreKey(rawValue: "refresh"), waitingAtMost: .seconds(1))
                    let program = try desk.run("token", "--force-refresh", "--json")
                    try await wait(for: "the program to wait for the lock") { try program.waitsForALock }
                    program.interrupt()
                    #expect(await program.status() == 130 && program.lines.last?["code"] == "cancelled")
                    lock.release()
                    #expect(desk.count(of: .issuerToken) == 1)
                    #expect(try await desk.status(of: "token", "--force-refresh") == 0)
                }
            }
        #endif

        @Test func timeLimitEndsARefresh() async throws {
            try await withDesk { desk in
                try await desk.signIn()
                let gate = EmulatorGate()
                desk.emulator.inject(.held(until: gate), at: .issuerToken)
                let program = try desk.run("token", "--force-refresh", "--timeout", "1", "--json")
                let status = await program.status()
                gate.open()
                #expect(status == 1 && program.lines.last?["code"] == "timedOut")
            }
        }

        @Test func timeLimitEndsTheAttempt() async throws {
            try await withDesk { desk in
                let program = try desk.login("--timeout", "1")
                #expect(await program.status() == 1)
                #expect(program.lines.last?["code"] == "timedOut" && program.lines.last?["retryable"] == true)
            }
        }

        // MARK: The store

        @Test func secondLoginOnAStoreIsRefused() async throws {
            try await withDesk { desk in
                let first = try desk.login()
                let page = try await desk.page(of: first)
                let second = try desk.login()
                #expect(await second.status() == 1)
                #expect(second.lines.last?["code"] == "timedOut")
                try await Self.visit(page)
                #expect(await first.status() == 0)
            }
        }

        @Test func loginAtAnotherIssuerKeepsTheSession() async throws {
            try await withDesk { desk in
                try await desk.signIn()
                let other = try desk.run("login", "--issuer", "https://id.invalid", "--client-id", "a", "--json")
                #expect(await other.status() == 1 && other.lines.last?["code"] == "misconfigured")
                #expect(try await desk.status(of: "status") == 0)
            }
        }

        /// The issuer is the same; the session is of the other client all the same.
        @Test(arguments: [["--client-id", "another"], ["--provider", "entra"], ["--dpop"]])
        func loginOfAnotherClientKeepsTheSession(words: [String]) async throws {
            try await withDesk { desk in
                try await desk.signIn()
                let other = try desk.login(words)
                #expect(await other.status() == 1 && other.lines.last?["code"] == "misconfigured")
                #expect(try await desk.status(of: "status") == 0)
            }
        }

        @Test func loginWithoutAKeyKeepsABoundSession() async throws {
            try await withDesk {
                $0.dpop = .supported
            } _: { desk in
                try await desk.signIn(.approve, "--dpop")
                let other = try desk.login()
                #expect(await other.status() == 1 && other.lines.last?["code"] == "misconfigured")
                #expect(try await desk.status(of: "status") == 0)
            }
        }

        @Test func anotherClientMayFollowAFailedLogin() async throws {
            try await withDesk { desk in
                let failed = try desk.login("--client-id", "another")
                _ = try await desk.page(of: failed)
                failed.interrupt()
                #expect(await failed.status() == 130)
                let status = try desk.run("status", "--json")
                #expect(await status.status() == 3 && status.lines.last?["code"] == "notSignedIn")
                try await desk.signIn()
            }
        }

        @Test func logoutDuringALoginIsRefused() async throws {
            try await withDesk { desk in
                let login = try desk.login()
                let page = try await desk.page(of: login)
                let logout = try desk.run("logout", "--json")
                #expect(await logout.status() == 1 && logout.lines.last?["code"] == "timedOut")
                try await Self.visit(page)
                #expect(await login.status() == 0)
            }
        }

        @Test(arguments: ["session", "signin-login"])
        func storeOfANewerVersionIsLeftAsItIs(record: String) async throws {
            try await withDesk { desk in
                try await desk.signIn()
                let store = FileSessionStore(folder: URL(filePath: desk.store))
                let key = SessionStoreKey(rawValue: record)
                let found = try await store.read(key)
                // A later version of each has a greater number.
                let newer = String(decoding: try #require(found.data), as: UTF8.self)
                    .replacing(/"version":(\[")?\d+/) { "\"version\":\($0.output.1 ?? "")99" }
                let version = try await store.write(Data(newer.utf8), for: key, replacing: found.version)
                for command in ["status", "token", "logout", "login"] {
                    let program = try desk.run(command, "--json")
                    #expect(await program.status() == 1 && program.lines.last?["code"] == "storage")
                }
                #expect(try await store.read(key).version == version)
            }
        }

        @Test func unreadableStoreIsNotAnEmptyOne() async throws {
            try await withDesk { desk in
                try await desk.signIn()
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: desk.store)
                let status = try desk.run("status", "--json")
                #expect(await status.status() == 1)
                #expect(status.lines.last?["code"] == "storage")
            }
        }
    }

    extension BuiltProgram {
        /// The objects that it has written so far.
        var lines: [AuthJSON] {
            output.split(separator: "\n").compactMap { try? JSONDecoder().decode(AuthJSON.self, from: Data($0.utf8)) }
        }
    }

    extension EmulatorEndpoint {
        fileprivate static func userInfoURL(at emulator: Emulator) -> String {
            let issuer = emulator.url(for: EmulatorConfiguration.Issuer.identifier).absoluteString
            return "\(issuer)/protocol/openid-connect/userinfo"
        }
    }
#endif
