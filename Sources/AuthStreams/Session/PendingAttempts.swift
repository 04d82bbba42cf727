import Foundation

/// Stores the attempt of a person who leaves the app for a page, another app or a mail, so that a later process can resume it.
///
/// There is one, and one of a link that was sent by mail: a later attempt replaces an earlier one of its kind. A store that fails
/// does not stop the attempt; it is reported as an event.
struct PendingAttempts: Sendable {
    /// How long after its beginning an attempt is resumed: as long as a page is waited for.
    static let timeLimit: TimeInterval = 600

    let manager: SessionManager

    /// What an attempt is for.
    struct Intent: Equatable, Sendable {
        let provider: ProviderID
        let purpose: AuthRequest.Purpose
        /// The user who was signed in when it began.
        let user: AuthUser.ID?
    }

    /// An attempt of an earlier process.
    struct Entry: Sendable {
        /// `nil` if its answer is not bound to it.
        let attempt: PendingAttempt?
        let intent: Intent
        /// How long ago it began; negative if the device's clock was set back.
        let age: TimeInterval

        /// Whether it may still be resumed.
        var isCurrent: Bool { PendingAttempts.isCurrent(age) }
    }

    private static func isCurrent(_ age: TimeInterval) -> Bool { (0...timeLimit).contains(age) }

    /// Stores an attempt before the person leaves the app.
    ///
    /// - Returns: What removes it again.
    func keep(_ attempt: PendingAttempt?, for intent: Intent) async -> @Sendable () async -> Void {
        await keep(record(of: intent, page: attempt.map(Record.Page.init)), as: .attempt)
    }

    /// Stores the address to which a link is sent, before the mail is sent.
    ///
    /// - Returns: What removes it again.
    func keep(linkTo address: String, for intent: Intent) async -> @Sendable () async -> Void {
        let record = record(of: intent, address: address)
        manager.awaitedLinks.withLock { _ = $0.insert(record.id) }
        let remove = await keep(record, as: .link)
        return { [manager] in
            manager.awaitedLinks.withLock { _ = $0.remove(record.id) }
            await remove()
        }
    }

    private func record(of intent: Intent, page: Record.Page? = nil, address: String? = nil) -> Record {
        Record(
            id: UUID(), process: manager.id, begin: manager.clock.date, provider: intent.provider,
            purpose: intent.purpose.name, user: intent.user, page: page, address: address)
    }

    private func keep(_ record: Record, as name: Notes.Name) async -> @Sendable () async -> Void {
        var kept = Notes(nil)
        var file = NotesFile(manager)
        await file.update { notes throws(AuthError) in
            try notes.set(name, to: record)
            kept = notes
        }
        return { [kept] in
            var file = NotesFile(manager)
            await file.update { notes throws(AuthError) in
                // A later attempt stays. Of this one another process may have removed the secrets.
                let isSame = notes.agrees(with: kept, on: name) || (notes.part(name) as Record?)?.id == record.id
                if isSame { notes.remove(name) }
            }
        }
    }

    /// Removes the attempt and the link, because the person has signed in or out since.
    func clear() async {
        var file = NotesFile(manager)
        await file.update { notes throws(AuthError) in
            notes.remove(.attempt)
            notes.remove(.link)
        }
    }

    /// Removes and returns the attempt of an earlier process.
    ///
    /// It is removed first, so that it is resumed at most once.
    ///
    /// - Parameter isAnswered: Whether the answer at hand is that of the attempt.
    /// - Returns: `nil` if there is none with that answer.
    /// - Throws: `storageLocked` or `storage` if that cannot be known.
    func take(where isAnswered: @Sendable (Entry) -> Bool) async throws(AuthError) -> Entry? {
        var taken: Entry?
        try await change(.attempt) { stored in
            taken = nil
            // An attempt of this process receives its answer from the router, or has ended.
            guard let record = stored, record.process != manager.id else { return }
            guard let entry = record.entry(at: manager.clock.date), isAnswered(entry) else { return }
            (stored, taken) = (nil, entry)
        }
        return taken
    }

    /// A link that was sent.
    enum Link: Sendable {
        /// None, or one of more than a day ago.
        case none
        /// One whose attempt waits for it in this process.
        case waiting
        case sent(to: String, Intent)
    }

    /// Returns the link that was sent last, and removes it if its attempt does not wait any more.
    ///
    /// - Throws: `storageLocked` or `storage` if that cannot be known.
    func takeLink() async throws(AuthError) -> Link {
        var link = Link.none
        try await change(.link) { stored in
            let isAwaited = stored.map { record in manager.awaitedLinks.withLock { $0.contains(record.id) } } ?? false
            link = isAwaited ? .waiting : .none
            guard let record = stored, !isAwaited else { return }
            stored = nil
            // The attempt of this process was cancelled, and its record could not be removed.
            guard record.process != manager.id, let entry = record.entry(at: manager.clock.date),
                let address = record.address
            else { return }
            if (.zero...Duration.linkLifetime).contains(.seconds(entry.age)) { link = .sent(to: address, entry.intent) }
        }
        return link
    }

