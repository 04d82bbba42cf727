import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// A command-line tool: each run asks for a token once, and exits.
struct ToolApp {
    enum Ending: String {
        /// The tool has its token, and exits while the service may be in the middle of something.
        case exit
        /// The tool no longer waits for its token, finishes what is under way, and exits.
        case finish
    }
    private let auth: AuthService
    private let log: ProcessLog

    /// - Parameter seconds: How far the tool's clock is ahead of the system's.
    init(at base: URL, folder: URL, log: ProcessLog, aheadBy seconds: TimeInterval) {
        let clock = AuthClock(ContinuousClock()) { Date().addingTimeInterval(seconds) }
        let transport = FusedTransport(base: URLSessionTransport.untimed(), fuse: Fuse(log: log), log: log)
        auth = AuthService(
            .repository(ServerRepository.emulated(at: base, transport: transport, clock: clock)), providers: [],
            platform: .commandLine(store: FileSessionStore(folder: folder), transport: transport, clock: clock))
        self.log = log
    }

    func run(_ ending: Ending, after pause: Duration) async {
        let token = Task {
            do throws(AuthError) { log.say("token \(try await auth.accessToken().reveal())") } catch {
                log.say("error \(error.code.rawValue)")
            }
        }
        if ending == .exit { await token.value }
        try? await Task.sleep(for: pause)
        if ending == .finish {
            token.cancel()
            log.say("finished \(await auth.finish())")
        }
        if case .signedOut(let reason) = auth.state { log.say("signedOut \(reason.map { "\($0)" } ?? "-")") }
    }
}
