import Foundation

extension ServerContract {
    /// - Throws: The challenge of an answer, with the code that says what the server wants, or why the last answer was wrong;
    ///   `invalidResponse` if it cannot be read. Nothing, if the answer has none.
    func requireNoChallenge(
        in exchange: ServerExchange, to operation: ServerErrorResponse.Operation
    ) throws(AuthError) {
        let response = exchange.response
        guard operation.mayBeChallenged, response.isDecision, !response.isPage else { return }
        guard let (challenge, code) = try challenge(in: exchange, to: operation) else { return }
        let refusal = ServerErrorResponse(exchange, to: operation, by: self).error
        // Without an endpoint for the answer the person is not asked for one.
        let isAnswerable = challengeAnswer != nil || challenge.step(of: self) != nil
        var error = AuthError(
            code, "The server wants a further step: \(challenge.kind.printable).",
            challenge: isAnswerable ? challenge : nil)
        if refusal.refusesAnswer {
            error = refusal
            error.challenge = challenge
        }
        throw error
    }

    private func challenge(
        in exchange: ServerExchange, to operation: ServerErrorResponse.Operation
    ) throws(AuthError) -> (Challenge, AuthError.Code)? {
        let hasSession = hasSession(exchange)
        for (index, step) in steps.enumerated() where !hasSession || operation.mayGiveTokens(atStep: index) {
            guard let challenge = try challenge(of: step, in: exchange, hasSession) else { continue }
            var numbered = challenge
            numbered.context["step"] = Secret("\(index)")
            return (numbered, Self.code(of: challenge.step))
        }
        guard !hasSession else { return nil }
        let hasUser = hasUser(exchange)
        // Beside a user's own members, none can be told from those of a challenge.
        for members in places(in: exchange) {
            if !challenge.challenge.isEmpty || !hasUser, let value = members.member(at: challenge.challenge) {
                if let word = value.member(at: challenge.kind)?.text {
                    return try read(value, word, at: challenge.challenge)
                }
                // A change would be taken for done.
                if exchange.response.isSuccess, !challenge.challenge.isEmpty, value.object != nil {
                    throw missing(challenge.kind, challenge.challenge)
                }
            }
            if let word = members.member(at: challenge.needs)?.text { return try read(members, word, at: "") }
        }
        return nil
    }

    /// Returns whether an answer has an access token.
    private func hasSession(_ exchange: ServerExchange) -> Bool {
        guard exchange.response.isSuccess, let payload = try? payload(of: exchange) else { return false }
        return (try? token(at: session.accessToken, payload, exchange.response, from: exchange.request.url)) != nil
    }

    /// Returns whether an answer has a user.
    private func hasUser(_ exchange: ServerExchange) -> Bool {
        guard exchange.response.isSuccess, let payload = try? payload(of: exchange) else { return false }
        return payload.member(at: session.user)?.member(at: user.id)?.word != nil
    }

    /// The objects in which an answer may have a challenge: the payload, and the whole answer.
    private func places(in exchange: ServerExchange) -> [AuthJSON] {
        let payload = envelope?.payload.flatMap { exchange.json?.member(at: $0) }
        return [payload, exchange.json].compactMap(\.self).filter { $0.object != nil }
    }

    /// - Parameters:
    ///   - word: The server's word for the kind.
    ///   - place: The path of `value` in the payload, for errors.
    private func read(
        _ value: AuthJSON, _ word: String, at place: String
    ) throws(AuthError) -> (Challenge, AuthError.Code) {
        var found = try step(value, word, at: place)
        if let name = challenge.token {
            found.pendingToken = try value.member(at: name).token(named: path(joined(place, name)))
            if found.pendingToken == nil, !found.step.isPage { throw missing(name, place) }
        }
        let reason = value.member(at: challenge.reason)?.text.flatMap { challenge.reasons[$0] }
        return (found, reason ?? Self.code(of: found.step))
    }

