#if os(Linux)
    import AuthStreams
    import Foundation
    import TestSupport
    import Testing

    /// The issuer of a server that was started for the test, and the port of its client's redirect.
    private let server = ProcessInfo.processInfo.environment["AUTHSTREAMS_OPENID_SERVER"]?
        .split(separator: " ").map(String.init)

    /// Plays `signin` at a real OpenID server, which `.ci/run openid-server` starts, in a browser that people use.
    ///
    /// The server is Glewlwyd. Its client answers at one port, so there is one test.
    @MainActor
    @Suite(
        .limitedParallelization,
        .enabled(if: server != nil && Chromium.program != nil, "No OpenID server was started."))
    struct OpenIDServerTests {
        private func signin(_ words: [String], in folder: URL) throws -> BuiltProgram {
            try BuiltProgram("signin", words + ["--json", "--store", folder.appending(path: "store").path()])
        }

        /// Begins a log-in.
        private func login(_ words: String..., in folder: URL) throws -> BuiltProgram {
            let secret = folder.appending(path: "secret")
            try Data("of-the-tool\n".utf8).write(to: secret)
            let client = ["--client-id", "signin", "--client-secret-file", secret.path(), "--scope", "email"]
            return try signin(
                [
                    "login", "--issuer", try #require(server?.first), "--port", try #require(server?.last),
                    "--no-browser",
                ]
                    + client + words,
                in: folder)
        }

        /// Runs a command to its end, and returns the last line.
        private func result(of words: String..., in folder: URL) async throws -> AuthJSON {
            let program = try signin(words, in: folder)
            #expect(await program.status() == 0, "\(words): \(program.output)")
            return try #require(program.lines.last)
        }

        private func line(_ event: AuthJSON, of program: BuiltProgram) async throws -> AuthJSON {
            try await wait(for: "the line '\(event)', or the end") {
                program.hasEnded || program.lines.contains { $0["event"] == event }
            }
            return try #require(program.lines.first { $0["event"] == event }, "\(program.output)")
        }

        /// Logs in at the server's page and agrees, by the requests that its scripts send; then returns where it leads.
        private func agree(on page: ChromiumPage) async throws {
            let next = try await page.result(
                of: """
                    (location.pathname != "/login.html" ? null : (() => {
                        const send = (method, path, body) => {
                            const request = new XMLHttpRequest();
                            request.open(method, path, false);
                            request.setRequestHeader("Content-Type", "application/json");
                            request.send(JSON.stringify(body));
                        };
                        send("POST", "/api/auth/", { username: "ada", password: "analytical" });
                        send("PUT", "/api/auth/grant/signin", { scope: "openid email" });
                        return new URLSearchParams(location.search).get("callback_url");
                    })())
                    """)
            try await page.load(try #require(URL(string: "\(next.string ?? "")&g_continue")))
        }

        @Test func personSignsInRefreshesAndSignsOut() async throws {
            try await withTemporaryFolder { folder in
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])

                // Nobody is logged in there, and nothing may be asked.
                let silent = try login("--param", "prompt=none", in: folder)
                try await Chromium.run { browser in
                    let start = try await line("authorize", of: silent)["url"]?.string.flatMap(URL.init(string:))
                    _ = await browser.open(try #require(start), universalLinksOnly: false)
                    #expect(await silent.status() == 1)
                    #expect(silent.lines.last?["code"] == "requiresRecentSignIn")
                }

                try await Chromium.run { browser in
                    let login = try login(in: folder)
                    let start = try await line("authorize", of: login)["url"]?.string.flatMap(URL.init(string:))
                    _ = await browser.open(try #require(start), universalLinksOnly: false)
                    let page = try await browser.page()
                    try await agree(on: page)
                    try await page.waitFor("You can close this window")
                    #expect(await login.status() == 0, "\(login.output)")
                    let user = try #require(login.lines.last?["user"])
                    #expect(user["email"] == "ada@example.com")

                    #expect(try await result(of: "status", in: folder)["user"] == user)
                    #expect(try await result(of: "userinfo", in: folder)["claims"]?["name"] == "Ada")
                    var tokens: Set<String> = []
                    for _ in 0..<2 {
                        let token = try await result(of: "token", "--force-refresh", "--show-token", in: folder)
                        #expect(token["expiresIn"]?.lenientInteger.map { $0 > 200 } == true)
                        tokens.insert(token["token"]?.string ?? "")
                    }
                    #expect(tokens.count == 2)
                    _ = try await result(of: "logout", in: folder)

                    let device = try self.login("--device", in: folder)
                    let code = try await line("device", of: device)
                    let address = "\(code["verificationURI"]?.string ?? "")?code=\(code["userCode"]?.string ?? "")"
                    try await page.load(try #require(URL(string: address)))
                    try await agree(on: page)
                    #expect(await device.status() == 0, "\(device.output)")
                    #expect(device.lines.last?["user"] == user)
                    _ = try await result(of: "logout", in: folder)
                }
            }
        }
    }
#endif
