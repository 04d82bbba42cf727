import AuthStreams
import Foundation

/// The users of a project and their sessions: the rules, without lock and without a clock.
struct FirebaseAccounts {
    /// The sign-in of a refresh token.
    struct Grant {
        let accountID: String
        let creation: UUID
        let signInProvider: String
        /// The custom token's claims, which every ID token of the session repeats.
        let claims: [String: AuthJSON]
        let signedInAt: Date
        /// The second factor of the sign-in; `nil` for none.
        var secondFactor: String?
        var isRevoked = false
        /// Proves its refresh tokens.
        let secret = GrantStore.random()
    }

    private var accounts = KeyedStore<FirebaseAccount>("user") { $0.names }
    /// Whether no answer tells who has an account.
    var protectsAddresses: Bool
    private var grants = KeyedStore<Grant>("session", limit: EmulatorLimit.signIns) { [$0.accountID] }
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

    init(protectsAddresses: Bool = true) { self.protectsAddresses = protectsAddresses }

    /// All users, the oldest first.
    var all: [FirebaseAccount] { accounts.all }

    subscript(id: String) -> FirebaseAccount? { accounts[id] }

    func account(providerID: String, rawID: String) -> FirebaseAccount? {
        accounts.first(named: FirebaseAccount.name(rawID, at: providerID))
    }

    func account(email: String) -> FirebaseAccount? {
        accounts.first(named: FirebaseAccount.name(email.lowercased(), at: "email"))
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
    mutating func remove(_ id: String) -> Bool { accounts.take(id) != nil }

    /// A new user's uid: 28 letters and digits, as Firebase's are.
    static func makeID() -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<28).map { _ in alphabet.randomElement() ?? "A" })
    }
}

extension FirebaseAccounts {
    /// Begins a session and returns its refresh token.
    mutating func begin(_ grant: Grant) -> String {
        SessionToken(Self.prefix, of: grants.add(grant), 0, by: grant.secret).text
    }

    private static let prefix = "AMf-"

    /// Returns the session of a refresh token, if the user may continue it.
    ///
    /// - Returns: And a further refresh token of the session. Each one stays valid.
    mutating func grant(
        refreshToken: String
    ) throws(IdentityToolkitError) -> (grant: Grant, account: FirebaseAccount, next: String) {
        guard let token = SessionToken(Self.prefix, refreshToken), let grant = grants.find(token.session),
            token.isValid(by: grant.secret)
        else { throw IdentityToolkitError("INVALID_REFRESH_TOKEN") }
        guard let account = accounts[grant.accountID], account.creation == grant.creation else {
            throw IdentityToolkitError("USER_NOT_FOUND")
        }
        guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
        guard !grant.isRevoked else { throw IdentityToolkitError("TOKEN_EXPIRED") }
        let number = (token.numbers.first ?? 0) + 1
        return (grant, account, SessionToken(Self.prefix, of: token.session, number, by: grant.secret).text)
    }

    /// The number of a user's sessions that have not been ended.
    func sessionCount(of account: FirebaseAccount) -> Int {
        grants.all(named: account.id).count { $0.creation == account.creation && !$0.isRevoked }
    }

    /// Ends every session of a user that began until then, as `revokeRefreshTokens` of the Admin SDK does, which sends whole seconds.
    mutating func revokeSessions(of id: String, now: Date) -> Bool {
        for key in grants.keys(named: id) {
            let second = grants[key]?.signedInAt.timeIntervalSince1970.rounded(.down) ?? 0
            if second <= now.timeIntervalSince1970 { grants[key]?.isRevoked = true }
        }
        // `validSince` has whole seconds, so a sign-in within this second stays valid.
        return update(id) { $0.validSince = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down)) }
    }
}

extension FirebaseAccount {
    static func name(_ identity: String, at provider: String) -> String { "\(provider) \(identity)" }

    /// What the user is found by beside the uid: the address and the identities.
    fileprivate var names: [String] {
        [email.map { Self.name($0.lowercased(), at: "email") }].compactMap(\.self)
            + identities.map { Self.name($0.rawID, at: $0.providerID) }
            + functionIdentities.map { Self.name($0.value, at: "function \($0.key)") }
    }
}

