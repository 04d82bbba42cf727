import Foundation

/// Stores the address to which a link was sent, so that the link finds it when it opens the app, in a later process too.
///
/// There is one: a later link replaces an earlier one. It is used once, within a day. A store that fails does not stop the
/// attempt; it is reported as an event.
struct PendingLinks: Sendable {
    /// A link that was sent.
    struct Entry: Codable, Equatable, Sendable {
        /// Makes no two entries equal.
        let id: UUID
        let process: UUID
        let begin: Date
        let address: String
        let purpose: String
        /// The user who was signed in when it was asked for.
        let user: AuthUser.ID?
    }

    let manager: SessionManager

    /// Stores an address before the mail is sent.
    ///
    /// - Returns: What removes it again.
    func keep(_ address: String, for intent: PendingAttempts.Intent) async -> @Sendable () async -> Void {
        let entry = Entry(
            id: UUID(), process: manager.id, begin: manager.clock.date, address: address, purpose: intent.purpose.name,
            user: intent.user)
        var file = NotesFile(manager)
        await file.update { notes throws(AuthError) in try notes.set(.link, to: entry) }
        return {
            var file = NotesFile(manager)
            await file.update { notes throws(AuthError) in
                // A later link stays.
                if notes.part(.link) == entry { notes.remove(.link) }
            }
        }
    }

    /// A link that was sent.
    enum Sent: Sendable {
        /// None, or one of more than a day ago.
        case none
        /// One whose attempt waits for it in this process.
        case waiting
        case link(address: String, PendingAttempts.Intent)
    }

    /// Returns the link that was sent last, and removes it if its process has ended.
    ///
    /// - Throws: `storageLocked` or `storage` if that cannot be known.
    func take() async throws(AuthError) -> Sent {
        var result = Sent.none
        var file = NotesFile(manager)
        try await file.change { notes throws(AuthError) in
            let entry: Entry? = notes.part(.link)
            result = entry.map(sent) ?? .none
            if case .waiting = result { return }
            notes.remove(.link)
        }
        return result
    }

    private func sent(_ entry: Entry) -> Sent {
        if entry.process == manager.id { return .waiting }
        let age = Duration.seconds(manager.clock.date.timeIntervalSince(entry.begin))
        guard (Duration.zero...Duration.linkLifetime).contains(age),
            let purpose = AuthRequest.Purpose(named: entry.purpose)
        else { return .none }
        return .link(address: entry.address, .init(provider: .emailLink, purpose: purpose, user: entry.user))
    }
}
