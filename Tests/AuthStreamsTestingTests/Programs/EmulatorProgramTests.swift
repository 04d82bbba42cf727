#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// Runs the built `emulator` as a person does.
    @Suite(.limitedParallelization) struct EmulatorProgramTests {
        @Test(arguments: [
            ["--port"], ["--port", "70000"], ["--port", "x"], ["--prot", "1"], ["9099"], ["--host"], ["--config"],
        ])
        func badArgumentsShowTheUsageAndEndWithTwo(arguments: [String]) async throws {
            let program = try BuiltProgram("emulator", arguments)
            #expect(await program.status() == 2)
            #expect(program.errors.contains("usage: emulator"))
            #expect(program.output.isEmpty)
        }

        @Test func takenPortIsSaidAndEndsWithOne() async throws {
            try await withEmulator { emulator in
                let port = try #require(emulator.baseURL.port)
                let program = try BuiltProgram("emulator", ["--port", "\(port)"])
                #expect(await program.status() == 1)
                #expect(program.errors.contains("Port \(port) is taken on this machine."))
            }
        }

        private static func file(_ text: String) throws -> URL {
            let file = FileManager.default.temporaryDirectory.appending(path: "emulator-\(UUID().uuidString).json")
            try Data(text.utf8).write(to: file)
            return file
        }

        @Test func configurationThatIsWrongIsSaidWithItsLine() async throws {
            let file = try Self.file("{\n  \"kakao\": { \"restApiKey\": \"key\" }\n}")
            defer { try? FileManager.default.removeItem(at: file) }
            let program = try BuiltProgram("emulator", ["--config", file.path()])
            #expect(await program.status() == 2)
            #expect(program.errors.contains(file.path()) && program.errors.contains("Line 2 of the configuration"))
            #expect(program.errors.contains("'kakao.restApiKey': Unknown setting."))
            let missing = try BuiltProgram("emulator", ["--config", "/no/such/file.json"])
            #expect(await missing.status() == 2)
            #expect(missing.errors.contains("/no/such/file.json"))
        }

        @Test func configurationIsReadAndTheCommandLineCountsMore() async throws {
            let file = try Self.file(
                #"{ "appName": "Bookshelf", "issuerNames": "served", "kakao": { "restAPIKey": "my-key" } }"#)
            defer { try? FileManager.default.removeItem(at: file) }
            let program = try BuiltProgram(
                "emulator", ["--production-issuers", "--config", file.path(), "--port", "0"])
            try await wait(for: "the emulator to say how to end it") { program.output.contains("Ctrl-C ends it.") }
            #expect(program.output.contains("my-key"))
            for secret in EmulatorConfiguration().secrets {
                for line in secret.value.split(separator: "\n") { #expect(program.output.contains(line)) }
            }
            let base = try #require(program.output.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)?.output)
            let url = try #require(URL(string: "\(base)/kauth.kakao.com/.well-known/openid-configuration"))
            let metadata = try await URLSessionTransport.untimed().send(AuthHTTPRequest(.get, url))
            #expect(AuthJSON(json: metadata.body)?["issuer"] == "https://kauth.kakao.com")
            program.interrupt()
            #expect(await program.status() == 0)
        }

        @Test func controlNeedsTheTokenThatIsPrinted() async throws {
            let program = try BuiltProgram("emulator", ["--port", "0", "--control"])
            try await wait(for: "the emulator to say how to end it") { program.output.contains("Ctrl-C ends it.") }
            let token = try #require(program.output.firstMatch(of: /Bearer ([-0-9A-F]+)'/)?.output.1)
            let control = try #require(program.output.firstMatch(of: /http:\S+\/emulator\/control/)?.output)
            let url = try #require(URL(string: "\(control)/appName"))
            for (authorization, status) in [("Bearer \(token)", 200), ("Bearer x", 401)] {
                let request = AuthHTTPRequest(.get, url, headers: [.authorization: authorization])
                #expect(try await URLSessionTransport.untimed().send(request).status == status)
            }
            program.interrupt()
            #expect(await program.status() == 0)
        }

        @Test func dashboardIsOpenedIfAskedFor() async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "opened-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            let program = try BuiltProgram(
                "emulator", ["--port", "0", "--open"], environment: ["BROWSER": "cp %f \(file.path())"])
            try await wait(for: "the browser's page") { FileManager.default.fileExists(atPath: file.path()) }
            try await wait(for: "the page to be whole") {
                let base = program.output.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)?.output
                return try base.map { try String(contentsOf: file, encoding: .utf8).contains($0) } ?? false
            }
            program.interrupt()
            #expect(await program.status() == 0)
        }

        @Test func schemaIsJSON() async throws {
            let program = try BuiltProgram("emulator", ["--schema"])
            #expect(await program.status() == 0)
            #expect(AuthJSON(json: Data(program.output.utf8))?["properties"]?["kakao"] != nil)
        }

        @Test func itServesUntilItIsInterrupted() async throws {
            let program = try BuiltProgram("emulator", ["--port", "0", "--host", "device.test"])
            try await wait(for: "the emulator to say how to end it") { program.output.contains("Ctrl-C ends it.") }
            let text = program.output
            let base = try #require(text.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)?.output)
            let url = try #require(URL(string: "\(base)/kauth.kakao.com/.well-known/openid-configuration"))
            #expect(try await URLSessionTransport.untimed().send(AuthHTTPRequest(.get, url)).status == 200)
            let forDevice = AuthHTTPRequest(.get, url, headers: ["host": "device.test"])
            #expect(try await URLSessionTransport.untimed().send(forDevice).status == 200)
            program.interrupt()
            #expect(await program.status() == 0)
        }
    }
#endif
