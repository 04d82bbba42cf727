import AuthStreams
import Foundation

/// What another process notices of a process.
struct ProcessTraits {
    let isInMemory: Bool
    let holdsLock: Bool
    private let sending: TokenNumber?

    init(of process: ExploredProcess) {
        (isInMemory, holdsLock, sending) = (
            process.isInMemory, process.holdsLock, process.refresh.sending ?? process.migration.sending
        )
    }

    /// What two processes break together.
    func broken(beside other: ProcessTraits) -> String? {
        if let sending, sending == other.sending { return "Two processes send one refresh token at once." }
        return holdsLock && other.holdsLock ? "Two processes hold the refresh lock." : nil
    }
}

/// What must hold in each state and after each transition.
enum Invariants {
    /// A refresh token is about to be sent.
    static func sends(
        _ request: RefreshRequest, in world: SharedWorld, _ records: RecordTable, _ broken: inout [String]
    ) {
        guard let tokens = TokenNumber(request.session.refreshToken) else { return }
        let family = world.families[tokens.family]
        // Its mark went with its first record.
        guard !family.wasStoredAgain else { return }
        let snapshot = records.snapshots[Int(world.disk)]
        if records.tokens[Int(world.disk)] == tokens, snapshot.record?.isUnanswered != true {
            broken.append("A refresh token was sent that another process finds without a mark.")
        }
        if family.version > tokens.version, !family.isAnswerLost {
            broken.append("A refresh token was sent although an answer to it was read.")
        }
        if family.version > tokens.version, !request.isRepeat {
            broken.append("A repeat was taken for a first request.")
        }
    }

    /// The refresh token of another SDK's session is about to be sent.
    static func sends(
        _ request: MigrationRequest, isRepeat: Bool, in world: SharedWorld, _ broken: inout [String]
    ) {
        guard let tokens = TokenNumber(request.legacy.refreshToken) else { return }
        let family = world.families[tokens.family]
        guard family.version > tokens.version, !family.wasStoredAgain else { return }
        if !family.isAnswerLost { broken.append("Another SDK's token was sent although an answer to it was read.") }
        if !isRepeat { broken.append("A repeat was taken for a first request.") }
    }

    /// A record is about to be replaced on disk.
    static func writes(
        _ number: RecordTable.Number, _ section: ExploredProcess.Section, _ process: ExploredProcess,
        in world: inout SharedWorld, _ records: RecordTable, _ broken: inout [String]
    ) {
        let (before, after) = (records.tokens[Int(world.disk)], records.tokens[Int(number)])
        if let after, world.families[after.family].isEnded {
            // A process cannot know that a write of its own landed that failed, nor that another process ended that session.
            if case .signIn? = section.reason, case .persisting = section.purpose {
                (world.families[after.family].isEnded, world.families[after.family].wasStoredAgain) = (false, true)
            } else {
                broken.append("A session was stored again after its end.")
            }
        }
        if let before, before.family != after?.family {
            if !mayEnd(before, section, process, in: world) {
                broken.append("A session was removed that nothing ended.")
            }
            world.families[before.family].isEnded = true
        } else if let before, let after, before.version > after.version {
            broken.append("Newer tokens were overwritten by older ones.")
        }
        if before == nil, let after, case .mark = section.purpose {
            broken.append("The mark of a request brought session \(after.family) back.")
        }
        world.disk = number
    }

    /// Whether the decision that a process writes ends the session of other tokens on disk.
    private static func mayEnd(
        _ tokens: TokenNumber, _ section: ExploredProcess.Section, _ process: ExploredProcess, in world: SharedWorld
    ) -> Bool {
        let family = world.families[tokens.family]
        func isOlder(than moment: Timestamp) -> Bool {
            world.wasDateChanged || .seconds(Int64(family.bornAt)) <= moment.uptime
        }
        if family.isSuperseded { return true }
        switch section.purpose {
        case .signIn: return true
        case .persisting, .removingReplacedUser:
            switch section.reason {
            case .signIn(_, let moment)?, .signOut(_, let moment, _)?: return isOlder(than: moment)
            case .terminalRejection?: return family.isRevoked || family.version > tokens.version
            case .change?, nil: return false
            }
        case .mark, .refreshAnswer, .restoring, .following, .refreshSynchronizing, .refusal, .beginningMigration,
            .migrationSynchronizing, .migrationMark, .migrated, .withdrawalSynchronizing:
            return false
        }
    }

    /// Whether a step may change who is signed in, and to that user.
    private static func mayChange(to user: AuthUser.ID?, _ before: ExploredProcess, by action: Action) -> Bool {
        let purpose = before.section?.purpose
        switch (action, before.section?.stage) {
        case (.signsOut, _): return user == nil
        case (.endsWithdrawnSession, _):
            guard case .ending(let withdrawal) = before.withdrawal else { return false }
            // A report says nothing about a later sign-in of the same person.
            return user == nil
                && TokenNumber(before.machine.active?.session.refreshToken)?.family == withdrawal.family
        // The server refused the migration.
        case (.isRefused, _): return user == nil && before.machine.migration != nil
        case (.learnsWhatItRead, .read(let snapshot?)?):
            // Another process wrote it, or the server refused the refresh token.
            if case .refusal? = purpose, user == nil { return true }
            return user == snapshot.userID
        case (.learnsWhatItRead, _), (.learnsThatItWrote, _):
            switch purpose {
            case .signIn(_, let session)?, .migrated(let session, _)?: return user == session.user.id
            case .beginningMigration(let legacy, _)?: return user == legacy.user?.id
            case .refusal?: return user == nil
            default: return false
            }
        default: return false
        }
    }

