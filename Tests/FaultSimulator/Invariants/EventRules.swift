import AuthStreams

/// What the events of a process must tell, at rest.
extension World {
    func eventsFit() {
        for process in processes where !process.isGone {
            guard let reader = process.conduct.readers.first else { continue }
            let events = process.conduct.events
            ends(
                of: events, by: \.attempt?.number, began: .signInStarted, ended: [.signInSucceeded, .signInFailed],
                process)
            ends(
                of: events, by: \.attempt?.number, began: .changeStarted, ended: [.changeSucceeded, .changeFailed],
                process)
            refreshesEnd(in: events, process)
            let isOthers = ledger.log.contains {
                $0.writer != process.id && $0.mark > process.conduct.launch
            }
            // A lost record may be a write of its own that was reported to have failed.
            if !isOthers, !process.conduct.everLostRecord,
                events.contains(where: { $0.kind == .sessionChangedElsewhere })
            {
                broke(.eventsFitTheStates, "process \(process.id + 1) tells of another process, and there was none.")
            }
            let told = events.filter { $0.kind == .signedOut }.map(\.signOutReason)
            let shown = reader.states.endings
            let fits = told.count == shown.count && zip(told, shown).allSatisfy { $1 == nil || $0 == $1 }
            if !fits {
                broke(
                    .eventsFitTheStates,
                    "process \(process.id + 1) shows the ends \(shown.story), and tells of \(told.story).")
            }
        }
    }

    /// Each operation that began has one end, after its beginning.
    private func ends(
        of events: [AuthEvent], by id: (AuthEvent) -> UInt64?, began: AuthEvent.Kind, ended: Set<AuthEvent.Kind>,
        _ process: AppProcess
    ) {
        var open: Set<UInt64> = []
        for event in events {
            guard let id = id(event) else { continue }
            let isOrdered =
                event.kind == began
                ? open.insert(id).inserted : ended.contains(event.kind) ? open.remove(id) != nil : true
            if !isOrdered {
                broke(.eventsFitTheStates, "process \(process.id + 1) tells \(event.kind.rawValue) out of turn.")
            }
        }
        if let id = open.first { broke(.eventsFitTheStates, "process \(process.id + 1) never tells how \(id) ended.") }
    }

    /// Each refresh that was sent has one end, before the next is sent. One that could not be sent fails, too.
    private func refreshesEnd(in events: [AuthEvent], _ process: AppProcess) {
        var isUnderWay = false
        for event in events {
            let isOrdered: Bool
            switch event.kind {
            case .refreshStarted, .refreshResent: (isOrdered, isUnderWay) = (!isUnderWay, true)
            case .refreshSucceeded, .refreshRefused: (isOrdered, isUnderWay) = (isUnderWay, false)
            case .refreshFailed: (isOrdered, isUnderWay) = (true, false)
            default: isOrdered = true
            }
            if !isOrdered {
                broke(.eventsFitTheStates, "process \(process.id + 1) tells \(event.kind.rawValue) out of turn.")
            }
        }
        if isUnderWay { broke(.eventsFitTheStates, "process \(process.id + 1) never tells how a refresh ended.") }
    }

    /// The server was told of sessions that came too late, and of those that the person signed out of.
    func serverIsTold() {
        for (family, origin) in ledger.origins.sorted(by: { $0.key < $1.key }) where !ledger.tookEffect(family) {
            let user = server.user(of: family)
            let process = processes[origin]
            // Who is signed in by another session of theirs might lose that one, too, when this one is signed out.
            guard !process.isGone, !process.conduct.users.contains(where: { $0.user == user }) else { continue }
            guard !ledger.toldOver.contains(family) else { continue }
            broke(
                .serverIsTold,
                "session \(family) came too late in process \(origin + 1), and is not signed out at the server.")
        }
        for signOut in ledger.signOuts where signOut.isToldToServer {
            guard let family = signOut.family else { continue }
            let root = ledger.lineage.root(family)
            guard !ledger.toldOver.contains(where: { ledger.lineage.root($0) == root }) else { continue }
            broke(.serverIsTold, "the person signed out of session \(family), and the server is not told.")
        }
    }
}

extension [AuthState] {
    /// Why each session ended that was shown; `nil` where another state took the place of the reason.
    fileprivate var endings: [SignOutReason?] {
        zip(self, dropFirst()).compactMap { before, after -> SignOutReason?? in
            guard before.user != nil, after.user == nil else { return nil }
            if case .signedOut(let reason) = after { return .some(reason) }
            return .some(nil)
        }
    }
}

extension [SignOutReason?] {
    fileprivate var story: String { "[" + map { $0?.story ?? "unseen" }.joined(separator: ", ") + "]" }
}

extension AuthEvent {
    /// Why the session ended.
    var signOutReason: SignOutReason? {
        if case .signedOut(let reason) = details { reason } else { nil }
    }
}
