import Foundation

/// Stores the attempt that the person is away for, so that a later process can resume it.
///
/// There is one record: a later attempt replaces an earlier one. A store that fails does not stop the attempt; it is
/// reported as an event.
struct PendingAttempts: Sendable {
    /// How long after its beginning an attempt is resumed: as long as a page is waited for.
    static let timeLimit: TimeInterval = 600

    let manager: SessionManager

    /// What an attempt is for.
    struct Intent: Hashable, Sendable {
        let provider: ProviderID
        let purpose: AuthRequest.Purpose
        /// The user who was signed in when it began.
        let user: AuthUser.ID?
    }

    /// An attempt of an earlier process.
    struct Entry: Sendable {
        let attempt: PendingAttempt
        let intent: Intent
        /// How long ago it began; negative if the device's clock was set back.
        let age: TimeInterval

        /// Whether it may still be resumed.
        var isCurrent: Bool { (0...PendingAttempts.timeLimit).contains(age) }
    }

    /// Stores an attempt before its page is opened.
    func keep(_ attempt: PendingAttempt, for intent: Intent) async {
        let record = Record(attempt, intent, by: manager.id, at: manager.clock.date)
        await manager.update(.pendingAttempt) { (stored: inout Record?) in stored = record }
    }

    /// Removes an attempt that has ended in this process.
    func forget(_ attempt: PendingAttempt) async {
        await manager.update(.pendingAttempt) { (stored: inout Record?) in
            if stored?.state == attempt.state.reveal() { stored = nil }
        }
    }

    /// Removes and returns the attempt of an earlier process that a URL answers; `nil` if there is none.
    ///
    /// It is removed first, so that it is resumed at most once.
    func take(answeredBy url: URL) async -> Entry? {
        await manager.update(.pendingAttempt) { (stored: inout Record?) -> Entry? in
            // An attempt of this process receives its answer from the router, or has ended.
            guard let record = stored, record.process != manager.id, let attempt = record.attempt,
                attempt.isAnswered(by: url), let purpose = record.intendedPurpose
            else { return nil }
            stored = nil
            return Entry(
                attempt: attempt,
                intent: Intent(provider: record.provider, purpose: purpose, user: record.user),
                age: manager.clock.date.timeIntervalSince(record.begin))
        } ?? nil
    }
}

/// The form in which an attempt is stored. It writes secrets down, on purpose.
private struct Record: Codable {
    let process: UUID
    let begin: Date
    let provider: ProviderID
    let purpose: String
    let user: AuthUser.ID?
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

    init(_ attempt: PendingAttempt, _ intent: PendingAttempts.Intent, by process: UUID, at begin: Date) {
        self.process = process
        self.begin = begin
        provider = intent.provider
        purpose = intent.purpose.name
        user = intent.user
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
    }

    /// `nil` for a purpose of another version of the library.
    var intendedPurpose: AuthRequest.Purpose? {
        [.signIn, .link, .reauthenticate].first { $0.name == purpose }
    }

    var attempt: PendingAttempt? {
        // An empty one would fit any URL that has an empty one.
        guard !state.isEmpty else { return nil }
        return PendingAttempt(
            state: Secret(state), callbackURL: callbackURL, redirectURI: redirectURI, issuer: issuer,
            isIssuerRequired: isIssuerRequired, verifier: verifier.map { Secret($0) }, nonce: nonce.map { Secret($0) },
            rawNonce: rawNonce.map { Secret($0) }, maximumAge: maximumAge.map { .seconds($0) },
            acceptedACRs: Set(acceptedACRs))
    }
}

extension AuthRequest.Purpose {
    /// The name in a record.
    fileprivate var name: String {
        switch self {
        case .signIn: "signIn"
        case .link: "link"
        case .reauthenticate: "reauthenticate"
        }
    }
}
