import Foundation

extension Measure {
    /// The command-line tool from its start to its end, beside an empty program.
    static let commandStart = Measure(
        id: "signin-status", title: "signin status, without a session", unit: "ms", figure: .cost(beside: .empty),
        bound: .atMost(must: 5, aim: 4)
    ) { rounds in
        let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "signin")
        guard FileManager.default.isExecutableFile(atPath: tool.path()) else {
            throw Unavailable(
                description: "Build it with the same configuration: swift build -c release --product signin.")
        }
        let (source, empty) = (folder.appending(path: "empty.swift"), folder.appending(path: "empty"))
        try Data().write(to: source)
        try run("/usr/bin/env", ["swiftc", "-O", source.path(), "-o", empty.path()], expecting: 0)
        let store = folder.appending(path: "store").path()
        let count = rounds.scaled(20)
        return try await rounds.interleave([
            (
                .ours,
                {
                    try await mean(of: count) { try run(tool.path(), ["status", "--store", store], expecting: 3) } / 1e6
                }
            ),
            (.empty, { try await mean(of: count) { try run(empty.path(), [], expecting: 0) } / 1e6 }),
        ])
    }

    private static func run(_ program: String, _ arguments: [String], expecting status: Int32) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == status else {
            throw Mistake(description: "\(program) ended with status \(process.terminationStatus), not \(status).")
        }
    }
}
