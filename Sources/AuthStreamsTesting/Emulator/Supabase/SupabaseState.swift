import AuthStreams
import Foundation

/// A user of the emulated project.
struct SupabaseUser {
    struct Identity {
        let id = UUID().uuidString.lowercased()
        let provider: String
        /// The provider's identifier of the person; the user's own for an address.
        let providerID: String
        var data: [String: AuthJSON]

        var email: String? { data["email"]?.text?.lowercased() }
        var isEmailVerified: Bool { data["email_verified"]?.bool ?? false }
    }

    struct Factor {
        let id = UUID().uuidString.lowercased()
        let name: String
        let secret: Secret
        let createdAt: Date
        var isVerified = false
    }

    /// A code that was sent.
    struct SentCode {
        let hash: String
        let at: Date
    }

    let id = UUID().uuidString.lowercased()
    let createdAt: Date
    var email: String?
    var emailConfirmedAt: Date?
    var phone: String?
    var phoneConfirmedAt: Date?
    var newEmail: String?
    var newPhone: String?
    var password: String?
    var isAnonymous = false
    var isBanned = false
    var metadata: [String: AuthJSON] = [:]
    var identities: [Identity] = []
    var factors: [Factor] = []
    var lastSignInAt: Date?
    /// The newest code of each purpose.
    var codes: [SupabaseMail.Purpose: SentCode] = [:]

    init(at now: Date) { createdAt = now }

    var isConfirmed: Bool { emailConfirmedAt != nil || phoneConfirmedAt != nil }
    var hasSecondFactor: Bool { factors.contains(where: \.isVerified) }

    static func name(_ providerID: String, at provider: String) -> String { "\(provider) \(providerID)" }

    /// What the user is found by beside the identifier: the address, the number, the identities and the hashes of codes.
    fileprivate var names: [String] {
        [email.map { Self.name($0.lowercased(), at: "address") }, phone.map { Self.name($0, at: "number") }].compactMap(
            \.self)
            + identities.map { Self.name($0.providerID, at: $0.provider) }
            + codes.values.map(\.hash)
    }

    /// The user as the requests answer with (`models/user.go`).
    var json: AuthJSON {
        let stamp = { (date: Date) in AuthJSON.string(date.formatted(.iso8601)) }
        let names = identities.map(\.provider)
        var members: [String: AuthJSON] = [
            "id": .string(id), "aud": "authenticated", "role": "authenticated", "email": .string(email ?? ""),
            "phone": .string(phone ?? ""), "user_metadata": .object(metadata), "is_anonymous": .bool(isAnonymous),
            "app_metadata": names.first.map { ["provider": .string($0), "providers": .strings(names)] } ?? [:],
            "created_at": stamp(createdAt), "updated_at": stamp(createdAt),
            "identities": .array(
                identities.map { identity in
                    [
                        "identity_id": .string(identity.id), "id": .string(identity.providerID),
                        "user_id": .string(id), "provider": .string(identity.provider),
                        "identity_data": .object(identity.data),
                    ]
                }),
        ]
        members["email_confirmed_at"] = emailConfirmedAt.map(stamp)
        members["phone_confirmed_at"] = phoneConfirmedAt.map(stamp)
        members["last_sign_in_at"] = lastSignInAt.map(stamp)
        members["new_email"] = newEmail.map(AuthJSON.string)
        members["new_phone"] = newPhone.map(AuthJSON.string)
        if !factors.isEmpty {
            members["factors"] = .array(
                factors.map { factor in
                    [
                        "id": .string(factor.id), "friendly_name": .string(factor.name), "factor_type": "totp",
                        "status": .string(factor.isVerified ? "verified" : "unverified"), "phone": "",
                        "created_at": stamp(factor.createdAt),
                    ]
                })
        }
        return .object(members)
    }

    /// Writes an identity's data over the user's own, as each sign-in by it does.
    mutating func take(_ data: [String: AuthJSON]) { metadata.merge(data) { $1 } }
}

/// What a mail or a message of Supabase is for.
enum SupabaseMail {
    enum Purpose: String, Hashable, Sendable {
        /// A sign-up: its code is taken as `signup` and `email`.
        case confirmation
        /// A sign-in or a new password: its code is taken as `magiclink`, `recovery` and `email`.
        case recovery
        /// A sign-in by a phone number.
        case sms
        case emailChange, phoneChange
        /// A code for a new password.
        case reauthentication
    }
}

