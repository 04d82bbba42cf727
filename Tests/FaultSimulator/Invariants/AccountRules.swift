import AuthStreams
import Foundation

/// What must hold of changes of the account, when they are told.
extension Ledger {
    /// A change of the account was reported as a success.
    func changed(_ user: AuthUser, _ call: Call, in process: AppProcess) {
        guard let number = user.number, process.conduct.isMeant(number, by: call) else {
            return world.broke(
                .userStays, "\(call.name) was begun by user \(call.user ?? -1), and ends with \(user.id).")
        }
    }

    /// A deletion was reported as a success.
    func deleted(_ call: Call, in process: AppProcess) {
        let accounts = world.server.accounts
        let gone = accounts.users.indices.filter { !accounts[$0].exists && process.conduct.isMeant($0, by: call) }
        guard !gone.isEmpty else {
            return world.broke(.deletionIsTrue, "\(call.name) succeeds, and the server has the account.")
        }
        // A sign-in under way continues: which the server did first is not known here.
        let signsIn = process.conduct.calls.contains { $0.isSignIn && $0.end ?? .max > call.begin }
        if let user = process.weakService?.state.number, gone.contains(user), !signsIn,
            process.conduct.isUnchanged(since: call.begin)
        {
            world.broke(.deletionIsTrue, "\(call.name) succeeds, and user \(user) is still signed in.")
        }
        // Another that deletes as well may note what it was about to do.
        let isAlone = !world.processes.contains { other in
            other.conduct.calls.contains { $0 !== call && $0.kind == .deleteAccount && $0.end ?? .max > call.begin }
        }
        // The note is not removed again where the store failed with it.
        let hasFailed = process.conduct.hasEverFailed(.notes, since: call.begin)
        if let user = world.disk.deletedUser, gone.contains(user), !hasFailed, isAlone {
            world.broke(.deletionLeavesNoNote, "user \(user) is deleted, and the note of it is still there.")
        }
    }

    /// The person was told that every session of theirs is over.
    func endedEverywhere(_ call: Call) {
        guard let user = call.user else { return }
        for (family, session) in world.server.families.enumerated() where session.user == user {
            guard lineage.birth(family) < call.begin, session.ending == nil else { continue }
            world.broke(.everywhereIsTrue, "\(call.name) of user \(user) succeeds, and session \(family) continues.")
        }
    }
}

extension Disk {
    /// Whose deletion is noted.
    var deletedUser: Int? {
        let notes = records[.notes].flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
        guard let text = notes?["deletion"] else { return nil }
        return text.firstRange(of: #""userID":"u"#).flatMap { Int(text[$0.upperBound...].prefix(while: \.isNumber)) }
    }
}