    /// Removes the secrets of an attempt of an earlier process once it is too old to be resumed. What remains tells an answer
    /// that comes later.
    ///
    /// Returns when there are none any more, or the task is cancelled. While the store fails or is locked, it is retried.
    func removeExpiredSecrets() async {
        // There is no time either when the task was cancelled.
        while case let remaining?? = await manager.retryingStore({ () async throws(AuthError) in
            try await removeSecretsIfExpired()
        }) {
            // A second more, since it is still resumed when it is exactly as old as the limit.
            try? await manager.clock.sleep(for: .seconds(remaining + 1))
        }
    }

    /// - Returns: How many seconds the secrets of an attempt of an earlier process may still be needed; `nil` if there are none.
    private func removeSecretsIfExpired() async throws(AuthError) -> TimeInterval? {
        var remaining: TimeInterval?
        try await change(.attempt) { stored in
            remaining = nil
            guard let record = stored, record.process != manager.id, record.page != nil else { return }
            let age = manager.clock.date.timeIntervalSince(record.begin)
            if PendingAttempts.isCurrent(age) { remaining = Self.timeLimit - age } else { stored?.page = nil }
        }
        return remaining
    }

    private func change(_ name: Notes.Name, _ change: (inout Record?) -> Void) async throws(AuthError) {
        var file = NotesFile(manager)
        try await file.change { notes throws(AuthError) in try notes.change(name, change) }
    }
}

extension AuthError {
    /// The error of an attempt of an earlier process that cannot be resumed.
    static let attemptAbandoned = AuthError(
        .abandoned,
        """
        The app was ended during the attempt and launched by its answer. It is not resumed: the attempt is more than ten \
        minutes old, its answer is not bound to it, its provider is not configured any more, the session's gate did not \
        pass, or the person has signed in or out since. Begin again.
        """)
}

/// The form in which an attempt is stored. It writes secrets down, on purpose.
private struct Record: Codable {
    /// Makes no two records equal.
    let id: UUID
    let process: UUID
    let begin: Date
    let provider: ProviderID
    let purpose: String
    let user: AuthUser.ID?
    var page: Page?
    /// Where a link was sent.
    let address: String?

    /// What a page's answer is checked and redeemed by.
    struct Page: Codable {
        let state: String
        let callbackURL: URL
        let redirectURI: URL
        let issuer: String?
        let isIssuerRequired: Bool
        let verifier: String?
        let nonce: String?
        let rawNonce: String?
        let maximumAge: Int64?
        let acceptedACRs: [String]
        let scopes: [String]?
        let isBound: Bool
    }

    /// - Returns: `nil` for a purpose of another version of the library.
    func entry(at now: Date) -> PendingAttempts.Entry? {
        guard let purpose = AuthRequest.Purpose(named: purpose) else { return nil }
        return PendingAttempts.Entry(
            attempt: page?.attempt, intent: .init(provider: provider, purpose: purpose, user: user),
            age: now.timeIntervalSince(begin))
    }
}

extension Record.Page {
    fileprivate init(_ attempt: PendingAttempt) {
        state = attempt.state.reveal()
        callbackURL = attempt.callbackURL
        redirectURI = attempt.redirectURI
        issuer = attempt.issuer
        isIssuerRequired = attempt.isIssuerRequired
        verifier = attempt.verifier?.reveal()
        nonce = attempt.nonce?.reveal()
        rawNonce = attempt.rawNonce?.reveal()
        maximumAge = attempt.maximumAge?.components.seconds
        acceptedACRs = attempt.acceptedACRs.sorted()
        scopes = attempt.scopes
        isBound = attempt.isBound
    }

    fileprivate var attempt: PendingAttempt {
        PendingAttempt(
            state: Secret(state), callbackURL: callbackURL, redirectURI: redirectURI, issuer: issuer,
            isIssuerRequired: isIssuerRequired, verifier: verifier.map { Secret($0) }, nonce: nonce.map { Secret($0) },
            rawNonce: rawNonce.map { Secret($0) }, maximumAge: maximumAge.map { .seconds($0) },
            acceptedACRs: Set(acceptedACRs), scopes: scopes, isBound: isBound)
    }
}

extension AuthRequest.Purpose {
    /// - Returns: `nil` for a purpose of another version of the library.
    init?(named name: String) {
        guard let purpose = [Self.signIn, .link, .reauthenticate].first(where: { $0.name == name }) else { return nil }
        self = purpose
    }

    /// The name in a record.
    var name: String {
        switch self {
        case .signIn: "signIn"
        case .link: "link"
        case .reauthenticate: "reauthenticate"
        }
    }
}
