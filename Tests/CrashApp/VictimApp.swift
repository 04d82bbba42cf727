import AuthStreams
import AuthStreamsTesting
import Foundation

/// The production manager, use case, repository, network and store, each with points where the process may end.
struct VictimApp {
    private let log: ProcessLog
    private let fuse: Fuse
    private let store: FileSessionStore
    private let manager: SessionManager
    private let refresh: RefreshSession
    private let signOut: AuthSignOut
    private let time = ManualClock()
    /// An element for each lock that was released.
    private let releases: AsyncStream<Void>
    /// What is to be done once the lock of all who refresh is about to be asked for.
    private let onQueueing: Lock<(@Sendable () -> Void)?>

    private static let refreshLock = SessionStoreKey(rawValue: "refresh")

    init(at base: URL, folder: URL, log: ProcessLog) {
        let fuse = Fuse(log: log)
        let clock = time.authClock(startingAt: Date())
        let (releases, released) = AsyncStream.makeStream(of: Void.self)
        self.releases = releases
        store = FileSessionStore(folder: folder) { step in
            fuse.pass("file.\(step.rawValue)")
            if step == .lockReleased { released.yield() }
        }
        let onQueueing = Lock<(@Sendable () -> Void)?>(nil)
        let fused = FusedStore(base: store, fuse: fuse) { name in
            if name == Self.refreshLock { onQueueing.withLock { $0.take() }?() }
        }
        self.onQueueing = onQueueing
        manager = SessionManager(store: fused, clock: clock)
        let transport = FusedTransport(base: URLSessionTransport.untimed(), fuse: fuse, log: log)
        let repository = ServerRepository.emulated(at: base, transport: transport, clock: clock)
        refresh = RefreshSession(repository: repository, manager: manager)
        signOut = AuthSignOut(repository: repository, manager: manager)
        self.log = log
        self.fuse = fuse
    }

    func refreshTwice(dyingAt point: Int) async {
        var released = releases.makeAsyncIterator()
        await restore()
        await take(forceRefresh: true)
        if case .signedOut(let reason) = manager.state {
            log.say("signedOut \(reason.map { "\($0)" } ?? "-")")
            return
        }
        // Tokens are handed out before the lock is released. The points are to have one order.
        await released.next()
        fuse.light(point)
        guard let token = try? await refresh.accessToken(forceRefresh: true) else { return }
        await released.next()
        fuse.pass("token.handedOut")
        log.say("token \(token.reveal())")
    }

    private func restore() async { _ = try? await manager.restore() }

    private func take(forceRefresh: Bool) async {
        do throws(AuthError) {
            log.say("token \(try await refresh.accessToken(forceRefresh: forceRefresh).reveal())")
        } catch {
            log.say("error \(error.code.rawValue)")
        }
    }

    /// - `expire`: from here on the token that all processes have is over.
    /// - `take`: eight callers at once ask for a token.
    /// - `queue`: the same, and says `asking` once the lock of all who refresh is about to be asked for.
    /// - `refresh`: asks for a new one.
    /// - `lock`: takes the lock of all who refresh, and keeps it.
    /// - `leave`: signs out.
    func obey() async {
        await restore()
        var held: SessionStoreLock?
        say("here")
        // Told so, because the end of the input may not be seen: a process that was started meanwhile may hold its other end.
        while let command = readLine(), command != "end" {
            switch command {
            case "expire": time.advance(by: .seconds(1000))
            case "take": await takeEightTimes()
            case "queue":
                onQueueing.withLock { $0 = { say("asking") } }
                await takeEightTimes()
            case "refresh": await take(forceRefresh: true)
            case "lock": held = try? await store.lock(Self.refreshLock)
            case "leave": for await _ in signOut() {}
            default: exit(2)
            }
            say(command)
        }
        held?.release()
    }

    private func takeEightTimes() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { await take(forceRefresh: false) } }
        }
    }
}