/// A session (`models/sessions.go`).
struct SupabaseSession {
    let id = UUID().uuidString.lowercased()
    let userID: String
    let createdAt: Date
    var refreshedAt: Date
    /// The methods by which the person signed in, with their times.
    var methods: [(name: String, at: Date)]
    /// The factor that made it one of the second level.
    var factorID: String?
    /// Proves its refresh tokens.
    let secret = GrantStore.random()
    /// The number of the newest refresh token.
    var counter: Int64 = 0

    /// The newest refresh token.
    var token: String { SessionToken("", of: id, counter, by: secret).text }

    var level: String { factorID == nil ? "aal1" : "aal2" }
}

/// The users and sessions of the emulated project.
struct SupabaseState {
    private(set) var users = KeyedStore<SupabaseUser>("user") { $0.names }
    var sessions = KeyedStore<SupabaseSession>("session", limit: EmulatorLimit.signIns) { [$0.userID] }
    /// The questions for codes of authenticator apps. GoTrue keeps no step of a code: one may be used again.
    var challenges = KeyedStore<(factor: String, at: Date)>("challenge", limit: EmulatorLimit.signIns)
    var messages = RecentList<EmulatedMessage>("message", limit: EmulatorLimit.signIns)

    subscript(id: String) -> SupabaseUser? {
        get { users[id] }
        set { users[id] = newValue }
    }

    func user(email: String) -> SupabaseUser? {
        users.first(named: SupabaseUser.name(email.lowercased(), at: "address"))
    }
    func user(phone: String) -> SupabaseUser? { users.first(named: SupabaseUser.name(phone, at: "number")) }

    func user(of provider: String, _ providerID: String) -> SupabaseUser? {
        users.first(named: SupabaseUser.name(providerID, at: provider))
    }

    @discardableResult
    mutating func update(_ id: String, _ change: (inout SupabaseUser) -> Void) -> Bool { users.update(id, change) }

    /// Gives a user the address of one of their identities, unless theirs is one of them (`models/user.go`:
    /// `UpdateUserEmailFromIdentities`).
    func chooseEmail(of user: inout SupabaseUser, confirming confirms: Bool) throws(SupabaseError) {
        guard !user.identities.contains(where: { $0.email == user.email }) else { return }
        let ranks = [
            user.identities.filter { $0.email != nil && $0.isEmailVerified },
            user.identities.filter { $0.email != nil && !$0.isEmailVerified },
            user.identities.filter { $0.email == nil },
        ]
        let free = ranks.joined().first { identity in identity.email.flatMap { self.user(email: $0) } == nil }
        guard let free else {
            throw SupabaseError(
                "email_conflict_identity_not_deletable", "Unable to unlink identity due to email conflict")
        }
        user.email = free.email
        (user.newEmail, user.newPhone, user.codes) = (nil, nil, [:])
        if free.email == nil || !free.isEmailVerified && confirms { user.emailConfirmedAt = nil }
    }

    /// Ends the sessions of a user.
    mutating func endSessions(of id: String, where isOver: (SupabaseSession) -> Bool = { _ in true }) {
        sessions.removeAll(named: id, where: isOver)
    }

    /// Deletes a user, and with them their sessions.
    @discardableResult
    mutating func delete(_ id: String) -> Bool {
        let isThere = self[id] != nil
        self[id] = nil
        endSessions(of: id)
        return isThere
    }

    /// Begins a session, or continues one after its second factor.
    mutating func begin(of user: SupabaseUser, by method: String, at now: Date) -> SupabaseSession {
        update(user.id) { $0.lastSignInAt = now }
        let session = SupabaseSession(userID: user.id, createdAt: now, refreshedAt: now, methods: [(method, now)])
        sessions[session.id] = session
        return session
    }

    /// Replaces the refresh token of a session.
    ///
    /// - Parameter step: Two after a second factor, so that the token of the first factor cannot get a session of the second
    ///   (`token.go`: `updateMFASessionAndClaims`).
    mutating func advance(
        _ id: String, by step: Int64, _ change: (inout SupabaseSession) -> Void = { _ in }
    ) -> SupabaseSession? {
        guard var session = sessions[id] else { return nil }
        session.counter += step
        change(&session)
        sessions[id] = session
        return session
    }
}
