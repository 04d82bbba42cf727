/// Finds the challenge in an answer of the server.
struct ChallengeFinder {
    private let contract: ServerContract
    private let exchange: ServerExchange
    /// The payload of a success; `nil` for any other answer.
    private let payload: AuthJSON?
    /// Whether the answer has an access token.
    private let hasSession: Bool
    /// The objects in which an answer may have a challenge: the payload, and the whole answer.
    private let places: [ChallengeReader]

    init(in exchange: ServerExchange, by contract: ServerContract) {
        let response = exchange.response
        let payload = response.isSuccess ? try? contract.payload(of: exchange) : nil
        let token = payload.flatMap {
            try? contract.token(at: contract.session.accessToken, $0, response, from: exchange.request.url)
        }
        let inEnvelope = contract.envelope?.payload.flatMap { exchange.json?.member(at: $0) }
        self.contract = contract
        self.exchange = exchange
        self.payload = payload
        hasSession = token != nil
        places = [inEnvelope, exchange.json].compactMap(\.self).filter { $0.object != nil }.map {
            ChallengeReader(names: contract.challenge, member: ServerMember(value: $0, path: contract.path("")))
        }
    }

    /// Returns the challenge, and the code that says what the server wants; `nil` if the answer has none.
    ///
    /// - Throws: `invalidResponse` if the challenge cannot be read; `additionalStepRequired` for a kind that this version does not
    ///   know, and that has no page.
    func challenge(
        to operation: ServerErrorResponse.Operation
    ) throws(AuthError) -> (Challenge, AuthError.Code)? {
        for (index, step) in contract.steps.enumerated() where !hasSession || operation.mayGiveTokens(atStep: index) {
            guard var challenge = try challenge(of: step) else { continue }
            challenge.context["step"] = Secret("\(index)")
            return (challenge, challenge.step.code)
        }
        guard !hasSession else { return nil }
        for place in places {
            if let found = try challenge(in: place) { return found }
        }
        return nil
    }

    /// Returns the challenge that the server writes in a place.
    private func challenge(in place: ChallengeReader) throws(AuthError) -> (Challenge, AuthError.Code)? {
        let names = contract.challenge
        // Beside a user's own members, none can be told from those of a challenge.
        if !names.challenge.isEmpty || !hasUser, let member = place.member.member(at: names.challenge) {
            let reader = ChallengeReader(names: names, member: member)
            if let found = try reader.challenge(ofKindAt: names.kind) { return found }
            // A change would be taken for done.
            if exchange.response.isSuccess, !names.challenge.isEmpty, member.value.object != nil {
                throw member.missing(names.kind)
            }
        }
        return try place.challenge(ofKindAt: names.needs)
    }

    /// Whether the answer has a user.
    private var hasUser: Bool {
        payload?.member(at: contract.session.user)?.member(at: contract.user.id)?.word != nil
    }

    /// Returns the challenge of a step that the contract describes; `nil` if the answer is none.
    private func challenge(of step: ServerContract.Step) throws(AuthError) -> Challenge? {
        let isListed = step.answers.contain(exchange.response)
        guard isListed || step.answers.isEmpty && step.token != nil && !hasSession else { return nil }
        var challenge = Challenge(step.step, expiresIn: step.expiresIn)
        if let place = step.token {
            challenge.pendingToken = try token(at: place)
            guard challenge.pendingToken != nil else {
                guard isListed else { return nil }
                throw contract.missing(place)
            }
        }
        // Beside tokens of a session, a lifetime is theirs.
        guard !hasSession, let place = places.first else { return challenge }
        if case .code(let code) = challenge.step { challenge.step = .code(place.code(updating: code)) }
        challenge.expiresIn = place.expiresIn ?? challenge.expiresIn
        challenge.attemptsLeft = place.attemptsLeft
        return challenge
    }

    /// Returns the token of a step, from the payload or else the whole answer.
    func token(at place: ServerContract.TokenPlace) throws(AuthError) -> Secret? {
        // A header field or a cookie needs no body.
        for value in places.map(\.member.value) + [.null] {
            if case .member(let path) = place, case .integer(let number) = value.member(at: path) {
                return Secret("\(number)")
            }
            let token = try contract.token(at: place, value, exchange.response, from: exchange.request.url)
            if let token { return token }
        }
        return nil
    }

    /// How many answers the server still takes; `nil` if the answer does not say.
    var attemptsLeft: Int? { places.lazy.compactMap(\.attemptsLeft).first }
}