    /// - Throws: `additionalStepRequired` for a kind that this version does not know, and that has no page.
    private func step(_ value: AuthJSON, _ word: String, at place: String) throws(AuthError) -> Challenge {
        let kind = challenge.kinds[word] ?? Challenge.Kind(rawValue: word)
        let step: Challenge.Step
        switch kind {
        case .code: step = .code(updated(Challenge.Code(), by: value))
        case .factors: step = .factors(try factors(value, at: place))
        case .form: step = .form(try fields(value, at: place))
        case .enrollment: step = .enrollment(try enrollment(value, at: place))
        default:
            guard let page = try page(value, at: place) else {
                guard kind != .page else { throw missing(challenge.page, place) }
                throw AuthError(
                    .additionalStepRequired,
                    "The server wants a step '\(kind.printable)', which this version does not know, and names no page for it."
                )
            }
            let callback = value.member(at: challenge.callbackURL)?.text.flatMap { URL(string: $0) }
            // What the page gives the app must not travel in plain text.
            let isUsable = callback.map { (try? RedirectURI.validate($0)) != nil } ?? false
            step = .page(Challenge.Page(page, callbackURL: isUsable ? callback : nil, kind: kind))
        }
        return Challenge(
            step, expiresIn: value.member(at: challenge.expiresIn)?.wait, attemptsLeft: attemptsLeft(in: value))
    }

    func attemptsLeft(in value: AuthJSON) -> Int? {
        value.member(at: challenge.attemptsLeft)?.lenientInteger.map { Int(min(max($0, 0), 1_000_000)) }
    }

    private func updated(_ code: Challenge.Code, by value: AuthJSON) -> Challenge.Code {
        let length = value.member(at: challenge.length)?.lenientInteger.flatMap {
            (1...64).contains($0) ? Int($0) : nil
        }
        return Challenge.Code(
            to: value.member(at: challenge.destination)?.text ?? code.destination, length: length ?? code.length,
            hasLetters: value.member(at: challenge.hasLetters)?.lenientBool ?? code.hasLetters,
            resendAfter: value.member(at: challenge.resendAfter)?.wait ?? code.resendAfter)
    }

    /// Returns the factors in an answer.
    func factors(_ value: AuthJSON, at place: String, canBeNone: Bool = false) throws(AuthError) -> [Challenge.Factor] {
        guard let all = value.member(at: challenge.factors)?.array, canBeNone || !all.isEmpty else {
            throw missing(challenge.factors, place)
        }
        var factors: [Challenge.Factor] = []
        for factor in all {
            guard let id = factor.member(at: challenge.factorID)?.word else {
                throw missing(joined(challenge.factors, challenge.factorID), place)
            }
            factors.append(
                .init(
                    id: id, kind: factor.member(at: challenge.factorKind)?.text ?? "",
                    name: factor.member(at: challenge.factorName)?.text))
        }
        return factors
    }

    private func fields(_ value: AuthJSON, at place: String) throws(AuthError) -> [Challenge.Field] {
        guard let all = value.member(at: challenge.fields)?.array, !all.isEmpty else {
            throw missing(challenge.fields, place)
        }
        var fields: [Challenge.Field] = []
        for field in all {
            guard let name = field.member(at: challenge.fieldName)?.text else {
                throw missing(joined(challenge.fields, challenge.fieldName), place)
            }
            let word = field.member(at: challenge.fieldKind)?.text
            let kind = word.map { challenge.fieldKinds[$0] ?? Challenge.Field.Kind(rawValue: $0) }
            let url = field.member(at: challenge.fieldURL)?.text.flatMap { URL(string: $0) }
            fields.append(
                .init(
                    id: name, kind: kind ?? .text, label: field.member(at: challenge.fieldLabel)?.text,
                    isRequired: field.member(at: challenge.isFieldRequired)?.lenientBool ?? true,
                    url: url.flatMap { $0.keepsSecrets ? $0 : nil }))
        }
        return fields
    }

