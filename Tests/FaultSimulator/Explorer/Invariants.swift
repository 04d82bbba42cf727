import AuthStreams
import Foundation

/// What another process notices of a process.
struct ProcessTraits {
    let isInMemory: Bool
    let holdsLock: Bool

    init(of process: ExploredProcess) { (isInMemory, holdsLock) = (process.isInMemory, process.lock == .held) }

    /// What two processes break together.
    func broken(beside other: ProcessTraits) -> String? {
        holdsLock && other.holdsLock ? "Two processes hold the refresh lock." : nil
    }
}

/// What must hold in each state and after each transition.
///
/// The order of decisions is that of readings and writes in the shared world, so each has one right outcome and no clock is asked.
enum Invariants {
    // MARK: Tokens

    /// A refresh token is about to be sent.
    static func sends(
        _ request: RefreshRequest, in world: inout SharedWorld, _ records: RecordTable, _ broken: inout [String]
    ) {
        guard let tokens = TokenNumber(request.kept.refreshToken) else { return }
        sends(tokens, isRepeat: request.isRepeat, in: &world, records, &broken)
    }

    private static func sends(
        _ tokens: TokenNumber, isRepeat: Bool, in world: inout SharedWorld, _ records: RecordTable,
        _ broken: inout [String]
    ) {
        let isMarked = records.snapshots[Int(world.disk)].session?.isSent == true
        if records.tokens[Int(world.disk)] == tokens, !isMarked, !world.families[tokens.family].isMarkMissing {
            broken.append("A refresh token was sent that another process finds without a mark.")
        }
        let family = world.families[tokens.family]
        if family.sent > tokens.version, !family.mayBeSentAgain, !world.wasDamaged {
            broken.append("A refresh token was sent again without a cause.")
        }
        if family.version > tokens.version, !isRepeat, !family.isMarkMissing {
            broken.append("A repeat was taken for a first request.")
        }
        world.families[tokens.family].sent = max(family.sent, tokens.version + 1)
        world.families[tokens.family].mayBeSentAgain = false
    }

    // MARK: Writes

    /// A record is about to be replaced on disk.
    ///
    /// - Parameter judged: What the process that writes has ended.
    static func writes(
        _ number: RecordTable.Number, _ write: ExploredProcess.Section.Write, by judged: ExploredProcess.Judged,
        in world: inout SharedWorld, _ records: RecordTable, _ broken: inout [String]
    ) {
        let (before, after) = (records.tokens[Int(world.disk)], records.tokens[Int(number)])
        let stages = [world.disk, number].map { records.snapshots[Int($0)].stage }
        if let after, before?.family != after.family, world.families[after.family].isGone {
            broken.append("A session that had ended is stored again.")
        }
        if let before, before.family != after?.family {
            if !judged.hasEnded(before.family), !isRefusal(of: before, write, in: world) {
                broken.append("A session was removed that nothing ended.")
            }
            (world.families[before.family].isEnded, world.families[before.family].isGone) = (true, true)
        } else if let before, let after, let old = stages[0], let new = stages[1] {
            if before.version > after.version || old.tokens > new.tokens {
                broken.append("Newer tokens were overwritten by older ones.")
            }
            if old.edition > new.edition { broken.append("A newer user was overwritten by an older one.") }
        }
        if case .mark = write, before != after, world.disk != RecordTable.damaged {
            broken.append("A mark changed more than a mark.")
        }
        // After a damage, this says anew what ended.
        for id in write.record.history.ended where world.wasDamaged {
            let family = SharedWorld.family(of: id)
            (world.families[family].isEnded, world.families[family].isGone) = (true, true)
        }
        world.disk = number
    }

    /// Whether the server has refused these tokens, and takes them no more.
    private static func isRefusal(
        of tokens: TokenNumber, _ write: ExploredProcess.Section.Write, in world: SharedWorld
    ) -> Bool {
        guard case .decision(let attempt) = write, case .refusal = attempt.decision.kind else { return false }
        return !world.answers(tokens)
    }

    /// A record was read, to write a decision over it or to give that up. Before the decision is made, what is found is older.
    static func learned(
        _ before: ExploredProcess, _ process: inout ExploredProcess, in world: inout SharedWorld,
        _ broken: inout [String]
    ) {
        guard let decision = before.machine.storage.pending, case .read(let snapshot)? = before.section?.stage,
            let record = snapshot ?? before.machine.storage.lastSeen
        else { return }
        // Rule 1a: a changed user may be decided anew for the session that took this one's place.
        let next = process.machine.storage.pending?.next
        let isDropped = process.machine.storage.pending == nil || next?.id != decision.next?.id
        let isWritten = if case .writing(.decision)? = process.section?.stage { true } else { false }
        let present = record.session.map { SharedWorld.family(of: $0.id) }
        let older = record.record == nil && record.stored.data != nil ? world.hidden : present
        let found = before.judged.found
        if isDropped || isWritten, found == nil, let older {
            process.judged.endFound(older, by: decision, in: &world)
        }
        guard isDropped else { return }
        process.judged.found = nil
        droppedSignIn(decision, made: found, for: present, record, in: &world, &broken)
        if decision.isUserUnread, let changed = decision.next, let theirs = record.session,
            changed.userID == theirs.userID, changed.profile > (next ?? theirs).profile
        {
            broken.append("A change of the profile was given up, and its user is signed in.")
        }
    }

