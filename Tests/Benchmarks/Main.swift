import AuthStreams
import Foundation

/// Measures the package beside what one would write without it, in the same run.
@main
struct Bench {
    static func main() async {
        LoopbackProxy.exemptThisMachine()
        do throws(UsageError) {
            switch try Command(CommandLine.arguments.dropFirst()) {
            case .help: say(Command.usage)
            case .run(let suite, let options): exit(await run(suite, options) ? 0 : 1)
            }
        } catch {
            complain("\(error.reason)\n\(Command.synopsis)\nSee bench --help.")
            exit(2)
        }
    }

    /// Runs away from the main actor, which the writers would otherwise share with the emulated browser.
    ///
    /// - Returns: Whether everything worked and no figure misses its bound.
    @concurrent
    private static func run(_ suite: Suite, _ options: Options) async -> Bool {
        #if DEBUG
            if !options.rounds.isSmoke { complain("This is a debug build: its figures mean nothing.") }
        #endif
        let table = Table(columns: [.ours] + suite.rivals, isSmoke: options.rounds.isSmoke)
        if !options.isJSON { say(table.head(suite.summary, options.rounds)) }
        var verdicts: [Verdict] = []
        for measure in suite.measures where options.selects(measure.id) {
            let row = await measure.row(options.rounds)
            say(options.isJSON ? JSONLine(row).json : table.line(row))
            verdicts.append(row.verdict)
        }
        let summary = Summary(suite: suite.name, options.rounds, verdicts)
        say(options.isJSON ? summary.json : summary.text)
        return summary.isOK
    }

    /// Writes a line at once, also into a pipe: a run takes minutes.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private static func complain(_ text: String) { FileHandle.standardError.write(Data("bench: \(text)\n".utf8)) }
}
