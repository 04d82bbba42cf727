import AuthStreams

/// The users of the server, counted from zero, and which identities are whose.
///
/// The first two are there from the beginning, each with the Kakao account of the person of the same number.
struct Accounts {
    struct User {
        var identities: [Identity]
        /// Why they are refused from some time on.
        var refusal: AuthError.Code?
        /// Whether the app's access at a provider was withdrawn for them.
        var isAccessRevoked = false

        init(_ identities: [Identity]) {
            self.identities = identities
        }

        /// Whether the account is still there.
        var exists: Bool { refusal != .userNotFound }
    }

    private(set) var users: [User] = []
    /// Every user who ever had that identity.
    private var owners: [Identity: Set<Int>] = [:]

    init(persons: Int) {
        for person in 0..<persons { _ = add([Identity(person)]) }
    }

    subscript(user: Int) -> User { users[user] }

    /// Whose identity it is.
    func user(of identity: Identity) -> Int? { users.firstIndex { $0.identities.contains(identity) } }

    /// Whether that user has, or had, that identity.
    func hasBelonged(_ identity: Identity, to user: Int) -> Bool { owners[identity]?.contains(user) ?? false }

    /// Makes a user.
    mutating func add(_ identities: [Identity]) -> Int {
        users.append(User([]))
        for identity in identities { link(identity, to: users.count - 1) }
        return users.count - 1
    }

    mutating func link(_ identity: Identity, to user: Int) {
        owners[identity, default: []].insert(user)
        if !users[user].identities.contains(identity) { users[user].identities.append(identity) }
    }

    mutating func unlink(_ provider: ProviderID, from user: Int) {
        users[user].identities.removeAll { $0.provider == provider }
    }

    mutating func accessIsRevoked(for user: Int) { users[user].isAccessRevoked = true }

    /// Refuses a user from here on. A deleted user leaves their identities to the next sign-in.
    mutating func refuse(_ user: Int, _ code: AuthError.Code) {
        guard users[user].exists else { return }
        users[user].refusal = code
        if code == .userNotFound { users[user].identities = [] }
    }
}