    /// A decision is given up for a record, which is right for a sign-in only where the record is later.
    ///
    /// - Parameters:
    ///   - found: What the reading found at which it was made.
    ///   - present: The session of the record.
    private static func droppedSignIn(
        _ dropped: PendingWrite, made found: ExploredProcess.Judged.Found?, for present: Int?,
        _ record: RecordSnapshot, in world: inout SharedWorld, _ broken: inout [String]
    ) {
        switch dropped.kind {
        case .signIn, .resumedSignIn: break
        default: return
        }
        guard let next = dropped.next.map({ SharedWorld.family(of: $0.id) }), next != present else { return }
        defer { world.families[next].mayBeMissing = true }
        guard let found else {
            if dropped.kind == .signIn { broken.append("A sign-in was given up at its first reading.") }
            return
        }
        if let present {
            if found == .session(present) { broken.append("A sign-in was given up for a session that it replaces.") }
        } else if record.record == nil ? record.stored.data == nil && found == .removal : !world.families[next].isEnded
        {
            broken.append("A sign-in was given up, and no session is there.")
        }
    }

    // MARK: Transitions

    /// Whether a step may change who is signed in, and to that user.
    private static func mayChange(to user: AuthUser.ID?, _ before: ExploredProcess, by action: Action) -> Bool {
        let purpose = before.section?.purpose
        let pending = before.machine.storage.pending?.next?.userID
        switch (action, before.section?.stage) {
        case (.signsOut, _), (.endsEverywhere, _), (.changeIsAnswered, _): return user == nil
        case (.endsWithdrawnSession, _):
            guard case .ending(_, let family) = before.withdrawal else { return false }
            // A report says nothing about a later sign-in of the same person.
            return user == nil
                && TokenNumber(before.machine.session?.refreshToken)?.family == family
        case (.learnsWhatItRead, .read(let snapshot)?):
            switch purpose {
            // The server refused the tokens.
            case .refusal? where user == nil: return true
            // Another process wrote it, or the store has failed.
            default: return snapshot.map { user == $0.session?.userID } ?? false || user == pending
            }
        case (.learnsThatItWrote, .written(let write, _)?):
            return user == write.record.session?.userID || user == pending
        default: return false
        }
    }

