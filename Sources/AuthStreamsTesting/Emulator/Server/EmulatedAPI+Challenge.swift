import AuthStreams
import Foundation
import LoopbackHTTP

// MARK: Passwords, codes and links

extension EmulatedAPI {
    /// `POST /auth/password`: begins a session by an address and a password.
    func signInByPassword(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let body = try ServerBody(request)
        let (email, password) = (try body.required("email"), try body.required("password"))
        return try state.withLock { (state) throws(ServerProblem) in
            let identity = try state.passwordIdentity(email, password)
            return try state.enter(.init(identity: identity), in: context)
        }
    }

    /// `POST /auth/sign-up`: makes an account with an address and a password.
    func signUp(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let body = try ServerBody(request)
        let (email, password) = (try body.required("email"), try body.required("password"))
        guard email.contains("@") else {
            throw ServerProblem("invalid-input", "It is no address.", members: ["field": "email"])
        }
        try Self.checkStrength(of: password)
        let fields = context.configuration.server.signUpFields
        return try state.withLock { (state) throws(ServerProblem) in
            var entry = ServerChallenges.Entry(identity: .password(email))
            guard state.accounts.owner(of: entry.identity) == nil else {
                throw ServerProblem("account-exists", "The address has an account.")
            }
            // What the person entered in the app's own form is not asked again.
            if !fields.isEmpty, fields.allSatisfy({ !$0.isRequired || body.has($0.id) }) {
                entry.values = try Self.values(of: body, for: fields)
                entry.passed = [.registration]
            }
            entry.password = password
            return try state.enter(entry, in: context)
        }
    }

    /// `PUT /auth/password`: sets the password of the user of the access token, if their sign-in is recent.
    func changePassword(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) {
        let password = try ServerBody(request).required("password")
        try Self.checkStrength(of: password)
        try state.withLock { (state) throws(ServerProblem) in
            let caller = try state.recentCaller(request, in: context)
            guard let email = caller.account.email else {
                throw ServerProblem("access-denied", "The user has no address for a password.")
            }
            state.setPassword(password, of: caller.account.id, email)
        }
    }

    static func checkStrength(of password: String) throws(ServerProblem) {
        guard password.count >= 8 else {
            throw ServerProblem(
                "invalid-input", "A password has eight characters or more.", members: ["field": "password"])
        }
    }

