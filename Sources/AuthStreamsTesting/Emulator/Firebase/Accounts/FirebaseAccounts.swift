import AuthStreams
import Foundation

/// The users of a project and their sessions: the rules, without lock and without a clock.
struct FirebaseAccounts {
    /// The sign-in of a refresh token.
    struct Grant {
        let accountID: String
        let signInProvider: String
        /// The custom token's claims, which every ID token of the session repeats.
        let claims: [String: AuthJSON]
        let signedInAt: Date
        /// The second factor of the sign-in; `nil` for none.
        var secondFactor: String?
        var isRevoked = false
    }

    private var accounts = KeyedStore<FirebaseAccount>("user") { $0.names }
    private var grants = KeyedStore<Grant>("refresh token", limit: EmulatorLimit.tokens) { [$0.accountID] }
    /// Assertions in conflict, by their pending token, with its expiry.
    var pendingAssertions = KeyedStore<(assertion: IdentityAssertion, until: Date)>(
        "pending token", limit: EmulatorLimit.signIns)
    /// Sign-ins that wait for a second factor, by their pending credential.
    var pendingSignIns = KeyedStore<PendingSignIn>("pending credential", limit: EmulatorLimit.signIns)
    /// Authenticator apps that wait for their first code, by the session of their enrollment.
    var enrollments = KeyedStore<Enrollment>("enrollment", limit: EmulatorLimit.signIns)
    /// The newest mails.
    var mails = RecentList<EmulatedFirebase.Mail>("mail", limit: EmulatorLimit.signIns)
    /// The mails whose code was neither used nor replaced, by it.
    var validMails = KeyedStore<EmulatedFirebase.Mail>("code", limit: EmulatorLimit.signIns) { [$0.purpose] }
    /// ID tokens with a nonce that were presented: Firebase accepts each of them once.
    var spentAssertions = KeyedStore<Void>("used ID token", limit: EmulatorLimit.signIns)

    /// All users, the oldest first.
    var all: [FirebaseAccount] { accounts.all }

    subscript(id: String) -> FirebaseAccount? { accounts[id] }

    func account(providerID: String, rawID: String) -> FirebaseAccount? {
        accounts.first(named: FirebaseAccount.name(rawID, at: providerID))
    }

    func account(email: String) -> FirebaseAccount? {
        accounts.first(named: email.lowercased())
    }

    /// Returns the user to whom a function has linked an identity.
    func account(functionIdentity identity: String, at provider: String) -> FirebaseAccount? {
        accounts.first(named: FirebaseAccount.name(identity, at: "function \(provider)"))
    }

    /// Stores a user, new or changed.
    mutating func save(_ account: FirebaseAccount) { accounts[account.id] = account }

    /// Changes a user; returns `false` if there is none of that uid.
    mutating func update(_ id: String, _ change: (inout FirebaseAccount) -> Void) -> Bool {
        accounts.update(id, change)
    }

    /// Removes a user. Their refresh tokens stay known, so that using one ends with `USER_NOT_FOUND`.
    mutating func remove(_ id: String) -> Bool {
        accounts.take(id) != nil
    }

    /// A new user's uid: 28 letters and digits, as Firebase's are.
    static func makeID() -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<28).map { _ in alphabet.randomElement() ?? "A" })
    }
}

extension FirebaseAccounts {
    /// Begins a session and returns its refresh token.
    mutating func makeRefreshToken(for grant: Grant) -> String {
        grants.add(grant, "AMf-")
    }

    /// Returns the session of a refresh token, if the user may continue it.
    func grant(refreshToken: String) throws(IdentityToolkitError) -> (grant: Grant, account: FirebaseAccount) {
        guard let grant = grants.find(refreshToken) else { throw IdentityToolkitError("INVALID_REFRESH_TOKEN") }
        guard let account = accounts[grant.accountID] else { throw IdentityToolkitError("USER_NOT_FOUND") }
        guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
        guard !grant.isRevoked else { throw IdentityToolkitError("TOKEN_EXPIRED") }
        return (grant, account)
    }

    /// Ends every session of a user, as `revokeRefreshTokens` of the Admin SDK does.
    mutating func revokeSessions(of id: String, now: Date) -> Bool {
        for token in grants.keys(named: id) { grants[token]?.isRevoked = true }
        // `validSince` has whole seconds, so a sign-in within this second stays valid.
        return update(id) { $0.validSince = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down)) }
    }
}

extension FirebaseAccount {
    static func name(_ identity: String, at provider: String) -> String { "\(provider) \(identity)" }

    /// What the user is found by beside the uid: the address and the identities.
    fileprivate var names: [String] {
        [email?.lowercased()].compactMap(\.self) + identities.map { Self.name($0.rawID, at: $0.providerID) }
            + functionIdentities.map { Self.name($0.value, at: "function \($0.key)") }
    }
}
