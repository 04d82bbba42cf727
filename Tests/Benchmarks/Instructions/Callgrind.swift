import Foundation

/// Counts instructions by running this program again, under valgrind.
struct Callgrind: Sendable {
    /// Why there is no count.
    struct Obstacle: Error {
        let reason: String
    }

    private let valgrind: URL
    private let program: URL

    /// - Throws: Why it cannot be done here.
    init() throws(Obstacle) {
        guard let valgrind = Self.find("valgrind") else { throw Obstacle(reason: "Needs valgrind.") }
        guard let program = Bundle.main.executableURL else { throw Obstacle(reason: "This program cannot be found.") }
        (self.valgrind, self.program) = (valgrind, program)
    }

    /// The instructions of one delivery to 100 readers: the difference of two sizes, so that starting counts for nothing.
    func instructionsPerDelivery(_ contender: Load.Contender, in rounds: Rounds) throws(Obstacle) -> Double {
        let sizes = [rounds.isSmoke ? 2 : 100, rounds.isSmoke ? 4 : 300]
        var counts: [Double] = []
        for size in sizes { counts.append(try instructions(of: Load(contender: contender, emissions: size))) }
        let load = Load(contender: contender, emissions: 0)
        // Each size is warmed up by a tenth more.
        let emissions = Double(sizes[1] + sizes[1] / 10) - Double(sizes[0] + sizes[0] / 10)
        return (counts[1] - counts[0]) / (emissions * Double(load.readers))
    }

    private func instructions(of load: Load) throws(Obstacle) -> Double {
        let process = Process()
        process.executableURL = valgrind
        process.arguments =
            ["--tool=callgrind", "--callgrind-out-file=/dev/null", program.path()] + load.words
        let output = Pipe()
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        do { try process.run() } catch { throw Obstacle(reason: "valgrind could not be started.") }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let count = Self.collected(in: text) else {
            throw Obstacle(reason: "valgrind cannot run this build. Perhaps a stripped one with --static-swift-stdlib.")
        }
        return count
    }

    /// The number in callgrind's line `Collected : N`.
    static func collected(in text: String) -> Double? {
        text.firstMatch(of: #/Collected\s*:\s*(\d+)/#).flatMap { Double($0.1) }
    }

    private static func find(_ program: String) -> URL? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { URL(filePath: String($0)).appending(path: program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
    }
}
