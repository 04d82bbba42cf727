import AuthStreams
import AuthStreamsTesting
import Foundation

/// An app in a process of its own, which refreshes a session and may be made to die at any point on the way.
///
/// Arguments: where the emulator listens, the folder of the session store, a log that all processes append to, and what to
/// do:
///
/// - `refresh N`: refreshes once undisturbed, which shows what the process before left; then once more, and ends itself by
///   SIGKILL at the N-th point that it passes, never for 0.
/// - `adopt TOKEN N`: adopts the session of another SDK that has that refresh token, as the first launch after an update does, and
///   ends itself by SIGKILL at the N-th point that it passes, never for 0.
/// - `obey`: does what each line of standard input says, and says so on standard output.
/// - `tool ENDING SECONDS PAUSE`: runs as a command-line tool whose clock is that many seconds ahead, and exits after that many
///   milliseconds; see `ToolApp`.
/// - `visit PROVIDER`: signs in, says on standard output which page it would open, and waits to be ended.
@main
struct CrashApp {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let base = URL(string: arguments[1]), let log = ProcessLog(at: arguments[3]) else {
            exit(2)
        }
        let folder = URL(filePath: arguments[2])
        switch (arguments[4], arguments.count) {
        case ("refresh", 6):
            await VictimApp(at: base, folder: folder, log: log).refreshTwice(dyingAt: Int(arguments[5]) ?? 0)
        case ("adopt", 7):
            await UpdatedApp(at: base, folder: folder, log: log, token: Secret(arguments[5]))
                .launch(dyingAt: Int(arguments[6]) ?? 0)
        case ("obey", 5): await VictimApp(at: base, folder: folder, log: log).obey()
        case ("tool", 8):
            guard let ending = ToolApp.Ending(rawValue: arguments[5]) else { exit(2) }
            await ToolApp(at: base, folder: folder, log: log, aheadBy: TimeInterval(arguments[6]) ?? 0)
                .run(ending, after: .milliseconds(Int(arguments[7]) ?? 0))
        case ("visit", 6):
            await AwayApp(at: base, folder: folder).signIn(
                with: ProviderID(rawValue: arguments[5]))
        default: exit(2)
        }
        exit(0)
    }
}

/// Writes a line to standard output, at once.
func say(_ words: String) {
    FileHandle.standardOutput.write(Data("\(words)\n".utf8))
}
