import AuthStreams
import AuthStreamsTesting
import Foundation

/// An app that was updated from another SDK, whose process may end at any point of the adoption.
struct UpdatedApp {
    private let log: ProcessLog
    private let fuse: Fuse
    private let manager: SessionManager
    private let refresh: RefreshSession
    /// An element for each lock that was released.
    private let releases: AsyncStream<Void>

    /// - Parameter token: The refresh token that the other SDK has stored.
    init(at base: URL, folder: URL, log: ProcessLog, token: Secret) {
        let fuse = Fuse(log: log)
        let (releases, released) = AsyncStream.makeStream(of: Void.self)
        let store = FileSessionStore(folder: folder) { step in
            fuse.pass("file.\(step.rawValue)")
            if step == .lockReleased { released.yield() }
        }
        manager = SessionManager(
            store: FusedStore(base: store, fuse: fuse, onAsking: { _ in }),
            adoption: SessionAdoption(
                find: {
                    fuse.pass("adoption.find")
                    return AdoptableSession(refreshToken: token)
                },
                discard: {
                    fuse.pass("adoption.discard")
                    log.say("discarded -")
                }))
        let transport = FusedTransport(base: URLSessionTransport.untimed(), fuse: fuse, log: log)
        refresh = RefreshSession(
            repository: ServerRepository.emulated(at: base, transport: transport), manager: manager)
        (self.log, self.fuse, self.releases) = (log, fuse, releases)
    }

    /// Does what a launch does, one step after the other, so that the points have one order.
    func launch(dyingAt point: Int) async {
        var released = releases.makeAsyncIterator()
        fuse.light(point)
        _ = try? await manager.restore()
        await manager.discardAdopted()
        do throws(AuthError) {
            let token = try await refresh.accessToken()
            // A token is handed out before the lock is released.
            if point > 0 { await released.next() }
            log.say("token \(token.reveal())")
        } catch {
            log.say("error \(error.code.rawValue)")
        }
        if case .signedOut(let reason) = manager.state { log.say("signedOut \(reason.map { "\($0)" } ?? "-")") }
    }
}
