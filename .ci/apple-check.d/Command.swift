import Foundation

/// Why there is no answer.
struct CannotLook: Error {
    let reason: String
}

/// A finished command: its exit status, and what it printed.
struct Command {
    let status: Int32
    let output: String
    let errors: String

    /// Runs a command and waits for its end.
    ///
    /// It prints into files. A pipe that is read too late would stop it.
    init(_ arguments: [String], in folder: URL) throws {
        let stem = FileManager.default.temporaryDirectory.appending(path: "apple-check-\(UUID().uuidString)").path
        let files = [URL(filePath: stem + ".out"), URL(filePath: stem + ".err")]
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        output = String(decoding: try Data(contentsOf: files[0]), as: UTF8.self)
        errors = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
    }

    /// Returns what a command printed that has to succeed.
    static func output(of arguments: [String], in folder: URL) throws -> Data {
        let command = try Command(arguments, in: folder)
        guard command.status == 0 else {
            throw CannotLook(reason: "'\(arguments.joined(separator: " "))' failed: \(command.errors.suffix(600))")
        }
        return Data(command.output.utf8)
    }
}
