import AuthStreams

extension Simulation {
    /// Looks at what has come to rest, piece by piece up to the first that is wrong.
    func judge() {
        for look in [
            world.ledger.nextIsAhead, everyCallEnded, readersSawTheState, world.eventsFit, world.serverIsTold,
            adoptionIsKept, sessionsWork, storeAgrees,
            world.ledger.decisionsAreStored, nextLaunchFindsIt,
            nothingIsLeft,
        ] {
            guard world.finding == nil else { return }
            look()
        }
    }

    private func everyCallEnded() {
        for process in world.processes where process.isAlive {
            if process.jobs.hasGuests {
                world.broke(.staysOnSchedule, "something of process \(process.id + 1) ran on another thread.")
            }
            for call in process.conduct.calls where call.isOpen {
                world.broke(.oneResult, "\(call.name) in process \(process.id + 1) does not end.")
            }
        }
    }

    private func readersSawTheState() {
        for process in world.processes where process.isAlive {
            guard let present = process.service?.state, let first = process.conduct.readers.first else { continue }
            for reader in process.conduct.readers where !reader.hasLeft {
                if reader.states.last != present {
                    world.broke(
                        .readersSeeTheState,
                        """
                        a reader of process \(process.id + 1) saw \(reader.states.last?.story ?? "nothing") last, and it \
                        is \(present.story).
                        """)
                }
                if !reader.states.fits(first.states) {
                    world.broke(.readersSeeTheState, "two readers of process \(process.id + 1) saw different stories.")
                }
            }
        }
    }

    private func adoptionIsKept() {
        guard let other = world.otherSDK, !other.isThere, world.disk.token == nil, !world.disk.isDamaged else { return }
        guard !world.ledger.hasEnded(other) else { return }
        world.broke(.adoptionLosesNothing, "the session of another SDK is stored nowhere any more.")
    }

    private func sessionsWork() {
        world.note(nil, "does everything work?")
        let running = world.processes.filter { $0.isAlive && $0.service != nil && $0.conduct.state.user != nil }
        for process in running {
            // A client whose tokens were all refused does not ask for another until one was taken.
            let isFresh = !process.conduct.calls.contains(where: \.isData)
            if isFresh, world.plan.isAboutAccounts { process.data(.plain) } else { process.use() }
        }
        go(until: world.now + 120_000)
        for process in running where process.conduct.state.user != nil && !process.isOver {
            guard let call = process.conduct.calls.last, call.isOpen || !call.hasSucceeded else { continue }
            world.broke(.itWorksAgain, "process \(process.id + 1) is signed in, and no request succeeds.")
        }
    }

    private func storeAgrees() {
        let stored = world.disk.content?.session
        for process in world.processes where process.isAlive && process.service != nil {
            // A damaged record stays until a process writes that has read it, or decides something.
            if world.disk.isDamaged, process.knownVersion != world.ledger.present { continue }
            guard process.snapshot?.holds(stored) == false else { continue }
            world.broke(
                .storeAgrees,
                """
                it holds \(stored?.token?.description ?? "none"), and in process \(process.id + 1) it is \
                \(process.present?.description ?? "none").
                """)
        }
    }

    private func nextLaunchFindsIt() {
        guard world.chance.oneIn(2) else { return }
        world.note(nil, "does the next launch find it?")
        world.running(0)?.kill()
        launch(0)
        go(until: world.now + 5000)
        let kept = world.disk.token.map { world.server.user(of: $0.family) }
        guard let process = world.running(0), world.finding == nil, process.conduct.state.number != kept else { return }
        world.broke(
            .nothingIsLost,
            "it holds user \(kept.told), and the next launch shows user \(process.conduct.state.number.told).")
    }

    private func nothingIsLeft() {
        world.note(nil, "all services are released")
        for process in world.processes { process.releaseService() }
        go(until: world.now + 10_000)
        for process in world.processes where process.isAlive { process.leaked.map { world.broke(.nothingLeaks, $0) } }
        if world.disk.watcherCount > 0 { world.broke(.nothingLeaks, "a watcher still listens for changes.") }
        if world.disk.locks.count > 0 { world.broke(.nothingLeaks, "a lock is still held or waited for.") }
    }
}

extension AppProcess {
    /// Whether its session has no refresh token and its access token is over, which ends nothing.
    fileprivate var isOver: Bool {
        guard !world.plan.hasRefreshTokens, let session = conduct.session else { return false }
        return world.ledger.hasRunOut(session, in: self) || world.server.families[session].ending != nil
    }

    /// The part of the library that is still there after its service was released.
    fileprivate var leaked: String? {
        let what: String? =
            if openTasks > 0 { "\(openTasks) tasks" } else if weakService != nil {
                "the service"
            } else if weakStore
                != nil
            { "the manager, or who else holds the store," } else if weakLine != nil {
                "the repository, or who else holds the transport,"
            } else if conduct.readers.contains(where: { !$0.isOver }) { "a reader" } else { nil }
        return what.map { "\($0) of process \(id + 1) is still there." }
    }
}

extension Int? {
    fileprivate var told: String { map(String.init) ?? "none" }
}

extension Array where Element: Equatable {
    /// Whether the one that came later has the end of what the other has.
    fileprivate func fits(_ other: Self) -> Bool {
        let both = Swift.min(count, other.count)
        return suffix(both).elementsEqual(other.suffix(both))
    }
}
