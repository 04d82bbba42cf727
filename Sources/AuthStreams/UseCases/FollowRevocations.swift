/// Follows what the provider of the present session says about the app's access, and signs out when the person withdrew it.
///
/// ```
/// states       signedIn(ada) ─────────────────── signedOut ── signedIn(bob) ──▶
/// revocations  ╰─ of ada's identity ── withdrawn ─╯           ╰─ of bob's ────▶
/// ```
struct FollowRevocations: Sendable {
    private let reports: [ProviderID: [RevocationReports]]
    private let manager: SessionManager
    private let signOut: SignOut

    init(_ reports: [ProviderID: [RevocationReports]], repository: any AuthRepository, manager: SessionManager) {
        self.reports = reports
        self.manager = manager
        signOut = SignOut(repository: repository, manager: manager)
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
