/// The step that a deletion is about to take, stored before it, so that a later deletion resumes there. Holds no secret.
///
/// A store that fails does not stop a deletion: it is reported as an event, and at worst the person is asked once more.
struct DeletionJournal: Sendable {
    /// The step that was about to be taken.
    enum Stage: String, Codable {
        case revoking, deleting
    }

    struct Entry: Codable, Equatable {
        let userID: AuthUser.ID
        /// `nil` when nothing was revoked.
        let provider: ProviderID?
        var stage: Stage
    }

    let manager: SessionManager

    /// How far the deletion of that user is. That of another user, or one that cannot be decoded, is removed.
    func entry(of userID: AuthUser.ID) async -> Entry? {
        var found: Entry?
        await update { entry in
            if entry?.userID != userID { entry = nil }
            found = entry
        }
        return found
    }

    /// Whether a deletion of that user, which was cut off, withdraws the app's access at a provider itself.
    ///
    /// - Throws: `storageLocked` or `storage` if that cannot be known.
    func withdrawsAccess(at provider: ProviderID, of userID: AuthUser.ID) async throws(AuthError) -> Bool {
        let entry: Entry? = try await manager.readNotes().notes.part(.deletion)
        return entry?.userID == userID && entry?.provider == provider
    }

    /// Stores the step that is about to be taken, or restores an earlier note; `nil` for none.
    func note(_ entry: Entry?) async { await update { $0 = entry } }

    /// The person agreed at the provider again, which renews the access that was revoked there.
    func accessRenewed(at provider: ProviderID, by userID: AuthUser.ID) async {
        // In one step with reading the record: the deletion may have finished meanwhile, and leaves no note.
        await update { entry in
            if entry?.userID != userID { entry = nil }
            if entry?.provider == provider, entry?.stage == .deleting { entry?.stage = .revoking }
        }
    }

    private func update(_ change: (inout Entry?) -> Void) async {
        var file = NotesFile(manager)
        await file.update { notes throws(AuthError) in try notes.change(.deletion, change) }
    }
}
