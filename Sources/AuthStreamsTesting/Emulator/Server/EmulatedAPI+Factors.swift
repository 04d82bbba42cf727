import AuthStreams
import Foundation

/// A second factor of a user.
struct ServerFactor {
    /// How the user proves that they have it.
    enum Proof {
        /// By a code that is sent to an address or a phone number.
        case sentCode(to: String)
        /// By a code of an authenticator app with that secret. A code works once: `lastStep` is the time step of the last one.
        case app(Secret, lastStep: Int64?)
    }

    let factor: Challenge.Factor
    private(set) var proof: Proof

    init(_ kind: String, name: String?, _ proof: Proof) {
        factor = .init(id: "f-\(GrantStore.random())", kind: kind, name: name)
        self.proof = proof
    }

    /// Returns whether a code of the app is right, and was not used before. From then on it was.
    mutating func accepts(_ code: String, at now: Date) -> Bool {
        guard case .app(let secret, let last) = proof,
            let step = AuthenticatorApp(secret: secret)?.step(of: code, at: now, after: last)
        else { return false }
        proof = .app(secret, lastStep: step)
        return true
    }
}

extension EmulatedAPI {
    /// `GET /auth/factors`: the second factors of the user of the access token.
    func factors(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        try state.withLock { (state) throws(ServerProblem) in
            let id = try state.caller(request, now: context.now).account.id
            return ["factors": .array((state.factors[id] ?? []).map(\.factor.json))]
        }
    }

    /// `POST /auth/factors`: makes the secret of an authenticator app, which is a second factor from its first code on.
    func enroll(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let (name, rules) = (try ServerBody(request).string("name"), context.configuration.server)
        let secret = AuthenticatorApp.makeSecret()
        return try state.withLock { (state) throws(ServerProblem) in
            let account = try state.recentCaller(request, in: context).account
            let factor = ServerFactor("totp", name: name, .app(secret, lastStep: nil))
            return state.challenges.ask(
                .enrollment(secret, account: account.email ?? account.id),
                for: .enrolling(user: account.id, factor), by: rules, now: context.now)
        }
    }

    /// `DELETE /auth/factors/ID`: removes a second factor of the user of the access token, if their sign-in is recent.
    func removeFactor(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        try state.withLock { (state) throws(ServerProblem) in
            let account = try state.recentCaller(request, in: context).account
            state.factors[account.id]?.removeAll { $0.factor.id == request.itemID }
            return ["user": account.json]
        }
    }
}

extension ServerState {
    /// Asks for the user's second factor, or for the choice of one.
    ///
    /// - Returns: `nil` if the user has none.
    mutating func askFactor(
        of user: String, for purpose: ServerChallenges.Purpose, in context: EmulatorContext
    ) -> AuthJSON? {
        guard let own = factors[user], let first = own.first else { return nil }
        guard own.count > 1 else { return askCode(of: first, for: purpose, in: context) }
        return challenges.ask(
            .factors(own.map(\.factor)), for: purpose, by: context.configuration.server, now: context.now)
    }

    /// Asks for a code of a factor, and sends the code if no app shows it.
    mutating func askCode(
        of factor: ServerFactor, for purpose: ServerChallenges.Purpose, in context: EmulatorContext
    ) -> AuthJSON {
        let (now, rules) = (context.now, context.configuration.server)
        let step =
            switch factor.proof {
            case .sentCode(let to): challenges.sendCode(to: to, isFactor: true, by: rules, now: now)
            case .app: ServerChallenges.Step.appCode(of: factor.factor.id)
            }
        return challenges.ask(step, for: purpose, by: rules, now: now)
    }

    /// Returns whether a code of a user's authenticator app is right, and was not used before. From then on it was.
    mutating func accepts(_ code: String, of id: String, of user: String?, now: Date) -> Bool {
        guard let user, let index = factors[user]?.firstIndex(where: { $0.factor.id == id }) else { return false }
        return factors[user]?[index].accepts(code, at: now) ?? false
    }
}