    /// Why a session ends that a step ends.
    private static func expectedReason(_ before: ExploredProcess, by action: Action) -> SignOutReason {
        switch (action, before.section?.purpose, before.section?.stage, before.migration) {
        case (.signsOut, _, _, _): .user
        case (.endsWithdrawnSession, _, _, _): .revokedAtProvider
        case (.isRefused, _, _, .sent(_, let isRepeat)): isRepeat ? .refreshInterrupted : .expired
        case (.learnsWhatItRead, .refusal(let request)?, .read(let snapshot), _)
        where snapshot.map { $0.record != nil } ?? true:
            request.isRepeat ? .refreshInterrupted : .expired
        default: .elsewhere
        }
    }

    /// What a transition of one process breaks.
    static func broken(
        from before: ExploredProcess, to after: ExploredProcess, by action: Action, in world: SharedWorld,
        _ records: RecordTable
    ) -> [String] {
        guard after.isRunning, before.isRunning else { return [] }
        let (old, new) = (before.machine, after.machine)
        var broken: [String] = []
        func check(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { broken.append(text()) } }

        check(!new.isUnread || old.isUnread, "A process that knew who is signed in does not know any more.")
        let (user, next) = (old.session?.user.id, new.session?.user.id)
        if user != next {
            check(
                mayChange(to: next, before, by: action),
                "Who is signed in changed from \(user ?? "-") to \(next ?? "-") when \(action).")
        }
        let told = after.events.filter { $0.kind == .signedOut }.map(\.reason)
        if user != nil, next == nil, case .signedOut(let reason) = new.state {
            check(
                told == [reason],
                "The end of a session is reported as \(told), and shown as \(String(describing: reason))."
            )
            check(
                reason == expectedReason(before, by: action),
                "A session ended as \(String(describing: reason)) when \(action).")
        } else {
            check(told.isEmpty, "The end of a session is reported, and none ended.")
        }
        if case .signOut(let signedOut?, let moment, _)? = old.storage.pending?.reason, next == signedOut,
            !world.wasDateChanged, let tokens = TokenNumber(new.active?.session.refreshToken)
        {
            let bornAt = Duration.seconds(Int64(world.families[tokens.family].bornAt))
            check(bornAt > moment.uptime, "A user who signed out is signed in again.")
        }
        if let running = new.active?.refresh.operation {
            check(
                after.nextRefresh === running || after.refresh.operation === running && !after.isRefreshSuperseded,
                "Callers wait for a refresh that is not under way.")
            switch new.tokenDecision(.new, at: world.now.uptime) {
            case .join(let joined)?: check(joined === running, "A second refresh is under way.")
            case .persistFirst?, .fail?: break
            case .token?, .start?, .waitUntilKnown?, nil: broken.append("A second refresh begins beside the first.")
            }
        }
        if new.storage.withholdsToken {
            check(new.active != nil && new.currentToken == nil, "A withheld token is handed out.")
        }
        check(!new.storage.retainsLockInVain, "A lock is retained without a reason.")
        check(!new.storage.retainsLock || after.holdsLock, "A lock is retained that is not held.")
        check(
            !after.holdsLock || new.storage.retainsLock || after.refresh != .none || after.migration != .none,
            "A lock is held that nothing releases.")
        if let retryAt = new.storage.retryAt {
            check(new.due.map { $0 <= retryAt } ?? false, "A failed write is not retried.")
        }
        if let active = new.active, active.refresh.operation == nil, !new.storage.withholdsToken {
            check(new.refreshDue != nil, "A token is never refreshed ahead of its expiry.")
        }
        if new.storage.withholdsToken { check(new.due != nil, "A withheld token is never stored.") }
        if !after.isInMemory, let token = new.currentToken?.token, let held = TokenNumber(token),
            let stored = records.tokens[Int(world.disk)], stored.family == held.family
        {
            check(
                stored.version >= held.version,
                "A token is handed out that is not stored, and the store holds its predecessor.")
        }
        if !after.isInMemory, !new.isUnread, new.storage.pending == nil, let accepted = new.storage.accepted {
            // What another process takes over from another SDK is shown once the server has decided.
            let isOfMigration = if case .adoptable? = accepted.record?.kept { !new.hasSession } else { false }
            check(
                isOfMigration || accepted.record?.kept == new.record(at: .distantPast)?.kept,
                "Nothing is pending, and the record is not the present session's.")
        }
        return broken
    }

    /// What a process breaks once nothing is under way any more.
    static func brokenAtRest(
        _ process: ExploredProcess, in world: SharedWorld, _ records: RecordTable
    ) -> String? {
        guard process.isRunning else { return nil }
        if process.isBusy { return "A task waits for ever." }
        if process.machine.storage.pending != nil { return "A write is pending that nothing writes." }
        let (machine, stored) = (process.machine, records.snapshots[Int(world.disk)].record?.kept)
        // A migration whose process died continues at the next launch.
        if case .adoptable? = stored, !machine.hasSession { return nil }
        return machine.record(at: .distantPast)?.kept == stored
            ? nil : "At rest, a process shows another session than the store holds."
    }
}
