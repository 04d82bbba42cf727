public import AuthStreams
package import Foundation

/// The users of the app's server: the rules, without lock and without a clock.
struct ServerAccounts {
    private var accounts = KeyedStore<ServerAccount>("user") { account in
        [account.email.map { name($0.lowercased(), at: "address") }].compactMap(\.self)
            + account.identities.map { name($0.userID ?? "", at: $0.id) }
    }
    private var made = 0

    private static func name(_ userID: String, at provider: ProviderID) -> String { "\(provider) \(userID)" }

    /// All users, the oldest first.
    var all: [ServerAccount] { accounts.all }

    /// The users of an address, the oldest first.
    func all(email: String) -> [ServerAccount] { accounts.all(named: Self.name(email.lowercased(), at: "address")) }

    subscript(id: String) -> ServerAccount? { accounts[id] }

    /// Returns the user of that identifier, if they exist and are enabled.
    func active(_ id: String) throws(ServerProblem) -> ServerAccount {
        guard let account = accounts[id] else { throw ServerProblem("user-not-found", "The account was deleted.") }
        guard !account.isDisabled else { throw ServerProblem("user-disabled", "The account is disabled.") }
        return account
    }

    /// Finds or creates the user of an identity.
    ///
    /// | the identity | its e-mail address | consequence |
    /// | --- | --- | --- |
    /// | known | any | that user |
    /// | new | free, or none | a new user |
    /// | new | another user's | `account-exists`: only the person may ask for a link |
    mutating func signIn(
        with identity: VerifiedIdentity, now: Date
    ) throws(ServerProblem) -> (account: ServerAccount, isNew: Bool) {
        if let known = owner(of: identity) {
            var account = try active(known.id)
            account.adopt(identity)
            accounts[account.id] = account
            return (account, false)
        }
        try checkAddress(of: identity, against: nil)
        var account = newAccount(now: now)
        account.adopt(identity)
        accounts[account.id] = account
        return (account, true)
    }

    /// Creates a user without an identity.
    mutating func signInAnonymously(now: Date) -> ServerAccount {
        var account = newAccount(now: now)
        account.isAnonymous = true
        accounts[account.id] = account
        return account
    }

    private mutating func newAccount(now: Date) -> ServerAccount {
        made += 1
        return ServerAccount(id: "user-\(made)", now: now)
    }

    /// Returns the user who has that identity.
    func owner(of identity: VerifiedIdentity) -> ServerAccount? { owner(of: identity.userID, at: identity.provider) }

    /// Returns the user who has the identity of that identifier at a provider.
    func owner(of userID: String, at provider: ProviderID) -> ServerAccount? {
        accounts.first(named: Self.name(userID, at: provider))
    }

    /// - Throws: `account-exists` if the identity's address is another user's.
    func checkAddress(of identity: VerifiedIdentity, against own: String?) throws(ServerProblem) {
        guard let email = identity.email, let other = all(email: email).first(where: { $0.id != own }) else { return }
        // The account's providers are named only to a caller who has proved ownership of the address.
        throw ServerProblem(
            "account-exists", "The e-mail address belongs to another account.",
            conflict: .init(
                email: identity.email, providers: identity.isEmailVerified ? other.identities.map(\.id) : []))
    }

    /// Changes a user; returns `false` if there is none of that identifier.
    mutating func update(_ id: String, _ change: (inout ServerAccount) -> Void) -> Bool {
        accounts.update(id, change)
    }

    mutating func remove(_ id: String) -> Bool { accounts.take(id) != nil }
}