extension FirebaseAccounts {
    /// The result of a sign-in with a provider's identity.
    enum IdentityOutcome {
        case signedIn(FirebaseAccount, isNew: Bool)
        /// The address belongs to a user of other providers, and no provider confirms that it is the same person.
        case needsConfirmation(verifiedProviders: [String])
        /// The identity or its address is another user's: the message of the error.
        case conflict(String)
    }

    /// Finds or creates the user of an identity, by the rules of one account per e-mail address.
    ///
    /// | the identity | the address | consequence |
    /// | --- | --- | --- |
    /// | known | any | that user |
    /// | new | free, or none | a new user |
    /// | new | taken, the provider has verified it | joins that user; an unverified user loses the other identities |
    /// | new | taken, not verified | confirmation is needed |
    ///
    /// - Parameter makesUsers: Whether to create a user for a new identity. If not, nothing changes.
    mutating func signIn(
        with identity: FirebaseAccount.Identity, makesUsers: Bool = true, now: Date
    ) throws(IdentityToolkitError) -> IdentityOutcome {
        let known = account(providerID: identity.providerID, rawID: identity.rawID)
        guard known != nil || makesUsers else { throw IdentityToolkitError("USER_NOT_FOUND") }
        let owner = known ?? identity.email.flatMap(account(email:))
        guard var account = owner else {
            var account = FirebaseAccount(id: Self.makeID(), now: now)
            account.adopt(identity)
            (account.email, account.isEmailVerified) = (identity.email, identity.isEmailVerified)
            save(account)
            return .signedIn(account, isNew: true)
        }
        guard known != nil || identity.isEmailVerified else {
            return .needsConfirmation(
                verifiedProviders: account.identities.map(\.providerID)
                    + (account.hasEmailProvider ? ["password"] : []))
        }
        guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
        if known == nil {
            if !account.isEmailVerified {
                // Its sessions may be of a person who does not own the address.
                _ = revokeSessions(of: account.id, now: now)
                account = self[account.id] ?? account
            }
            account.proveEmail()
        }
        account.adopt(identity)
        account.lastSignInAt = now
        save(account)
        return .signedIn(account, isNew: false)
    }

    /// Adds an identity to a user who is signed in.
    mutating func link(
        _ identity: FirebaseAccount.Identity, to id: String
    ) throws(IdentityToolkitError) -> IdentityOutcome {
        guard var account = self[id] else { throw IdentityToolkitError("USER_NOT_FOUND") }
        if let owner = self.account(providerID: identity.providerID, rawID: identity.rawID), owner.id != id {
            return .conflict("FEDERATED_USER_ID_ALREADY_LINKED")
        }
        if let owner = identity.email.flatMap(self.account(email:)), owner.id != id {
            return .conflict("EMAIL_EXISTS")
        }
        account.adopt(identity)
        if account.email == nil {
            account.email = identity.email
            account.isEmailVerified = identity.isEmailVerified
        }
        save(account)
        return .signedIn(account, isNew: false)
    }

    /// Finds or creates the user of a custom token.
    mutating func signIn(
        customID id: String, now: Date
    ) throws(IdentityToolkitError) -> (account: FirebaseAccount, isNew: Bool) {
        let known = self[id]
        if known?.isDisabled == true { throw IdentityToolkitError("USER_DISABLED") }
        var account = known ?? FirebaseAccount(id: id, now: now)
        if known == nil { account.isCustom = true }
        account.lastSignInAt = now
        save(account)
        return (account, known == nil)
    }
}

extension FirebaseAccount {
    mutating func unlink(_ providerIDs: [String]) {
        identities.removeAll { providerIDs.contains($0.providerID) }
        if providerIDs.contains("password") { (password, signsInByMailLink) = (nil, false) }
    }

    /// Replaces a provider's earlier data with the newest.
    mutating func adopt(_ identity: Identity) {
        identities.removeAll { $0.providerID == identity.providerID }
        identities.append(identity)
        displayName = displayName ?? identity.displayName
        photoURL = photoURL ?? identity.photoURL
    }
}
