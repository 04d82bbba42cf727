import AuthStreams
import Foundation

/// Walks a world to its end, and prints what was seen.
struct Exploration {
    /// How much may happen.
    enum World: String, CaseIterable {
        /// What a test walks in a moment.
        case tiny
        /// Two refreshes of one session, in one process or in both, beside a sign-out and a revocation.
        case small
        /// One refresh beside a sign-in, a sign-out and a revocation.
        case mixed
        /// A session of another SDK, which both processes find.
        case adoption
        /// Two sign-ins and a sign-out.
        case signIns = "sign-ins"
        /// A sign-in that an earlier process began, beside another and a sign-out.
        case resumedSignIns = "resumed-sign-ins"
        /// Two refreshes beside a sign-in, one of which may wait behind the other.
        case refreshes
        /// Two refreshes, and a lock that is lost.
        case locks
        /// Two changes of the profile beside a refresh and a sign-in.
        case changes
        /// Access tokens that come beside the same refresh token, with a change of the profile or a refresh, and a lock that is lost.
        case renewals
        /// An account that is deleted beside a sign-in and a refresh.
        case deletions
        /// A sign-out on all devices beside a sign-in and a refresh.
        case everywhere
        /// One refresh and one sign-in beside a provider's report that the person withdrew the app's access.
        case withdrawals
        /// A record that becomes unreadable.
        case damages
        /// Two sign-ins over a record that becomes unreadable.
        case damagedSignIns = "damaged-sign-ins"
        /// A sign-out over a record that becomes unreadable, of a session that is refreshed, and a store that fails twice.
        case damagedSignOuts = "damaged-sign-outs"
        /// A store that fails twice beside a sign-in and a sign-out, so that records are removed.
        case removals
        /// A store that fails twice beside a sign-in and two refreshes of it.
        case failures
        /// Tokens that have expired.
        case time
        /// All of it together. It has no end that a computer comes to in an hour.
        case whole

        var beginnings: [Beginning] {
            switch self {
            case .tiny, .mixed, .signIns, .resumedSignIns, .removals, .failures: [.empty, .stored]
            case .small, .refreshes, .locks, .changes, .renewals, .deletions, .everywhere, .withdrawals, .damages,
                .damagedSignIns,
                .damagedSignOuts, .time:
                [.stored]
            case .adoption: [.adoptable(isUserKnown: true), .adoptable(isUserKnown: false)]
            case .whole: [.empty, .stored, .adoptable(isUserKnown: true), .adoptable(isUserKnown: false)]
            }
        }

        var budget: SharedWorld.Budget {
            switch self {
            case .tiny: SharedWorld.Budget(storeFailures: 1, signIns: 1)
            case .small:
                SharedWorld.Budget(
                    storeFailures: 2, lostAnswers: 1, deaths: 1, lockTimeouts: 1, signOuts: 1, refreshes: 2,
                    revocations: 1)
            case .mixed:
                SharedWorld.Budget(
                    storeFailures: 1, lostAnswers: 1, deaths: 1, lockTimeouts: 1, signIns: 1, signOuts: 1,
                    refreshes: 1, revocations: 1)
            case .adoption:
                SharedWorld.Budget(
                    storeFailures: 1, lostAnswers: 1, deaths: 1, signOuts: 1, refreshes: 1, revocations: 1)
            case .signIns: SharedWorld.Budget(storeFailures: 1, deaths: 1, signIns: 2, signOuts: 1)
            case .resumedSignIns: SharedWorld.Budget(storeFailures: 1, signIns: 1, resumedSignIns: 1, signOuts: 1)
            case .refreshes: SharedWorld.Budget(storeFailures: 1, signIns: 1, signOuts: 1, refreshes: 2)
            case .locks:
                SharedWorld.Budget(storeFailures: 1, lostAnswers: 1, lockLosses: 1, signOuts: 1, refreshes: 2)
            case .changes: SharedWorld.Budget(storeFailures: 1, signIns: 1, refreshes: 1, changes: 2)
            case .renewals:
                SharedWorld.Budget(storeFailures: 1, lockLosses: 1, refreshes: 2, changes: 1, renewals: 2)
            case .deletions: SharedWorld.Budget(storeFailures: 1, signIns: 1, deletions: 1, refreshes: 1)
            case .everywhere: SharedWorld.Budget(storeFailures: 1, signIns: 1, signOutsEverywhere: 1, refreshes: 1)
            case .withdrawals:
                SharedWorld.Budget(storeFailures: 1, deaths: 1, signIns: 1, withdrawals: 1, refreshes: 1)
            case .damages:
                SharedWorld.Budget(storeFailures: 1, damages: 1, signIns: 1, refreshes: 1)
            case .damagedSignIns: SharedWorld.Budget(storeFailures: 1, damages: 1, signIns: 2)
            case .damagedSignOuts: SharedWorld.Budget(storeFailures: 2, damages: 1, signOuts: 1, refreshes: 1)
            case .removals: SharedWorld.Budget(storeFailures: 2, signIns: 1, signOuts: 1)
            case .failures: SharedWorld.Budget(storeFailures: 2, deaths: 1, signIns: 1, refreshes: 2)
            case .time: SharedWorld.Budget(storeFailures: 1, lostAnswers: 1, signOuts: 1, refreshes: 2, hours: 1)
            case .whole:
                SharedWorld.Budget(
                    storeFailures: 2, lostAnswers: 1, deaths: 1, lockTimeouts: 1, lockLosses: 1, damages: 1, signIns: 2,
                    resumedSignIns: 1, signOuts: 2, signOutsEverywhere: 1, deletions: 1, withdrawals: 1, refreshes: 2,
                    changes: 2, renewals: 1, revocations: 1, hours: 1)
            }
        }
    }

    let world: World
    /// How many states are looked at.
    let limit: Int

    /// - Returns: Whether every invariant held.
    func run() -> Bool {
        Console.say("faults explore --world \(world.rawValue) --states \(limit)")
        let result = Explorer(limit: limit).explore(world.beginnings, world.budget)
        Console.say(result.text)
        return result.failure == nil
    }
}

extension Explorer.Result {
    var text: String {
        let figures = """
              states         \(states)
              transitions    \(transitions)
              depth          \(depth)\(isWhole ? "" : ", not complete")
              state machine  \(evaluated) pairs of a process and what it shares, of \(processes) processes
              played to rest \(rested) states
              time           \(String(format: "%.1f", seconds)) s, \(Int(Double(states) / max(seconds, 0.001))) states a second
            """
        guard let failure else {
            let extent = isWhole ? "Every state was seen" : "The first \(states) states were seen"
            return "\(figures)\n\n\(extent), and every invariant held."
        }
        return "\(figures)\n\nBROKEN: \(failure.broken)\n\n" + failure.way.map { "  \($0)" }.joined(separator: "\n")
    }
}
