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
            id: UUID(), begin: manager.clock.date, address: address, purpose: intent.purpose.name, user: intent.user)
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

    /// Removes and returns the link that was sent last.
    ///
    /// - Returns: `nil` if there is none, or it was sent more than a day ago.
    /// - Throws: `storageLocked` or `storage` if that cannot be known.
    func take() async throws(AuthError) -> (address: String, intent: PendingAttempts.Intent)? {
        var taken: Entry?
        var file = NotesFile(manager)
        try await file.change { notes throws(AuthError) in
            taken = notes.part(.link)
            notes.remove(.link)
        }
        guard let taken, let purpose = AuthRequest.Purpose(named: taken.purpose) else { return nil }
        let age = Duration.seconds(manager.clock.date.timeIntervalSince(taken.begin))
        guard (Duration.zero...Duration.linkLifetime).contains(age) else { return nil }
        return (taken.address, .init(provider: .emailLink, purpose: purpose, user: taken.user))
    }
}