extension ServerAccounts {
    /// Adds an identity to a user.
    ///
    /// | the identity | its e-mail address | consequence |
    /// | --- | --- | --- |
    /// | the user's own | any | nothing |
    /// | another user's | any | `credential-in-use` |
    /// | new, beside another of the provider | any | `access-denied`: one identity at each provider |
    /// | new | another user's | `account-exists` |
    /// | new | free, or none | the user has it, and is no longer anonymous |
    mutating func link(_ identity: VerifiedIdentity, to id: String) throws(ServerProblem) -> ServerAccount {
        let account = try active(id)
        if let owner = owner(of: identity) {
            guard owner.id == id else { throw .inUse(identity, by: owner) }
            return account
        }
        guard !account.identities.contains(where: { $0.id == identity.provider }) else {
            throw ServerProblem("access-denied", "The user has another identity at this provider.")
        }
        try checkAddress(of: identity, against: id)
        _ = update(id) { $0.adopt(identity) }
        return try active(id)
    }

    /// Removes an identity from a user. One that is not linked is no error.
    mutating func unlink(_ provider: ProviderID, from id: String) throws(ServerProblem) -> ServerAccount {
        let account = try active(id)
        guard account.identities.contains(where: { $0.id == provider }) else { return account }
        guard account.identities.count > 1 else {
            throw ServerProblem("last-provider", "It is the last identity, and the user could never sign in again.")
        }
        _ = update(id) { account in account.identities.removeAll { $0.id == provider } }
        return try active(id)
    }

    /// Checks that an identity belongs to the user.
    func prove(_ identity: VerifiedIdentity, of id: String) throws(ServerProblem) -> ServerAccount {
        guard let owner = owner(of: identity) else {
            throw ServerProblem("invalid-credential", "The credential is of an identity that the user has not linked.")
        }
        guard owner.id == id else { throw .inUse(identity, by: owner) }
        return try active(id)
    }
}

extension ServerProblem {
    /// The caller could sign in as the identity's user, so the error may name that user's other providers.
    fileprivate static func inUse(_ identity: VerifiedIdentity, by owner: ServerAccount) -> Self {
        ServerProblem(
            "credential-in-use", "The identity belongs to another user.",
            conflict: .init(email: owner.email, providers: owner.identities.map(\.id)))
    }
}

/// A user of the emulated server of the app.
public struct ServerAccount: Hashable, Sendable, Identifiable {
    /// The server's identifier, such as `user-1`.
    public let id: String
    /// The e-mail address.
    public internal(set) var email: String?
    /// Whether a provider has verified the address.
    public internal(set) var isEmailVerified = false
    /// The name to show.
    public internal(set) var displayName: String?
    /// The URL of a picture.
    public internal(set) var photoURL: String?
    /// The identities at providers.
    public internal(set) var identities: [AuthUser.LinkedProvider] = []
    /// The server's own claims.
    public internal(set) var claims: [String: AuthJSON] = [:]
    /// Whether the user may no longer sign in or refresh.
    package internal(set) var isDisabled = false
    /// Whether the user has no identity.
    public internal(set) var isAnonymous = false
    /// When the user was created.
    package let createdAt: Date

    init(id: String, now: Date) {
        self.id = id
        createdAt = now
    }
}

extension ServerAccount {
    /// Adds a provider's data without replacing known values.
    mutating func adopt(_ identity: VerifiedIdentity) {
        identities.removeAll { $0.id == identity.provider }
        isAnonymous = false
        identities.append(.init(id: identity.provider, userID: identity.userID, email: identity.email))
        displayName = displayName ?? identity.displayName
        photoURL = photoURL ?? identity.photoURL
        if email == nil {
            email = identity.email
            isEmailVerified = identity.isEmailVerified
        }
    }

    /// The user in the form of the contract.
    var json: AuthJSON {
        var members: [String: AuthJSON] = [
            "id": .string(id), "providers": .array(identities.map(Self.json)), "isAnonymous": .bool(isAnonymous),
            "claims": .object(claims),
        ]
        members.add("email", email)
        if email != nil { members["emailVerified"] = .bool(isEmailVerified) }
        members.add("displayName", displayName)
        members.add("photoURL", photoURL)
        return .object(members)
    }

    private static func json(_ identity: AuthUser.LinkedProvider) -> AuthJSON {
        var members: [String: AuthJSON] = ["id": .string(identity.id.rawValue)]
        members.add("userID", identity.userID)
        members.add("email", identity.email)
        return .object(members)
    }
}
