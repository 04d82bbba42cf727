import AuthStreams
import Foundation

extension ServerState {
    /// Continues a sign-in or a change after a step.
    mutating func proceed(
        _ purpose: ServerChallenges.Purpose, in context: EmulatorContext
    ) throws(ServerProblem) -> AuthJSON? {
        switch purpose {
        case .entering(var entry, let gate):
            if let gate { entry.passed.insert(gate) }
            return try enter(entry, in: context)
        case .proving(let user, let family):
            return try prove(user, family, in: context)
        case .enrolling(let user, let factor):
            factors[try accounts.active(user).id, default: []].append(factor)
            return nil
        }
    }

    /// Takes a person who is known through the steps that are left, to a session.
    mutating func enter(
        _ entry: ServerChallenges.Entry, in context: EmulatorContext
    ) throws(ServerProblem) -> AuthJSON {
        var entry = entry
        let (now, rules) = (context.now, context.configuration.server)
        guard let id = try userID(of: &entry, by: rules, now: now) else {
            return challenges.ask(.form, for: .entering(entry, after: .registration), by: rules, now: now)
        }
        _ = accounts.update(id) { $0.adopt(entry.identity) }
        let afterFactor = ServerChallenges.Purpose.entering(entry, after: .factor)
        if !entry.passed.contains(.factor), let challenge = askFactor(of: id, for: afterFactor, in: context) {
            return challenge
        }
        if !entry.passed.contains(.page), let name = steps[id] {
            let page = challenges.page(named: name)
            return challenges.ask(page, for: .entering(entry, after: .page), by: rules, now: now).serving(context)
        }
        if entry.passed.contains(.page) { steps[id] = nil }
        let family = sessions.begin(for: id, from: entry.identity.provider, now: now)
        let tokens = sessions.issue(for: family, by: rules, now: now)
        var answer = EmulatedAPI.answer(tokens, try accounts.active(id), family.provider)
        answer["isNewUser"] = .bool(entry.isNew)
        return .object(answer)
    }

    /// Returns the user of an identity, and makes one for a new identity.
    ///
    /// - Returns: `nil` if a new user has to fill in the form first.
    private mutating func userID(
        of entry: inout ServerChallenges.Entry, by rules: EmulatorConfiguration.Server, now: Date
    ) throws(ServerProblem) -> String? {
        entry.userID = entry.userID ?? owner(of: entry.identity)?.id
        if let id = entry.userID { return try accounts.active(id).id }
        try accounts.checkAddress(of: entry.identity, against: nil)
        guard rules.signUpFields.isEmpty || entry.passed.contains(.registration) else { return nil }
        let (account, isNew) = try accounts.signIn(with: entry.identity, now: now)
        (entry.userID, entry.isNew) = (account.id, isNew)
        if let password = entry.password { setPassword(password, of: account.id, entry.identity.userID) }
        if let name = entry.values["nickname"] { _ = accounts.update(account.id) { $0.displayName = name } }
        return account.id
    }

    /// Makes a sign-in recent again, after the second factor if there is one.
    mutating func reauthenticate(
        _ account: ServerAccount, _ family: String, in context: EmulatorContext
    ) throws(ServerProblem) -> AuthJSON {
        let purpose = ServerChallenges.Purpose.proving(user: account.id, family: family)
        if let challenge = askFactor(of: account.id, for: purpose, in: context) { return challenge }
        return try prove(account.id, family, in: context)
    }

    private mutating func prove(
        _ user: String, _ id: String, in context: EmulatorContext
    ) throws(ServerProblem) -> AuthJSON {
        let (now, rules) = (context.now, context.configuration.server)
        let account = try accounts.active(user)
        sessions.update(id) { $0.signedInAt = now }
        guard let family = sessions.family(id) else { throw ServerProblem("session-expired", "The session is over.") }
        let tokens = sessions.issueAccessToken(for: family, by: rules, now: now)
        return .object(EmulatedAPI.answer(tokens, account, family.provider))
    }

    /// Returns the user of an identity. The owner of an address is the user who has confirmed it, or set a password for it.
    private func owner(of identity: VerifiedIdentity) -> ServerAccount? {
        if let owner = accounts.owner(of: identity) { return owner }
        guard [.code, .emailLink].contains(identity.provider), let email = identity.email?.lowercased() else {
            return nil
        }
        return accounts.all(email: email).first { account in
            account.isEmailVerified || account.identities.contains { $0.id == .password }
        }
    }

    /// - Throws: `invalid-credential`, whether the address or the password is wrong.
    func passwordIdentity(_ email: String, _ password: String) throws(ServerProblem) -> VerifiedIdentity {
        guard accounts.owner(of: .password(email)) != nil, passwords[email.lowercased()] == password else {
            throw ServerProblem("invalid-credential", "The address or the password is wrong.")
        }
        return .password(email)
    }

    mutating func setPassword(_ password: String, of id: String, _ email: String) {
        passwords[email.lowercased()] = password
        _ = accounts.update(id) { $0.adopt(.password(email)) }
    }
}

extension VerifiedIdentity {
    /// The identity of an address with a password, which proves no address.
    static func password(_ email: String) -> Self {
        Self(provider: .password, userID: email.lowercased(), email: email)
    }

    /// The identity of an address at which a code or a link arrived.
    static func address(_ address: String, from provider: ProviderID) -> Self {
        let isMail = address.contains("@")
        return Self(
            provider: provider, userID: address.lowercased(), email: isMail ? address : nil, isEmailVerified: isMail)
    }
}

extension AuthJSON {
    /// The same answer, whose page is served by the emulator.
    fileprivate func serving(_ context: EmulatorContext) -> AuthJSON {
        guard var members = object, let page = members["page"]?.string else { return self }
        members["page"] = .string(context.served("\(EmulatorConfiguration.Server.baseURL)\(page)"))
        return .object(members)
    }
}
