import AuthStreams
import Foundation

/// Signs in at any OpenID Connect issuer from a terminal, and uses the session: `signin --help`.
@main
struct Signin {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        let output = Output(isJSON: words.contains("--json"))
        guard words != ["help"], !words.contains("--help"), !words.contains("-h") else { return print(Arguments.usage) }
        let command = AuthJSON.string(words.prefix(1).first { !$0.hasPrefix("-") } ?? "")
        do throws(AuthError) {
            let report = try await run(try Arguments(words), output).get()
            output.event("result", report.members.merging(["ok": true, "command": command]) { $1 })
            output.line(report.text)
        } catch {
            var members: [String: AuthJSON] = ["ok": false, "command": command, "retryable": .bool(error.isRetryable)]
            members["code"] = .string(error.code.rawValue)
            members["message"] = .string(error.explanation)
            output.event("result", members)
            output.note("signin: \(error.code): \(error.explanation)")
            let isOver = error.classification.sessionEnd != nil && words.first != "login"
            let statuses: [AuthError.Code: Int32] = [Arguments.wrong("").code: 2, .notSignedIn: 3, .cancelled: 130]
            exit(statuses[error.code] ?? (isOver ? 3 : 1))
        }
    }
    /// Runs a command. Ctrl-C and the time limit cancel it: it then closes its listener and removes its page. A second Ctrl-C
    /// ends the process at once.
    private static func run(_ arguments: Arguments, _ output: Output) async -> Result<Program.Report, AuthError> {
        let attempt = AuthStream { try await Program(arguments: arguments, output: output).run() }
        let bounded = arguments.timeout.map { attempt.timeout($0) } ?? attempt
        let (ready, start) = AsyncStream<Void>.makeStream()
        let command = Task {
            // Ctrl-C can follow whatever the command prints.
            for await _ in ready {}
            return await bounded.result
        }
        let countdown = Task { await output.countDown() }
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        defer { interrupt.cancel() }
        interrupt.setEventHandler {
            signal(SIGINT, SIG_DFL)
            command.cancel()
        }
        interrupt.setRegistrationHandler { start.finish() }
        interrupt.activate()
        let result = await command.value
        countdown.cancel()
        await countdown.value
        return result
    }
}