    private func enrollment(_ value: AuthJSON, at place: String) throws(AuthError) -> Challenge.Enrollment {
        guard let secret = value.member(at: challenge.secret)?.text else { throw missing(challenge.secret, place) }
        guard let uri = value.member(at: challenge.uri)?.text, uri.lowercased().hasPrefix("otpauth://") else {
            throw .badMember(path(joined(place, challenge.uri)), "is missing, or no `otpauth:` URL")
        }
        return Challenge.Enrollment(
            secret: Secret(secret), url: Secret(uri), length: updated(.init(), by: value).length ?? 6)
    }

    private func page(_ value: AuthJSON, at place: String) throws(AuthError) -> URL? {
        guard let text = value.member(at: challenge.page)?.text else { return nil }
        guard let url = URL(string: text), url.keepsSecrets else {
            throw .badMember(path(joined(place, challenge.page)), "is not a URL by https")
        }
        return url
    }

    /// Reads a step that the contract describes; `nil` if the answer is none.
    private func challenge(
        of step: Step, in exchange: ServerExchange, _ hasSession: Bool
    ) throws(AuthError) -> Challenge? {
        let isListed = step.answers.contain(exchange.response)
        guard isListed || step.answers.isEmpty && step.token != nil && !hasSession else { return nil }
        var found = Challenge(step.step, expiresIn: step.expiresIn)
        if let place = step.token {
            found.pendingToken = try token(at: place, ofStepIn: exchange)
            guard found.pendingToken != nil else {
                guard isListed else { return nil }
                throw missing(place)
            }
        }
        // Beside tokens of a session, a lifetime is theirs.
        guard !hasSession, let members = places(in: exchange).first else { return found }
        if case .code(let code) = found.step { found.step = .code(updated(code, by: members)) }
        found.expiresIn = members.member(at: challenge.expiresIn)?.wait ?? found.expiresIn
        found.attemptsLeft = attemptsLeft(in: members)
        return found
    }

    /// Returns the token of a step, from the payload or else the whole answer.
    private func token(at place: TokenPlace, ofStepIn exchange: ServerExchange) throws(AuthError) -> Secret? {
        for members in places(in: exchange) + [.null] {
            if case .member(let path) = place, case .integer(let number) = members.member(at: path) {
                return Secret("\(number)")
            }
            let token = try token(at: place, members, exchange.response, from: exchange.request.url)
            if let token { return token }
        }
        return nil
    }

    /// Returns a challenge as it is after a wrong answer to it: with the token, and the attempts left, that the server's answer has.
    ///
    /// - Parameter attemptsLeft: The attempts left, if the answer does not say.
    func updated(_ challenge: Challenge, by exchange: ServerExchange, orElse attemptsLeft: Int?) -> Challenge {
        var next = challenge
        let place = challenge.step(of: self).map(\.token) ?? self.challenge.token.map(TokenPlace.member)
        if let place, let token = try? token(at: place, ofStepIn: exchange) { next.pendingToken = token }
        next.attemptsLeft = places(in: exchange).lazy.compactMap(self.attemptsLeft).first ?? attemptsLeft
        return next
    }

    /// The code of an attempt that ends at a step, because nothing shows the prompt.
    private static func code(of step: Challenge.Step) -> AuthError.Code {
        switch step {
        case .code: .verificationRequired
        case .factors, .enrollment: .secondFactorRequired
        case .form: .registrationRequired
        default: .additionalStepRequired
        }
    }

    private func missing(_ name: String, _ place: String) -> AuthError {
        .badMember(path(joined(place, name)), "is missing")
    }

    private func joined(_ place: String, _ name: String) -> String {
        [place, name].filter { !$0.isEmpty }.joined(separator: ".")
    }
}

extension AuthJSON {
    /// A wait in seconds, from zero up to a day; `nil` for anything but a number or its decimal text.
    fileprivate var wait: Duration? { lifetime.map { min($0, .seconds(86_400)) } }
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

extension Challenge.Step {
    fileprivate var isPage: Bool { if case .page = self { true } else { false } }
}
