#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// Runs the built `emulator` as a person does.
    @Suite(.limitedParallelization) struct EmulatorProgramTests {
        @Test(arguments: [["--port"], ["--port", "70000"], ["--port", "x"], ["--prot", "1"], ["9099"], ["--host"]])
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

        @Test func itServesUntilItIsInterrupted() async throws {
            let program = try BuiltProgram("emulator", ["--port", "0", "--host", "device.test"])
            try await wait(for: "the emulator to say how to end it") { program.output.contains("Ctrl-C ends it.") }
            let text = program.output
            let base = try #require(text.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)?.output)
            let url = try #require(URL(string: "\(base)/kauth.kakao.com/.well-known/openid-configuration"))
            #expect(try await URLSessionTransport().send(AuthHTTPRequest(.get, url)).status == 200)
            let forDevice = AuthHTTPRequest(.get, url, headers: ["host": "device.test"])
            #expect(try await URLSessionTransport().send(forDevice).status == 200)
            program.interrupt()
            #expect(await program.status() == 0)
        }
    }
#endif