    /// Why a session ends that a step ends.
    private static func mayEnd(as reason: SignOutReason?, _ before: ExploredProcess, by action: Action) -> Bool {
        switch (action, before.section?.purpose) {
        case (.signsOut, _), (.endsEverywhere, _): reason == .user
        case (.endsWithdrawnSession, _): reason == .revokedAtProvider
        case (.changeIsAnswered, _): reason == .deleted
        case (.learnsWhatItRead, .refusal(let request)?):
            reason == .elsewhere || reason == (request.isRepeat ? .refreshInterrupted : .expired)
        default: reason == .elsewhere
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
        let (user, next) = (old.user?.id, new.user?.id)
        if user != next {
            check(
                mayChange(to: next, before, by: action),
                "Who is signed in changed from \(user ?? "-") to \(next ?? "-") when \(action).")
        }
        let told = after.events.filter { $0.kind == .signedOut }.map(\.signOutReason)
        if user != nil, next == nil, case .signedOut(let reason) = new.state {
            check(
                told == [reason],
                "The end of a session is reported as \(told), and shown as \(String(describing: reason))."
            )
            check(
                mayEnd(as: reason, before, by: action),
                "A session ended as \(String(describing: reason)) when \(action).")
        } else {
            check(told.isEmpty, "The end of a session is reported, and none ended.")
        }
        // While a sign-in is being written, the session before it is shown.
        if let shown = new.kept?.id, shown != old.kept?.id, !world.wasDamaged {
            let shown = SharedWorld.family(of: shown)
            check(!after.judged.hasEnded(shown), "A session is shown that was ended here.")
        }
        if action == .learnsWhatItRead, case .read(.some)? = before.section?.stage, user == next,
            user != nil || old.kept?.id == new.kept?.id
        {
            check(
                before.isRefreshSuperseded || !after.isRefreshSuperseded,
                "A refresh was superseded by another session of its user.")
        }
        if action == .learnsThatItWrote, case .written(.decision(let attempt), isStored: false)? = before.section?.stage
        {
            let found = attempt.found.session
            let isOthers = attempt.decision.next.map { $0.userID != found?.userID } ?? true
            let isRemoved = if case .removing? = after.section?.stage { true } else { false }
            if let found, isOthers, !attempt.decision.ends.isEmpty,
                after.judged.hasEnded(SharedWorld.family(of: found.id))
            {
                check(isRemoved, "A session ended that a restart brings back.")
            }
        }
        brokenRefreshes(after, in: world, &broken)
        brokenStorage(after, in: world, records, &broken)
        return broken
    }

    private static func brokenRefreshes(
        _ after: ExploredProcess, in world: SharedWorld, _ broken: inout [String]
    ) {
        let new = after.machine
        func check(_ holds: Bool, _ text: String) { if !holds { broken.append(text) } }
        if let running = new.active?.refresh.operation {
            check(
                after.nextRefresh === running || after.refresh.operation === running && !after.isRefreshSuperseded,
                "Callers wait for a refresh that is not under way.")
            switch new.tokenDecision(new.demandOfNewToken, at: world.now.uptime) {
            case .join(let joined)?: check(joined === running, "A second refresh is under way.")
            case .persistFirst?, .fail?: break
            case .token?, .start?, .waitUntilKnown?, nil: broken.append("A second refresh begins beside the first.")
            }
        }
        check(!new.storage.retainsLockInVain, "A lock is retained without a reason.")
        check(!new.storage.retainsLock || after.lock != .none, "A lock is retained that is not held.")
        check(
            after.lock == .none || new.storage.retainsLock || after.isRefreshMutexTaken,
            "A lock is held that nothing releases.")
        if let active = new.active, active.refresh.operation == nil, !new.storage.withholdsToken {
            check(new.refreshDue != nil, "A token is never refreshed ahead of its expiry.")
        }
    }

    private static func brokenStorage(
        _ after: ExploredProcess, in world: SharedWorld, _ records: RecordTable, _ broken: inout [String]
    ) {
        let new = after.machine
        func check(_ holds: Bool, _ text: String) { if !holds { broken.append(text) } }
        if new.storage.withholdsToken {
            check(new.active != nil && new.currentToken == nil, "A withheld token is handed out.")
            check(new.due != nil || new.storage.isUnderWay, "A withheld token is never stored.")
        }
        if let retryAt = new.storage.retryAt {
            check(new.due.map { $0 <= retryAt } ?? false, "A failed write is not retried.")
        }
        guard !after.isInMemory else { return }
        // Over a damaged record, a sign-in is written again whose write had failed, until the newer tokens are.
        if !world.wasDamaged, let token = new.currentToken?.token, let held = TokenNumber(token),
            let stored = records.tokens[Int(world.disk)], stored.family == held.family
        {
            check(
                stored.version >= held.version,
                "A token is handed out that is not stored, and the store holds its predecessor.")
        }
        // A damaged record that is taken over is not known whole.
        if !new.isUnread, new.storage.pending == nil, !world.wasDamaged, let known = new.storage.known {
            check(
                isSame(new.kept, known.session, ignoringMark: new.active.map { $0.session == nil } ?? false),
                "Nothing is pending, and the record is not the present session's.")
        }
    }

    /// Whether a process shows what a record holds.
    private static func isSame(_ shown: KeptSession?, _ stored: KeptSession?, ignoringMark: Bool) -> Bool {
        var (shown, stored) = (shown, stored)
        if ignoringMark {
            shown?.isSent = false
            stored?.isSent = false
        }
        return shown == stored
    }

    // MARK: Rest

    /// What is broken once nothing is under way any more.
    static func brokenAtRest(_ processes: [ExploredProcess], in world: SharedWorld, _ records: RecordTable) -> String? {
        processes.lazy.compactMap { brokenAtRest($0, in: world, records) }.first
            ?? (processes.contains(where: \.isRunning) ? brokenAtRest(world, records) : nil)
    }

    static func brokenAtRest(
        _ process: ExploredProcess, in world: SharedWorld, _ records: RecordTable
    ) -> String? {
        guard process.isRunning else { return nil }
        if process.isBusy { return "A task waits for ever." }
        if process.machine.storage.pending != nil { return "A write is pending that nothing writes." }
        if process.lock != .none { return "At rest, the lock is held." }
        // A process that did not see the record whole leaves it as it is.
        if world.disk == RecordTable.damaged { return nil }
        // A mark may have landed whose write failed.
        return isSame(process.machine.kept, records.snapshots[Int(world.disk)].session, ignoringMark: true)
            ? nil : "At rest, a process shows another session than the store holds."
    }

    private static func brokenAtRest(_ world: SharedWorld, _ records: RecordTable) -> String? {
        if world.disk == RecordTable.unwritten, world.adoptable != nil {
            return "Another SDK's session is not adopted."
        }
        if world.disk == RecordTable.damaged { return nil }
        let present = records.tokens[Int(world.disk)]?.family
        if let present, world.families[present].isEnded { return "At rest, a session is stored that a decision ended." }
        for (number, family) in world.families.enumerated() where number != present {
            if family.isDecided, !family.isEnded, !family.mayBeMissing { return "The session \(number) is lost." }
        }
        if let session = records.snapshots[Int(world.disk)].session?.session, let present, !world.isProfileUncertain {
            let user = world.families[present].user
            let isOnly = world.families.count { $0.user == user } == 1
            if isOnly, session.user.displayName != "\(world.profiles[Int(user)])" {
                return "A change of the profile was answered, and the store holds the user before it."
            }
        }
        return nil
    }
}

extension KeptSession {
    /// How often the user had changed the profile.
    fileprivate var profile: Int { (session?.user.displayName).flatMap { Int($0) } ?? 0 }
}
