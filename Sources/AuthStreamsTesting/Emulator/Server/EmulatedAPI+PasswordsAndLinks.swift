import AuthStreams
import Foundation

/// Sign-in by an address and a password, a code or a link, and the mails to an address.
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
                entry.values = try body.values(of: fields)
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

    /// `POST /auth/password/reset`: sends a mail, to a known address alone.
    func sendPasswordReset(_ request: EmulatorRequest, in _: EmulatorContext) throws(ServerProblem) {
        let email = try ServerBody(request).required("email")
        state.withLock { state in
            if !state.accounts.all(email: email).isEmpty { state.challenges.send(.init(.passwordReset, to: email)) }
        }
    }

    /// `POST /auth/email-verification`: sends a mail to the address of the user of the access token.
    func sendEmailVerification(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) {
        try state.withLock { (state) throws(ServerProblem) in
            guard let email = try state.caller(request, now: context.now).account.email else { return }
            state.challenges.send(.init(.emailVerification, to: email))
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
