/// Stores a profile that the provider sends only once, until the server has it.
///
/// Apple sends name and e-mail at the first authorization only, so they are on disk before the request that may fail, and a
/// later sign-in of the same person sends them.
struct PendingProfiles: Sendable {
    let manager: SessionManager

    struct Entry: Codable, Equatable {
        fileprivate let provider: ProviderID
        fileprivate let userID: String
        fileprivate let profile: Credential.Profile

        fileprivate func isOf(_ credential: Credential) -> Bool {
            provider == credential.provider && userID == credential.userID
        }
    }

    /// Stores the credential's profile, or adds the one that was stored for the same person.
    ///
    /// A store that fails does not stop the sign-in: it is reported as an event.
    ///
    /// - Parameter file: Reads the record, unless it has read it already.
    func attach(to credential: Credential, in file: inout NotesFile) async -> Credential {
        guard let userID = credential.userID else { return credential }
        var completed = credential
        await update(&file) { entries in
            if let profile = credential.profile, !profile.isEmpty {
                entries.removeAll { $0.isOf(credential) }
                entries.append(Entry(provider: credential.provider, userID: userID, profile: profile))
            } else {
                completed.profile = entries.first { $0.isOf(credential) }?.profile
            }
        }
        return completed
    }

    func attach(to credential: Credential) async -> Credential {
        var file = NotesFile(manager)
        return await attach(to: credential, in: &file)
    }

    /// The profiles that the server does not have yet.
    var all: [Entry] {
        get async {
            var file = NotesFile(manager)
            var all: [Entry] = []
            await update(&file) { entries in all = entries }
            return all
        }
    }

    /// Removes the profiles of an account that is deleted.
    static func forget(_ unclaimed: [Entry], in notes: inout Notes) throws(AuthError) {
        guard !unclaimed.isEmpty else { return }
        try change(&notes) { entries in entries.removeAll(where: unclaimed.contains) }
    }

    /// Forgets the profile that went to the server with the credential. One that another sign-in of the same person stored since
    /// stays.
    static func forget(_ credential: Credential, in notes: inout Notes) throws(AuthError) {
        guard let sent = credential.profile else { return }
        try change(&notes) { entries in entries.removeAll { $0.isOf(credential) && $0.profile == sent } }
    }

    func forget(_ credential: Credential) async {
        guard credential.profile != nil else { return }
        var file = NotesFile(manager)
        await file.update { notes throws(AuthError) in try Self.forget(credential, in: &notes) }
    }

    private func update(_ file: inout NotesFile, _ change: (inout [Entry]) -> Void) async {
        await file.update { notes throws(AuthError) in try Self.change(&notes, change) }
    }

    private static func change(_ notes: inout Notes, _ change: (inout [Entry]) -> Void) throws(AuthError) {
        try notes.change(.profiles) { (stored: inout [Entry]?) in
            var entries = stored ?? []
            change(&entries)
            stored = entries.isEmpty ? nil : entries
        }
    }
}
