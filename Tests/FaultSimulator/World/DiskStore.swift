import AuthStreams
import Foundation

/// The store of one process on the shared disk.
final class DiskStore: SessionStore {
    private let process: AppProcess

    init(_ process: AppProcess) {
        self.process = process
    }

    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        let process = process
        let result = await access("reads \(key.rawValue)", orElse: .failure(.broken)) {
            process.world.disk.read(key, by: process)
        }
        if key == .session, case .success(let stored) = result, process.isAlive { process.learned(stored) }
        return try result.get()
    }

    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        let process = process
        let ledger = process.world.ledger
        let attempt =
            key == .session ? ledger.willWrite(RecordContent(data), replacing: version, by: process) : nil
        let verb = data == nil ? "removes" : "writes"
        let name = process.world.timeline.isKept ? " \(attempt?.content?.session?.token?.description ?? "")" : ""
        let result = await access("\(verb) \(key.rawValue)\(name)", orElse: .failure(.broken)) {
            process.world.disk.write(data, for: key, replacing: version, attempt, by: process)
        }
        if key == .session, case .success(let written?) = result, process.isAlive,
            ledger.log.indices.contains(Int(written.rawValue))
        {
            process.conduct.wrote(ledger.log[Int(written.rawValue)])
        }
        return try result.get()
    }

    func waitUntilUnlocked() async {
        let reply = process.reply(orElse: ())
        process.world.disk.waitUntilUnlocked(reply)
        await withTaskCancellationHandler {
            await reply.wait()
        } onCancel: {
            reply.give(())
        }
    }

    func changes(of key: SessionStoreKey) -> AsyncStream<Void> {
        let process = process
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard process.isAlive else { return continuation.finish() }
            let watcher = DiskWatcher(key, of: process, continuation)
            process.world.disk.watch(watcher)
            continuation.onTermination = { _ in process.world.disk.unwatch(watcher) }
        }
    }

    func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock {
        let (process, world) = (process, process.world)
        let reply: Reply<Result<SessionStoreLock, AuthError>> = process.reply(orElse: .failure(.broken))
        guard process.isAlive else { return try await reply.wait().get() }
        let claim = ClaimBox()
        let held = DiskLocks.Claim(name, of: process.id) {
            guard process.isAlive, !reply.isGiven else { return }
            // One that stood still may have lost it before it knew of it, and then waits again.
            guard claim.enter(in: world) else { return }
            world.note(process, "holds the lock \(name.rawValue)")
            process.conduct.locked(true, at: world.ledger.mark())
            let lock = SessionStoreLock {
                world.flaw == .lossUnnoticed || claim.isHeld(in: world)
            } release: {
                claim.release(in: world, process)
            }
            reply.give(.success(lock))
            world.disk.mayLoseLock(of: process)
        }
        claim.claim = held
        world.after(0, of: process.id) {
            guard !reply.isGiven else { return }
            if world.disk.locks.enter(held) { return held.grant() }
            // Its holder may have been stopped, and keeps it.
            world.after(Int(limit / .milliseconds(1)), of: process.id) {
                guard reply.give(.failure(.lockIsTaken)) else { return }
                world.note(process, "waits for the lock \(name.rawValue) no longer")
                process.conduct.locked(false, at: world.ledger.mark())
                claim.leave(in: world, process)
            }
        }
        return try await withTaskCancellationHandler {
            if Task.isCancelled { reply.give(.failure(.cancelled)) }
            return await reply.wait()
        } onCancel: {
            if reply.give(.failure(.cancelled)) { claim.leave(in: world, process) }
        }.get()
    }

    /// Does something that takes effect at one moment and is heard of at the same or a later one.
    func access<Value: Sendable>(
        _ what: @autoclosure () -> String, orElse lost: Result<Value, AuthError>,
        _ effect: @escaping () -> Result<Value, AuthError>
    ) async -> Result<Value, AuthError> {
        let (process, world) = (process, process.world)
        let reply = process.reply(orElse: lost)
        guard process.isAlive else { return await reply.wait() }
        let what = world.timeline.isKept ? what() : ""
        world.after(delay(), of: process.id) {
            let outcome = effect()
            world.note(process, what + outcome.suffix)
            let pause = self.delay()
            guard pause > 0 || world.chance.oneIn(2) else {
                _ = reply.give(outcome)
                return
            }
            world.after(pause, of: process.id) { reply.give(outcome) }
        }
        return await reply.wait()
    }

    private func delay() -> Milliseconds {
        let world = process.world
        return !world.isCalm && world.chance.oneIn(world.plan.slowDisk) ? 500 * (1 + world.chance.below(3)) : 0
    }
}

/// The claim that a lock releases.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
private final class ClaimBox: @unchecked Sendable {
    var claim: DiskLocks.Claim?

    func isHeld(in world: World) -> Bool { claim.map(world.disk.locks.isHeld) ?? false }

    /// Takes the lock if it is free.
    ///
    /// - Returns: Whether it is held.
    func enter(in world: World) -> Bool {
        guard let claim else { return false }
        return world.disk.locks.isHeld(claim) || world.disk.locks.enter(claim)
    }

    func release(in world: World, _ process: AppProcess) {
        if process.isAlive, let claim { world.note(process, "releases the lock \(claim.name.rawValue)") }
        process.conduct.released()
        leave(in: world, process)
    }

    /// Releases what is held, or stops waiting for it.
    func leave(in world: World, _ process: AppProcess) {
        guard process.isAlive, let claim = claim.take() else { return }
        if let next = world.disk.locks.leave(claim) { world.after(0, of: next.owner) { next.grant() } }
    }
}

extension Result where Failure == AuthError {
    fileprivate var suffix: String {
        if case .failure(let error) = self { ": \(error.code.rawValue)" } else { "" }
    }
}