    /// `POST /auth/password/reset` and `POST /auth/email-verification`: sends a mail, to a known address alone.
    func sendMail(
        _ kind: EmulatedMessage.Kind, _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(ServerProblem) {
        var email: String?
        if kind == .passwordReset { email = try ServerBody(request).required("email") }
        try state.withLock { [email] (state) throws(ServerProblem) in
            var recipient = email
            if email == nil { recipient = try state.caller(request, now: context.now).account.email }
            guard let recipient, !state.accounts.all(email: recipient).isEmpty else { return }
            state.challenges.send(EmulatedMessage(kind, to: recipient))
        }
    }

    /// `POST /auth/code`: sends a code to an address or a number, and answers with the challenge.
    func sendCode(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let body = try ServerBody(request)
        let email = try body.string("email")
        let address = if let email { email } else { try body.required("phone") }
        let (now, rules) = (context.now, context.configuration.server)
        return state.withLock { state in
            let step = state.challenges.sendCode(to: address, isFactor: false, by: rules, now: now)
            let entry = ServerChallenges.Entry(identity: .address(address, from: .code))
            return state.challenges.ask(step, for: .entering(entry, after: nil), by: rules, now: now)
        }
    }

    /// `POST /auth/email-link`: sends a mail with a link.
    func sendLink(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) {
        let body = try ServerBody(request)
        let (email, url) = (try body.required("email"), try body.required("continueURL"))
        state.withLock { $0.challenges.sendLink(to: email, url, by: context.configuration.server, now: context.now) }
    }

    /// Returns the identity of an address in a body, which a password or a link's code proves; `nil` for another provider's.
    func addressIdentity(
        in body: ServerBody, of provider: ProviderID, _ context: EmulatorContext
    ) throws(ServerProblem) -> VerifiedIdentity? {
        guard [.password, .emailLink].contains(provider) else { return nil }
        let email = try body.required("email")
        let proof = try body.required(provider == .password ? "password" : "code")
        return try state.withLock { (state) throws(ServerProblem) in
            guard provider == .password else {
                try state.challenges.redeemLink(proof, of: email, now: context.now)
                return .address(email, from: .emailLink)
            }
            // One that is linked for the first time.
            guard state.accounts.owner(of: .password(email)) != nil else {
                try Self.checkStrength(of: proof)
                state.passwords[email.lowercased()] = proof
                return .password(email)
            }
            return try state.passwordIdentity(email, proof)
        }
    }
}

// MARK: Answers

extension EmulatedAPI {
    /// `POST /auth/challenge`: the person's answer. A token counts once; a wrong code gets another one.
    ///
    /// - Returns: A session, the next challenge, or `nil` for a change that is done.
    func answer(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON? {
        let body = try ServerBody(request)
        let token = try body.required("token")
        return try state.withLock { (state) throws(ServerProblem) in
            var challenge = try state.challenges.challenge(of: token, now: context.now)
            if let user = challenge.purpose.caller {
                guard try state.caller(request, now: context.now).account.id == user else {
                    throw ServerProblem("access-denied", "The challenge is another user's.")
                }
            }
            switch challenge.step {
            case .code(let sent):
                if body.has("resend") { return try state.resend(sent, of: challenge, token, in: context) }
                guard sent.validUntil > context.now else {
                    throw ServerProblem("code-expired", "The code is too old.")
                }
                guard try body.required("code") == sent.code else { throw state.wrongCode(challenge, token) }
            case .appCode(let factor):
                let code = try body.required("code")
                guard state.accepts(code, of: factor, of: challenge.purpose.user, now: context.now) else {
                    throw state.wrongCode(challenge, token)
                }
            case .enrollment:
                let code = try body.required("code")
                guard case .enrolling(let user, var factor) = challenge.purpose else { break }
                guard factor.accepts(code, at: context.now) else { throw state.wrongCode(challenge, token) }
                challenge.purpose = .enrolling(user: user, factor)
            case .factors(let offered):
                let id = try body.required("factor")
                guard let owner = challenge.purpose.user,
                    let factor = state.factors[owner]?.first(where: { $0.factor.id == id }),
                    offered.contains(factor.factor)
                else {
                    throw ServerProblem("invalid-input", "It is none of the factors.", members: ["field": "factor"])
                }
                state.challenges.remove(token)
                return state.askCode(of: factor, for: challenge.purpose, in: context)
            case .form:
                guard case .entering(var entry, let gate) = challenge.purpose else { break }
                entry.values = try Self.values(of: body, for: context.configuration.server.signUpFields)
                challenge.purpose = .entering(entry, after: gate)
            case .page(let ticket, _):
                let callback = URLComponents(string: try body.required("callback"))
                guard callback?.queryItems?.first(where: { $0.name == "ticket" })?.value == ticket,
                    state.challenges.hasAgreed(onPage: ticket)
                else { throw ServerProblem("access-denied", "The person has not agreed on the page.") }
            }
            state.challenges.remove(token)
            return try state.proceed(challenge.purpose, in: context)
        }
    }

    /// `GET /auth/page?ticket=…`: the page of a step. The person agrees, and returns to the app.
    func page(_ request: EmulatorRequest, in context: EmulatorContext) -> LoopbackResponse {
        guard let ticket = request.query["ticket"], state.withLock({ $0.challenges.agree(onPage: ticket) }) else {
            return .notFound("text/html")
        }
        return LoopbackResponse(
            status: 302, headers: [("Location", "\(context.configuration.server.pageCallback)?ticket=\(ticket)")])
    }

    /// Returns the values of a form.
    private static func values(
        of body: ServerBody, for fields: [Challenge.Field]
    ) throws(ServerProblem) -> [String: String] {
        var values: [String: String] = [:]
        for field in fields {
            values[field.id] = body.word(field.id)
            let isGiven = field.kind == .consent ? values[field.id] == "true" : values[field.id]?.isEmpty == false
            guard isGiven || !field.isRequired else {
                throw ServerProblem("invalid-input", "A value is missing.", members: ["field": .string(field.id)])
            }
        }
        // A reserved name stands for all that a server refuses.
        if values["nickname"] == "admin" {
            throw ServerProblem("invalid-input", "The name is taken.", members: ["field": "nickname"])
        }
        let known = Set(fields.map(\.id) + ["token", "email", "password"])
        if let unknown = body.names.subtracting(known).min() {
            throw ServerProblem("invalid-input", "There is no such field.", members: ["field": .string(unknown)])
        }
        return values
    }
}

extension ServerState {
    /// Continues a sign-in or a change after a step.
    fileprivate mutating func proceed(
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
        if entry.userID == nil {
            entry.userID = owner(of: entry.identity)?.id
        }
        if entry.userID == nil {
            try accounts.checkAddress(of: entry.identity, against: nil)
            guard rules.signUpFields.isEmpty || entry.passed.contains(.registration) else {
                return challenges.ask(.form, for: .entering(entry, after: .registration), by: rules, now: now)
            }
            let (account, isNew) = try accounts.signIn(with: entry.identity, now: now)
            (entry.userID, entry.isNew) = (account.id, isNew)
            if let password = entry.password { setPassword(password, of: account.id, entry.identity.userID) }
            if let name = entry.values["nickname"] { _ = accounts.update(account.id) { $0.displayName = name } }
        }
        let account = try accounts.active(entry.userID ?? "")
        _ = accounts.update(account.id) { $0.adopt(entry.identity) }
        if !entry.passed.contains(.factor),
            let challenge = askFactor(of: account.id, for: .entering(entry, after: .factor), in: context)
        {
            return challenge
        }
        if !entry.passed.contains(.page), let name = steps[account.id] {
            let page = challenges.page(named: name)
            return challenges.ask(page, for: .entering(entry, after: .page), by: rules, now: now)
                .serving(context)
        }
        if entry.passed.contains(.page) { steps[account.id] = nil }
        let family = sessions.begin(for: account.id, from: entry.identity.provider, now: now)
        let tokens = sessions.issue(for: family, by: rules, now: now)
        var answer = EmulatedAPI.answer(tokens, try accounts.active(account.id), family.provider)
        answer["isNewUser"] = .bool(entry.isNew)
        return .object(answer)
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

    // MARK: Codes

    fileprivate mutating func resend(
        _ sent: ServerChallenges.SentCode, of challenge: ServerChallenges.Pending, _ token: String,
        in context: EmulatorContext
    ) throws(ServerProblem) -> AuthJSON {
        let (now, rules) = (context.now, context.configuration.server)
        guard now >= sent.resendableAt else {
            throw ServerProblem(
                "rate-limited", "Another code was sent a moment ago.",
                retryAfter: .seconds(sent.resendableAt.timeIntervalSince(now).rounded(.up)))
        }
        challenges.remove(token)
        let step = challenges.sendCode(to: sent.destination, isFactor: sent.isFactor, by: rules, now: now)
        return challenges.ask(
            step, for: challenge.purpose, by: rules, now: now, attemptsLeft: challenge.attemptsLeft)
    }

    /// Counts a wrong code.
    ///
    /// - Returns: The problem, with the token for the next code if there is an attempt left.
    fileprivate mutating func wrongCode(_ challenge: ServerChallenges.Pending, _ token: String) -> ServerProblem {
        challenges.remove(token)
        var next = challenge
        next.attemptsLeft -= 1
        guard next.attemptsLeft > 0 else { return ServerProblem("too-many-attempts", "There is no attempt left.") }
        return ServerProblem(
            "invalid-code", "The code is another one, or was used.",
            members: ["attemptsLeft": .integer(Int64(next.attemptsLeft)), "token": .string(challenges.keep(next))])
    }

    // MARK: Users

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
