/// The rules of adopting the session of another SDK. From then on it is refreshed as any other.
extension SessionStateMachine {
    /// A session of another SDK is to be adopted. It is shown once it is stored, or the store has failed.
    ///
    /// - Parameter found: The record that was read before, if the app was asked at launch.
    /// - Returns: Whether it is to be stored: not while a user is signed in, nor a second time while it is under way, nor at a
    ///   launch where the person signed in or out meanwhile.
    package mutating func adoptionDecided(_ adoptable: AdoptableSession, after found: RecordSnapshot? = nil) -> Bool {
        guard found == nil || isUnread, user == nil, storage.pending?.next == nil else { return false }
        if kept?.refreshToken == adoptable.refreshToken {
            // The app asks for one that had stalled.
            setStalled(false)
            return false
        }
        var id = SessionID(adopting: adoptable)
        // A session of the same token ended here, and the app asks for it all the same.
        if found == nil, storage.history.ended.contains(id) { id = .random() }
        if let found { storage.read(found) }
        let next = KeptSession(.adoptable(adoptable), at: KeptSession.Stage(id: id), isFoundAtLaunch: found != nil)
        // Also at a launch, where the state is still restoring, the record was read before.
        storage.decide(PendingWrite(.adoption, ending: [], next: next), over: kept?.id)
        if found != nil { storage.beginWriting() }
        return true
    }

    /// Whether that session is present, and was not adopted yet.
    func isAdopting(_ id: SessionID) -> Bool { kept?.id == id && session == nil }

    /// The other SDK has discarded its copy of a session.
    ///
    /// - Parameter found: The record. What another process wrote into it is taken over, since it counts as known once it is
    ///   written.
    /// - Returns: The record that says so; `nil` where it says so already, or must not be written.
    mutating func copyDiscarded(over found: RecordSnapshot, at now: Timestamp) -> SessionRecord? {
        guard !isUnread, case .success = observed(found, at: now), var record = found.record,
            !record.history.isDiscarded
        else { return nil }
        record.history.isDiscarded = true
        return record
    }
}
