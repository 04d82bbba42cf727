import AuthStreams

extension Simulation {
    /// Does a step. What needs a running process is skipped where there is none.
    func perform(_ step: Step) {
        guard world.finding == nil else { return }
        if performOnDevice(step.act) { return }
        guard let process = world.running(step.process), !process.isFrozen || step.act.reachesTheFrozen else { return }
        switch step.act {
        case .signIn(let identity): process.signIn(identity)
        case .signInAnonymously: process.signInAnonymously()
        case .signOut: process.signOut()
        case .signOutEverywhere: process.signOutEverywhere()
        case .link(let identity): process.link(identity)
        case .unlink(let provider): process.unlink(provider)
        case .reauthenticate(let person): process.reauthenticate(as: person)
        case .deleteAccount: process.deleteAccount()
        case .data(let kind): process.data(kind)
        case .token(let callers, let force): for _ in 0..<callers { process.token(force: force) }
        case .use: process.use()
        case .cancel: cancel(process)
        case .hidePrompts(let span): process.hidePrompts(for: span)
        case .presentPrompts: process.presentPrompts()
        case .read(let states): process.readStates(atMost: states)
        case .kill(let pause):
            for other in together(with: process) {
                other.kill()
                world.after(pause) { launch(other.role) }
            }
        case .freeze(let span):
            for other in together(with: process) {
                other.freeze()
                if world.plan.losesLocks, span > Self.lease {
                    world.after(Self.lease) { world.disk.loseLocks(of: other) }
                }
                world.after(span) { other.thaw() }
            }
        case .loseLocks: world.disk.loseLocks(of: process)
        case .restart(let pause):
            world.note(process, "releases the service")
            process.releaseService()
            world.after(pause) { launch(step.process) }
        default: break
        }
    }

    /// After how long the lease of a process that stands still is another's.
    private static let lease: Milliseconds = 20_000

    /// - Returns: Whether it was for the device or the server.
    private func performOnDevice(_ act: Step.Act) -> Bool {
        switch act {
        case .offline(let span):
            world.note(nil, "the network is gone for \(span / 1000) s")
            world.isOffline = true
            world.after(span) { world.isOffline = false }
        case .damage:
            world.note(nil, "the record of the session is damaged")
            world.disk.damage()
        case .newerForm(let span):
            world.note(nil, "a newer version writes the record of the session")
            world.disk.write(inNewerForm: true)
            world.after(span) { world.disk.write(inNewerForm: false) }
        case .lock(let span):
            world.note(nil, "the device is locked for \(span / 1000) s")
            world.disk.lockDevice()
            world.after(span) { world.disk.unlockDevice() }
        case .failWrites(let span):
            world.note(nil, "writing may fail for \(span / 1000) s")
            world.disk.failsWrites = true
            world.after(span) { world.disk.failsWrites = false }
        case .failReads(let span):
            world.note(nil, "reading may fail for \(span / 1000) s")
            world.disk.failsReads = true
            world.after(span) { world.disk.failsReads = false }
        case .setClock(let error):
            world.note(nil, "the device's clock is set wrong by \(error / 1000) s")
            world.clockError = error
        case .revoke(let user):
            world.note(nil, "the server revokes the sessions of user \(user)")
            world.server.revoke(user)
        case .disable(let user):
            world.note(nil, "the server disables user \(user)")
            world.server.refuse(user, .userDisabled)
        case .delete(let user):
            world.note(nil, "the server deletes user \(user)")
            world.server.refuse(user, .userNotFound)
        default: return false
        }
        return true
    }

    /// What dies and stands still with a process.
    private func together(with process: AppProcess) -> [AppProcess] {
        guard world.plan.isOneProcess else { return [process] }
        return (0..<world.plan.processes).compactMap(world.running)
    }

    private func cancel(_ process: AppProcess) {
        let open = process.conduct.calls.filter(\.isOpen)
        guard !open.isEmpty else { return }
        let call = open[world.chance.below(open.count)]
        world.note(process, "\(call.name) is cancelled")
        call.isCancelled = true
        call.task?.cancel()
    }
}

extension Step.Act {
    /// Whether it can be done to a process that stands still.
    fileprivate var reachesTheFrozen: Bool { if case .kill = self { true } else { false } }
}

extension World {
    /// The process in that role whose service is there.
    func running(_ role: Int) -> AppProcess? {
        processes.last { $0.role == role && $0.isAlive && $0.service != nil }
    }
}
