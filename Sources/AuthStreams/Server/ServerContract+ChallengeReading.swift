extension ServerContract {
    /// - Throws: The challenge of an answer, with the code that says what the server wants, or why the last answer was wrong;
    ///   `invalidResponse` if it cannot be read. Nothing, if the answer has none.
    func requireNoChallenge(
        in exchange: ServerExchange, to operation: ServerErrorResponse.Operation
    ) throws(AuthError) {
        guard operation.mayBeChallenged, exchange.response.isDecision, !exchange.response.isPage,
            let (challenge, code) = try ChallengeFinder(in: exchange, by: self).challenge(to: operation)
        else { return }
        var refusal = ServerErrorResponse(exchange, to: operation, by: self).error
        if refusal.refusesAnswer {
            refusal.challenge = challenge
            throw refusal
        }
        // Without an endpoint for the answer the person is not asked for one.
        let isAnswerable = challengeAnswer != nil || challenge.step(of: self) != nil
        throw AuthError(
            code, "The server wants a further step: \(challenge.kind.printable).",
            challenge: isAnswerable ? challenge : nil)
    }

    /// Returns a challenge as it is after a wrong answer to it: with the token, and the attempts left, that the server's answer has.
    ///
    /// - Parameter attemptsLeft: The attempts left, if the answer does not say.
    func updated(_ challenge: Challenge, by exchange: ServerExchange, orElse attemptsLeft: Int?) -> Challenge {
        let finder = ChallengeFinder(in: exchange, by: self)
        var next = challenge
        if let place = tokenPlace(of: challenge), let token = try? finder.token(at: place) { next.pendingToken = token }
        next.attemptsLeft = finder.attemptsLeft ?? attemptsLeft
        return next
    }

    /// Returns where a server's answer has the token of a challenge; `nil` if there is none.
    func tokenPlace(of challenge: Challenge) -> TokenPlace? {
        challenge.step(of: self).map(\.token) ?? self.challenge.token.map(TokenPlace.member)
    }

    /// Returns the user's second factors in an answer.
    func factors(in exchange: ServerExchange) throws(AuthError) -> [Challenge.Factor] {
        try ChallengeReader(names: challenge, member: payloadMember(of: exchange)).factors()
    }
}

extension Challenge {
    /// Returns the contract's step that it is; `nil` for a challenge that the server wrote.
    func step(of contract: ServerContract) -> ServerContract.Step? {
        stepIndex.flatMap { contract.steps.indices.contains($0) ? contract.steps[$0] : nil }
    }

    /// The contract's steps that are answered with this one.
    var answeredSteps: Set<Int> {
        let before = context["answered"]?.reveal().split(separator: " ").compactMap { Int($0) } ?? []
        return Set(before + [stepIndex].compactMap(\.self))
    }

    /// The index of the contract's step that it is.
    var stepIndex: Int? { context["step"].flatMap { Int($0.reveal()) } }
}

extension AuthError {
    /// Whether it says that the person's answer to a challenge was wrong.
    var refusesAnswer: Bool { code == .codeMismatch || code == .invalidInput }
}

extension Challenge.Kind {
    /// The kind's name, if it may be printed: it may be a word of the server.
    var printable: String { ProblemDetails.printable(rawValue) ?? "of another kind" }
}
