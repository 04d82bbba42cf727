#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import Testing

    /// Runs the built `emulator` as a person does.
    @Suite struct EmulatorProgramTests {
        private final class Program {
            let process = Process()
            let output = Pipe()
            let errors = Pipe()
            private let ended = OneShot<Int32>()

            init(_ arguments: [String]) throws {
                let products = Bundle.main.bundleURL.resolvingSymlinksInPath()
                let folder = products.pathExtension == "xctest" ? products.deletingLastPathComponent() : products
                process.executableURL = folder.appending(path: "emulator")
                process.arguments = arguments
                process.standardOutput = output
                process.standardError = errors
                process.terminationHandler = { [ended] in ended.resolve($0.terminationStatus) }
                try process.run()
            }

            func status() async -> Int32? { await ended.value() }

            func errorText() -> String {
                String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            }
        }

        @Test(arguments: [["--port"], ["--port", "70000"], ["--port", "x"], ["--prot", "1"], ["9099"]])
        func badArgumentsShowTheUsageAndEndWithTwo(arguments: [String]) async throws {
            let program = try Program(arguments)
            #expect(await program.status() == 2)
            #expect(program.errorText().contains("usage: emulator"))
            #expect(program.output.fileHandleForReading.readDataToEndOfFile().isEmpty)
        }

        @Test func takenPortIsSaidAndEndsWithOne() async throws {
            try await withEmulator { emulator in
                let port = try #require(emulator.baseURL.port)
                let program = try Program(["--port", "\(port)"])
                #expect(await program.status() == 1)
                #expect(program.errorText().contains("Port \(port) on 127.0.0.1 is taken."))
            }
        }

        @Test func itServesUntilItIsInterrupted() async throws {
            let program = try Program(["--port", "0"])
            var text = ""
            while !text.contains("Ctrl-C ends it.") {
                let data = program.output.fileHandleForReading.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            let base = try #require(text.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)?.output)
            let url = try #require(URL(string: "\(base)/kauth.kakao.com/.well-known/openid-configuration"))
            #expect(try await URLSessionTransport().send(HTTPRequest(.get, url)).status == 200)
            program.process.interrupt()
            #expect(await program.status() == 0)
        }
    }
#endif
