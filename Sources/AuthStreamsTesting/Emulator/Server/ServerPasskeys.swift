import AuthStreams
import AuthStreamsOAuth
import Foundation

/// The passkeys of the app's server, and the options whose answers it waits for: the rules, without lock and without a clock.
struct ServerPasskeys {
    /// A passkey of a user.
    struct Stored {
        let userID: String
        var record: RegisteredPasskey
        let createdAt: Date
        var lastUsedAt: Date?

        var id: String { Base64URL.encode(record.id) }
    }

    /// What the options were for.
    enum Purpose {
        /// A sign-in; `userID` for a re-authentication.
        case assertion(PublicKeyCredentialRequestOptionsJSON, userID: String?)
        case registration(PublicKeyCredentialCreationOptionsJSON, userID: String, isConditional: Bool)
    }

    private struct Pending {
        let purpose: Purpose
        let validUntil: Date
    }

    private var stored = KeyedStore<Stored>("passkey") { [$0.userID] }
    private var pending = KeyedStore<Pending>("challenge of a passkey", limit: EmulatorLimit.signIns)

    /// Returns a user's passkeys, the oldest first.
    func all(of userID: String) -> [Stored] { stored.all(named: userID) }

    /// Returns the passkey of an identifier.
    func find(_ id: Data) -> Stored? { stored[Base64URL.encode(id)] }

    mutating func add(_ passkey: Stored) { stored[passkey.id] = passkey }

    mutating func update(_ record: RegisteredPasskey, usedAt now: Date) {
        stored.update(Base64URL.encode(record.id)) { ($0.record, $0.lastUsedAt) = (record, now) }
    }

    mutating func removeAll(of userID: String, where condition: (Stored) -> Bool = { _ in true }) {
        stored.removeAll(named: userID, where: condition)
    }

    // MARK: Challenges

    /// Waits for an answer to options with that challenge, for that long.
    mutating func expect(_ challenge: Data, _ purpose: Purpose, for lifetime: Duration, now: Date) {
        pending[Base64URL.encode(challenge)] = Pending(purpose: purpose, validUntil: now + lifetime / .seconds(1))
    }

    /// Returns what a challenge was for, which counts once.
    ///
    /// - Parameter clientData: The client data of the answer, which has the challenge.
    mutating func redeem(_ clientData: Data, now: Date) throws(ServerProblem) -> Purpose {
        guard let challenge = CollectedClientData(json: clientData).flatMap({ Base64URL.decode($0.challenge) }),
            let found = pending.take(Base64URL.encode(challenge)), found.validUntil > now
        else { throw ServerProblem("invalid-credential", "The challenge is not known, was used, or has expired.") }
        return found.purpose
    }
}

extension ServerProblem {
    init(_ refusal: PasskeyRefusal) { self.init("invalid-credential", refusal.rawValue) }
}
