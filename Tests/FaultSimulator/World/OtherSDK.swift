import AuthStreams

/// The planned session of another SDK.
struct AdoptableSessionPlan: Hashable, Sendable {
    let user: Int
    /// Whether that SDK can say whose session it is.
    let isKnown: Bool
    /// Until when the app's repository cannot adopt it: an update that is configured wrongly.
    let unsupportedUntil: Milliseconds
}

/// The SDK that an earlier version of the app used: its session, in a place of its own on the disk.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class OtherSDK: @unchecked Sendable {
    private unowned let world: World
    private let plan: AdoptableSessionPlan
    /// Its session.
    let family: Int
    /// Whether it has not discarded it.
    private(set) var isThere = true

    init(_ plan: AdoptableSessionPlan, _ world: World) {
        self.plan = plan
        self.world = world
        family = world.server.begin(plan.user)
    }

    var user: Int { plan.user }

    /// Whether it says whose session it is.
    var isKnown: Bool { plan.isKnown }

    func token(_ number: Int) -> TokenName { TokenName(.refresh, family: family, number: number) }

    /// Whether the app's repository can adopt it by now.
    var isSupported: Bool { world.isCalm || world.now >= plan.unsupportedUntil }

    /// How a process of the app gets at it.
    func adoption(for process: AppProcess) -> SessionAdoption {
        SessionAdoption { [self] in
            try await DiskStore(process).access("looks for the session of another SDK", orElse: .failure(.broken)) {
                self.find(by: process)
            }.get()
        } discard: { [self] in
            try await DiskStore(process).access("makes the other SDK discard its session", orElse: .failure(.broken)) {
                self.discard()
            }.get()
        }
    }

    private func find(by process: AppProcess) -> Result<AdoptableSession?, AuthError> {
        guard !world.disk.isLocked else { return .failure(.locked) }
        guard !world.disk.failsReads || !world.chance.oneIn(2) else {
            process.conduct.couldNotLook(at: world.ledger.mark())
            return .failure(.broken)
        }
        guard isThere else { return .success(nil) }
        process.conduct.foundAdoptableSession()
        let user = plan.isKnown ? AuthUser(id: "u\(plan.user)") : nil
        return .success(AdoptableSession(refreshToken: Secret("\(token(0))"), user: user, provider: .kakao))
    }

    private func discard() -> Result<Void, AuthError> {
        guard !world.disk.isLocked else { return .failure(.locked) }
        guard !world.disk.failsWrites || !world.chance.oneIn(2) else { return .failure(.broken) }
        world.ledger.discardsAdoptableSession()
        isThere = false
        return .success(())
    }
}
