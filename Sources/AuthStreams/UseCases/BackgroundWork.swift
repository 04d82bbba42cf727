import Foundation

/// The tasks of a service, which run from its launch until it is released.
///
/// They hold the manager and the repository, and no provider.
final class BackgroundWork: Sendable {
    private let unclaimed: UnclaimedCallbacks
    /// Reads the store.
    let launch: Task<Void, Never>
    private let others: [Task<Void, Never>]

    /// Begins to read the store, and starts what follows: refreshing ahead of expiry, following other processes and the
    /// providers, removing the secrets of an attempt that is too old.
    init(of registry: ProviderRegistry, repository: any AuthRepository, manager: SessionManager) {
        let refreshing = RefreshSession(repository: repository, manager: manager)
        unclaimed = UnclaimedCallbacks(resume: ResumeAttempt(registry: registry, refreshing: refreshing))
        let revocations = FollowRevocations(registry.revocations, repository: repository, manager: manager)
        // Before the first read, so that no change is missed.
        let changes = manager.store.changes(of: .session)
        let notesChanges = manager.store.changes(of: .notes)
        let notesWereRead = Promise<Void>()
        launch = TaskSpawner.start {
            await manager.restoreUntilRead()
            guard !Task.isCancelled else { return }
            manager.startDiscarding()
            await refreshing.checkKey()
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

/// Follows what the provider of the present session says about the app's access, and signs out when the person withdrew it.
///
/// ```
/// states       signedIn(ada) ─────────────────── signedOut ── signedIn(bob) ──▶
/// revocations  ╰─ of ada's identity ── withdrawn ─╯           ╰─ of bob's ────▶
/// ```
struct FollowRevocations: Sendable {
    private let reports: [ProviderID: [RevocationReports]]
    private let manager: SessionManager
    private let signOut: AuthSignOut

    init(_ reports: [ProviderID: [RevocationReports]], repository: any AuthRepository, manager: SessionManager) {
        self.reports = reports
        self.manager = manager
        signOut = AuthSignOut(repository: repository, manager: manager)
    }

    /// Follows one session after the other, until the states end or the task is cancelled.
    func run() async {
        guard !reports.isEmpty else { return }
        var followed: ProviderIdentity?
        var following: Task<Void, Never>?
        defer { following?.cancel() }
        for await _ in manager.states {
            let identity = manager.read { $0.providerIdentity }
            guard identity != followed else { continue }
            following?.cancel()
            followed = identity
            // No child task, because a group cannot cancel one alone. A sign-out that it has begun ends all the same.
            following = identity.map { identity in TaskSpawner.start { await follow(identity) } }
        }
    }

    private func follow(_ identity: ProviderIdentity) async {
        await withTaskGroup(of: Void.self) { group in
            for reports in reports[identity.provider] ?? [] {
                group.addTask {
                    for await _ in reports.about(identity.userID) {
                        await signOut.accessRevoked(by: identity)
                    }
                }
            }
        }
    }
}
