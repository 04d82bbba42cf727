import Foundation

/// The tasks of a service, which run from its launch until it is released.
///
/// They hold the manager and the repository, and no provider.
final class BackgroundWork: Sendable {
    private let unclaimed: UnclaimedCallbacks
    /// Reads the store.
    private let launch: Task<Void, Never>
    private let others: [Task<Void, Never>]

    /// Begins to read the store, and starts what follows: refreshing ahead of expiry, following other processes and the
    /// providers, removing the secrets of an attempt that is too old.
    init(of registry: ProviderRegistry, repository: any AuthRepository, manager: SessionManager) {
        let refreshing = RefreshSession(repository: repository, manager: manager)
        unclaimed = UnclaimedCallbacks(
            resume: ResumeAttempt(
                registry: registry, manager: manager, refreshing: refreshing,
                signIn: SignIn(repository: repository, manager: manager),
                link: LinkProvider(repository: repository, manager: manager, refreshing: refreshing),
                reauthenticate: Reauthenticate(repository: repository, manager: manager, refreshing: refreshing)))
        let revocations = FollowRevocations(registry.revocations, repository: repository, manager: manager)
        // Before the first read, so that no change is missed.
        let changes = manager.store.changes(of: .session)
        let notesChanges = manager.store.changes(of: .notes)
        let notesWereRead = Promise<Void>()
        launch = TaskSpawner.start {
            await manager.restoreUntilRead()
            await manager.discardAdopted()
        }
        others = [
            TaskSpawner.start { await refreshing.runSchedule() },
            TaskSpawner.start { await manager.follow(changes) },
            TaskSpawner.start {
                guard await notesWereRead.value() != nil else { return }
                await PendingAttempts(manager: manager).removeExpiredSecrets()
            },
            TaskSpawner.start { await revocations.run() },
            TaskSpawner.start {
                await LastSignIns(manager: manager).follow(notesChanges) { notesWereRead.resolve(()) }
            },
            TaskSpawner.start { await LastSignIns(manager: manager).repeatFailedChanges() },
        ]
    }

    deinit {
        launch.cancel()
        stop()
    }

    /// Ends the tasks that start something without a caller.
    func stop() { for task in others { task.cancel() } }

    /// Tries whether a URL answers an attempt of an earlier process.
    func resume(with url: URL) { unclaimed.add(url) }
}
