import AuthStreams
import Dispatch
import Foundation

/// Measures the package beside what one would write without it, in the same run.
@main
struct Bench {
    static func main() {
        LoopbackProxy.exemptThisMachine()
        switch Arguments(CommandLine.arguments.dropFirst()) {
        case .help:
            Console.say(Arguments.usage)
        case .wrong(let reason):
            Console.complain("\(reason)\n\(Arguments.synopsis)\nSee bench --help.")
            exit(2)
        case .load(let load):
            wait { await load.run() }
        case .run(let suite, let options):
            #if DEBUG
                if !options.rounds.isSmoke { Console.complain("This is a debug build: its figures say nothing.") }
            #endif
            let report: any Report =
                options.isJSON ? JSONReport() : TextReport(suite: suite, isSmoke: options.rounds.isSmoke)
            wait { exit(await suite.run(options, report) ? 0 : 1) }
        }
    }

    // The work is away from the main actor, or every writer would be on it. The main thread serves that actor meanwhile,
    // and stays, because valgrind does not survive what an asynchronous `main` makes of it.
    private static func wait(for work: @escaping @Sendable () async -> Void) {
        let isOver = Guarded(false)
        Task.detached {
            await work()
            isOver.withLock { $0 = true }
            // Ends the turn of the loop that waits for something to do.
            DispatchQueue.main.async {}
        }
        while !isOver.withLock({ $0 }) { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
}

extension Suite {
    /// - Returns: Whether no row misses what it must be.
    func run(_ options: Options, _ report: any Report) async -> Bool {
        var summary = Summary(suite: name, rounds: options.rounds)
        report.begin(summary)
        for measure in measures(options) where measure.ids.contains(where: options.wants) {
            for row in await measure.run(options.rounds) where options.wants(row.id) {
                report.add(row)
                summary.add(row)
            }
        }
        report.end(summary)
        return summary.isOK
    }
}
