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

    private var accounts: [String: FirebaseAccount] = [:]
    private var order: [String] = []
    private var grants: [String: Grant] = [:]
    /// Assertions in conflict, by their pending token, with its expiry.
    var pendingAssertions: [String: (assertion: IdentityAssertion, until: Date)] = [:]
    /// Sign-ins that wait for a second factor, by their pending credential.
    var pendingSignIns: [String: PendingSignIn] = [:]
    /// Authenticator apps that wait for their first code, by the session of their enrollment.
    var enrollments: [String: Enrollment] = [:]
    /// Every mail, the oldest first.
    var mails: [EmulatedFirebase.Mail] = []
    /// The mails whose code was neither used nor replaced, by it.
    var validMails: [String: EmulatedFirebase.Mail] = [:]
    /// ID tokens with a nonce that were presented: Firebase accepts each of them once.
    var spentAssertions: Set<String> = []

    /// All users, the oldest first.
    var all: [FirebaseAccount] { order.compactMap { accounts[$0] } }

    subscript(id: String) -> FirebaseAccount? { accounts[id] }

    func account(providerID: String, rawID: String) -> FirebaseAccount? {
        all.first { $0.identities.contains { $0.providerID == providerID && $0.rawID == rawID } }
    }

    func account(email: String) -> FirebaseAccount? {
        all.first { $0.email?.lowercased() == email.lowercased() }
    }

    /// Stores a user, new or changed.
    mutating func save(_ account: FirebaseAccount) {
        if accounts.updateValue(account, forKey: account.id) == nil { order.append(account.id) }
    }

    /// Changes a user; returns `false` if there is none of that uid.
    mutating func update(_ id: String, _ change: (inout FirebaseAccount) -> Void) -> Bool {
        guard var account = accounts[id] else { return false }
        change(&account)
        accounts[id] = account
        return true
    }

    /// Removes a user. Their refresh tokens stay known, so that using one ends with `USER_NOT_FOUND`.
    mutating func remove(_ id: String) -> Bool {
        order.removeAll { $0 == id }
        return accounts.removeValue(forKey: id) != nil
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
        let token = "AMf-" + Base64URL.encode((0..<48).map { _ in UInt8.random(in: .min ... .max) })
        grants[token] = grant
        return token
    }

    /// Returns the session of a refresh token, if the user may continue it.
    func grant(refreshToken: String) throws(IdentityToolkitError) -> (grant: Grant, account: FirebaseAccount) {
        guard let grant = grants[refreshToken] else { throw IdentityToolkitError("INVALID_REFRESH_TOKEN") }
        guard let account = accounts[grant.accountID] else { throw IdentityToolkitError("USER_NOT_FOUND") }
        guard !account.isDisabled else { throw IdentityToolkitError("USER_DISABLED") }
        guard !grant.isRevoked else { throw IdentityToolkitError("TOKEN_EXPIRED") }
        return (grant, account)
    }

    /// Ends every session of a user, as `revokeRefreshTokens` of the Admin SDK does.
    mutating func revokeSessions(of id: String, now: Date) -> Bool {
        for (token, grant) in grants where grant.accountID == id { grants[token]?.isRevoked = true }
        // `validSince` has whole seconds, so a sign-in within this second stays valid.
        return update(id) { $0.validSince = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down)) }
    }
}
