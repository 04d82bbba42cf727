import AuthStreams
import AuthStreamsTesting
import Foundation

extension Measure {
    /// The command-line tool from its start to its end, beside an empty program.
    static let commandStart = Measure(
        id: "signin-status", title: "signin status, with a session", unit: "ms", figure: .cost(beside: .empty),
        bound: .atMost(must: 5, aim: 4)
    ) { rounds in
        let folder = try Program.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = try Program(named: "signin", store: folder.appending(path: "store").path())
        try await tool.logIn()
        let empty = try Program.empty(in: folder)
        let count = rounds.scaled(20)
        return try await rounds.interleave([
            (.ours, { try await mean(of: count) { try tool.run("status") } / 1_000_000 }),
            (.empty, { try await mean(of: count) { try empty.run() } / 1_000_000 }),
        ])
    }
}

/// A program that is run from its start to its end.
struct Program: Sendable {
    let url: URL
    var store: String?

    init(url: URL, store: String? = nil) { (self.url, self.store) = (url, store) }

    /// A program of the package, beside this one.
    init(named name: String, store: String? = nil) throws {
        self.init(
            url: URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name),
            store: store)
        guard FileManager.default.isExecutableFile(atPath: url.path()) else {
            throw Unavailable(description: "Build it likewise: swift build -c release --product \(name).")
        }
    }

    /// Makes a folder for the files of programs.
    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    /// Compiles a program without a statement.
    static func empty(in folder: URL) throws -> Program {
        let (source, program) = (folder.appending(path: "empty.swift"), folder.appending(path: "empty"))
        try Data().write(to: source)
        try Program(url: URL(filePath: "/usr/bin/env")).run("swiftc", "-O", source.path(), "-o", program.path())
        return Program(url: program)
    }

    /// - Throws: ``Mistake`` if it does not succeed.
    func run(_ words: String...) throws {
        let process = process(words)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try expectSuccess(of: process)
    }

    /// Starts it, and ends it when it has printed a text.
    ///
    /// - Returns: The nanoseconds until then.
    func start(_ words: String..., until text: String) throws -> Double {
        let (process, output) = (process(words), Pipe())
        process.standardOutput = output
        let begin = ContinuousClock.now
        try process.run()
        var printed = Data()
        while printed.range(of: Data(text.utf8)) == nil {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Mistake(description: "\(url.lastPathComponent) did not print '\(text)'.") }
            printed += data
        }
        let time = begin.nanoseconds(per: 1)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return time
    }

    /// Logs a person in at the emulated issuer.
    func logIn() async throws {
        var configuration = EmulatorConfiguration()
        configuration.issuer.redirectURIs.append("http://127.0.0.1/callback")
        let emulator = try Emulator.start(configuration)
        defer { emulator.stop() }
        let issuer = emulator.url(for: EmulatorConfiguration.Issuer.identifier).absoluteString
        let process = process([
            "login", "--issuer", issuer, "--client-id", "pulseboard-app", "--no-browser", "--json",
        ])
        let output = Pipe()
        process.standardOutput = output
        let page = Promise<URL?>()
        let lines = Lock("")
        output.fileHandleForReading.readabilityHandler = { handle in
            let text = lines.withLock { lines in
                lines += String(decoding: handle.availableData, as: UTF8.self)
                return lines
            }
            for line in text.split(separator: "\n") where line.hasSuffix("}") {
                let event = try? JSONDecoder().decode(AuthJSON.self, from: Data(line.utf8))
                guard event?["event"] == "authorize" else { continue }
                if let url = event?["url"]?.string.flatMap(URL.init(string:)) { page.resolve(url) }
            }
        }
        let end = Promise<Void>()
        process.terminationHandler = { _ in
            page.resolve(nil)
            end.resolve(())
        }
        try process.run()
        if let url = await page.value() ?? nil {
            let browser = await ScriptedBrowser(.approve, transport: URLSessionTransport())
            _ = await browser.open(url, universalLinksOnly: false)
            await browser.waitUntilSettled()
        }
        _ = await end.value()
        output.fileHandleForReading.readabilityHandler = nil
        try expectSuccess(of: process)
    }

    private func process(_ words: [String]) -> Process {
        let process = Process()
        process.executableURL = url
        process.arguments = words + (store.map { ["--store", $0] } ?? [])
        return process
    }

    private func expectSuccess(of process: Process) throws {
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Mistake(description: "\(url.lastPathComponent) ended with status \(process.terminationStatus).")
        }
    }
}
