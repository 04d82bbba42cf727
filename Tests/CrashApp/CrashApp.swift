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
/// - `obey`: does what each line of standard input says, and says so on standard output.
/// - `visit PROVIDER`: signs in, says on standard output which page it would open, and waits to be ended.
@main
struct CrashApp {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let base = URL(string: arguments[1]), let log = ProcessLog(at: arguments[3]) else {
            exit(2)
        }
        let app = VictimApp(at: base, folder: URL(filePath: arguments[2]), log: log)
        switch (arguments[4], arguments.count) {
        case ("refresh", 6): await app.refreshTwice(dyingAt: Int(arguments[5]) ?? 0)
        case ("obey", 5): await app.obey()
        case ("visit", 6):
            await AwayApp(at: base, folder: URL(filePath: arguments[2])).signIn(
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
