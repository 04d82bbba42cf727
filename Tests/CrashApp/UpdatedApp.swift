import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// An app that was updated from another SDK, whose process may end at any point of the adoption.
struct UpdatedApp {
    let base: URL
    let folder: URL
    let log: ProcessLog
    /// The refresh token that the other SDK has stored.
    let token: Secret

    /// Launches, gets an access token, and finishes what is under way.
    func launch(dyingAt point: Int) async {
        let fuse = Fuse(log: log)
        fuse.light(point)
        let store = FusedStore(base: FileSessionStore(folder: folder) { fuse.pass("file.\($0.rawValue)") }, fuse: fuse) {
            _ in
        }
        let transport = FusedTransport(base: URLSessionTransport.untimed(), fuse: fuse, log: log)
        let adoption = SessionAdoption {
            fuse.pass("adoption.find")
            return AdoptableSession(refreshToken: token)
        } discard: {
            fuse.pass("adoption.discard")
            log.say("discarded -")
        }
        let auth = AuthService(
            .repository(ServerRepository.emulated(at: base, transport: transport)), providers: [],
            platform: .commandLine(store: store, transport: transport), adoption: adoption)
        do throws(AuthError) { log.say("token \(try await auth.accessToken().reveal())") } catch {
            log.say("error \(error.code.rawValue)")
        }
        if case .signedOut(let reason) = auth.state { log.say("signedOut \(reason.map { "\($0)" } ?? "-")") }
        _ = await auth.finish()
    }
}
