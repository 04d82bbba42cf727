import Foundation

extension ServerContract {
    /// The names in a challenge: what the server answers with, in place of a session, when it wants a further step.
    ///
    /// ```swift
    /// contract.challenge.challenge = "nextStep"
    /// contract.challenge.kinds = ["OTP": .code, "CHOOSE": .factors]
    /// contract.challenge.answer.code = "otp"
    /// ```
    public struct ChallengeNames: Equatable, Sendable {
        /// The object with the challenge; an empty path if its members stand beside others of the answer.
        public var challenge = "challenge"
        /// What the person is asked: `code`, `factors`, `form`, `enrollment`, `page`, or another word of ``kinds``. Required.
        public var kind = "kind"
        /// The server's own words for kinds.
        public var kinds: [String: Challenge.Kind] = [:]
        /// Why the person is asked: a word of ``reasons``. Without it the kind decides.
        public var reason = "reason"
        /// The words for why the person is asked, and the code of the attempt if nothing shows the prompt.
        public var reasons: [String: AuthError.Code] = [
            "secondFactor": .secondFactorRequired, "verification": .verificationRequired,
            "registration": .registrationRequired,
        ]
        /// The token of the sign-in that is not complete, which the answer repeats. Required, unless the name is `nil` because the
        /// server has none, or the step is a page.
        public var token: String? = "token"
        /// How long the server takes an answer, in seconds; ten minutes unless it says so. A day at most counts.
        public var expiresIn = "expiresIn"
        /// How many answers the server still takes.
        public var attemptsLeft = "attemptsLeft"
        /// Where a code was sent, as much of it as the person may see.
        public var destination = "destination"
        /// The number of characters of a code.
        public var length = "length"
        /// Whether a code has letters, too.
        public var hasLetters = "hasLetters"
        /// The wait until the server sends another code, in seconds. Without it the server sends none.
        public var resendAfter = "resendAfter"
        /// The factors among which the person chooses; also in the answer of ``ServerContract/secondFactors``.
        public var factors = "factors"
        /// A factor's identifier. Required.
        public var factorID = "id"
        /// A factor's kind, such as `totp`, `sms` or `email`.
        public var factorKind = "kind"
        /// A factor's name; also in the request of ``ServerContract/enrollSecondFactor``.
        public var factorName = "name"
        /// The fields of a form.
        public var fields = "fields"
        /// A field's name. Required.
        public var fieldName = "name"
        /// A field's kind: `text`, `email`, `phone`, `password`, `consent`, or another word of ``fieldKinds``. Any other is shown as
        /// text.
        public var fieldKind = "kind"
        /// The server's own words for kinds of fields.
        public var fieldKinds: [String: Challenge.Field.Kind] = [:]
        /// A field's label.
        public var fieldLabel = "label"
        /// Whether a field is required; `true` unless the server says otherwise.
        public var isFieldRequired = "required"
        /// The page with the terms of a consent.
        public var fieldURL = "url"
        /// The secret of a new authenticator app in Base32. Required there.
        public var secret = "secret"
        /// The URL with that secret: `otpauth://totp/…`. Required there.
        public var uri = "uri"
        /// A page for the step, by https. Required for the kind `page`; a kind that this version does not know is shown by it.
        public var page = "page"
        /// The URL of the app at which the page ends. Without it the app has to show the page itself.
        public var callbackURL = "callbackURL"
        /// What the server wants, in an answer without a challenge: `{"needs": "terms-2027", "page": "https://…"}`. An old version of
        /// the app shows the ``page``.
        public var needs = "needs"
        /// The field that the server refuses, in the problem `invalid-input`.
        public var field = "field"
        /// The names in the answer.
        public var answer = AnswerNames()

        /// Makes the documented names.
        package init() {}
    }

    /// The names in the person's answer to a challenge.
    public struct AnswerNames: Equatable, Sendable {
        /// The place of the challenge's token. Unless given, where it was in the challenge: the same header field, or the last name
        /// of its path.
        public var token: TokenPlace?
        /// The code that the person entered.
        public var code = "code"
        /// `true`, if the person asks for another code.
        public var resend = "resend"
        /// The identifier of the factor that the person chose.
        public var factor = "factor"
        /// The object with the values of a form; `nil` if they stand beside the token.
        public var fields: String?
        /// How a consent stands in the values of a form.
        public var consents = Consents.boolean
        /// The URL by which a page came back to the app.
        public var callback = "callback"

        /// How a consent to terms is written.
        public enum Consents: Equatable, Sendable {
            /// `true` or `false`, by the field's name.
            case boolean
            /// A word, by the field's name, such as `Y` and `N`.
            case words(yes: String, no: String)
            /// The names of the consents that were given, in an array of that name.
            case list(String)
        }

        /// Makes the documented names.
        package init() {}
    }

    /// A further step of a server that writes no challenges: what its answer looks like, what the person is asked, and where the
    /// answer goes.
    ///
    /// ```swift
    /// // {"isNewUser": true, "signupToken": "…"} in place of a session; then POST signup {"signupToken", "nickname", "terms"}
    /// contract.steps = [
    ///     .init(
    ///         .form([.init(id: "nickname"), .init(id: "terms", kind: .consent)]), token: "signupToken",
    ///         to: .init(.post, "signup"), expiresIn: .seconds(600))
    /// ]
    /// ```
    public struct Step: Equatable, Sendable {
        /// What the person is asked. Members of the answer that ``ServerContract/challenge`` names, such as the destination of a
        /// code, replace its own values.
        public var step: Challenge.Step
        /// The answers that mean the step. If there are none, it is an answer without an access token that has ``token``.
        public var answers: [ServerRefusal]
        /// The place of the step's token in the server's answer, a string or a whole number; `nil` if there is none.
        public var token: TokenPlace?
        /// Takes the person's answer.
        public var endpoint: Endpoint
        /// Sends another code; `nil` if ``endpoint`` does, with ``AnswerNames/resend``.
        public var resend: Endpoint?
        /// How long the server takes an answer, unless it says so; `nil` for ten minutes.
        public var expiresIn: Duration?
        /// The names in the person's answer.
        public var names = AnswerNames()

        /// Describes a step.
        ///
        /// - Parameters:
        ///   - step: What the person is asked.
        ///   - answers: The answers that mean the step; unless given, one without an access token that has `token`.
        ///   - token: The place of the step's token in the server's answer.
        ///   - endpoint: Takes the person's answer.
        ///   - resend: Sends another code.
        ///   - expiresIn: How long the server takes an answer.
        public init(
            _ step: Challenge.Step, on answers: [ServerRefusal] = [], token: TokenPlace? = nil, to endpoint: Endpoint,
            resend: Endpoint? = nil, expiresIn: Duration? = nil
        ) {
            self.step = step
            self.answers = answers
            self.token = token
            self.endpoint = endpoint
            self.resend = resend
            self.expiresIn = expiresIn
        }
    }
}

// MARK: Reading

extension ServerContract {
    /// - Throws: The challenge of an answer, with the code that says what the server wants, or why the last answer was wrong;
    ///   `invalidResponse` if it cannot be read. Nothing, if the answer has none.
    func requireNoChallenge(
        in exchange: ServerExchange, to operation: ServerErrorResponse.Operation
    ) throws(AuthError) {
        let response = exchange.response
        guard operation.mayBeChallenged, !response.isPage, response.status != 429,
            response.isSuccess || (400..<500).contains(response.status)
        else { return }
        let refusal =
            response.isSuccess && envelope == nil ? nil : ServerErrorResponse(exchange, to: operation, by: self)
        // A challenge beside it repeats the one that is over.
        if let refusal, refusal.endsAttempt { return }
        guard let (challenge, code) = try challenge(in: exchange, to: operation) else { return }
        // Without an endpoint for the answer the person is not asked for one.
        let isAnswerable = challengeAnswer != nil || challenge.step(of: self) != nil
        var error = AuthError(
            code, "The server wants a further step: \(challenge.kind.printable).",
            challenge: isAnswerable ? challenge : nil)
        if let refusal = refusal?.error, [.codeMismatch, .invalidInput].contains(refusal.code) {
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
    func updated(_ challenge: Challenge, by exchange: ServerExchange, isNewCode: Bool) -> Challenge {
        var next = challenge
        let place = challenge.step(of: self).map(\.token) ?? self.challenge.token.map(TokenPlace.member)
        if let place, let token = try? token(at: place, ofStepIn: exchange) { next.pendingToken = token }
        // Another code has attempts of its own.
        next.attemptsLeft =
            places(in: exchange).lazy.compactMap(attemptsLeft).first ?? (isNewCode ? nil : challenge.attemptsLeft)
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

    /// The index of the contract's step that it is.
    var stepIndex: Int? { context["step"].flatMap { Int($0.reveal()) } }
}

extension Challenge.Kind {
    /// The kind's name, if it may be printed: it may be a word of the server.
    fileprivate var printable: String { ProblemDetails.printable(rawValue) ?? "of another kind" }
}

extension Challenge.Step {
    fileprivate var isPage: Bool { if case .page = self { true } else { false } }
}

// MARK: Answering

extension ServerContract {
    /// The request with an answer of the person.
    struct SentAnswer {
        let endpoint: Endpoint
        let members: [String: AuthJSON]
        let headers: [HeaderName: String]
    }

    /// Returns the request with an answer of the person.
    ///
    /// - Throws: `unsupportedProvider` if the contract has no endpoint for it; `misconfigured` for an answer that does not fit, or a
    ///   field with a name of the contract's own.
    func request(with answer: ChallengeAnswer, to challenge: Challenge) throws(AuthError) -> SentAnswer {
        let step = challenge.step(of: self)
        let names = step?.names ?? self.challenge.answer
        var endpoint = try Self.endpoint(step?.endpoint ?? challengeAnswer, "challengeAnswer")
        var sent = SentTokens()
        let place = step.map(\.token) ?? self.challenge.token.map(TokenPlace.member)
        if let place = names.token ?? place?.inRequest { sent.add(challenge.pendingToken, at: place) }
        var members: [String: AuthJSON] = [:]
        switch (answer, challenge.step) {
        case (.code(let code), _): members.add(names.code, code.reveal())
        case (.resend, _):
            if let resend = step?.resend { endpoint = resend } else { members.add(names.resend, .bool(true)) }
        case (.factor(let id), _): members.add(names.factor, id)
        case (.form(let entered), .form(let fields)):
            let values = formMembers(entered, of: fields, names.consents)
            if let path = names.fields { members[path] = .object(try values.nested()) } else { members = values }
        case (.callback(let url), _): members.add(names.callback, url.absoluteString)
        default:
            throw AuthError(.misconfigured, "The server takes no answer '\(answer)' to '\(challenge.kind.printable)'.")
        }
        try sent.members.addOwn(members)
        return SentAnswer(endpoint: endpoint, members: sent.members, headers: sent.headers)
    }

    /// Returns the values of a form, and no empty ones.
    private func formMembers(
        _ values: [String: Secret], of fields: [Challenge.Field], _ format: AnswerNames.Consents
    ) -> [String: AuthJSON] {
        var members: [String: AuthJSON] = [:]
        var given: [AuthJSON] = []
        for field in fields {
            guard let value = values[field.id], !value.isEmpty else { continue }
            guard field.kind == .consent else {
                members[field.id] = .string(value.reveal())
                continue
            }
            let isGiven = value.reveal() == "true"
            switch format {
            case .boolean: members[field.id] = .bool(isGiven)
            case .words(let yes, let no): members[field.id] = .string(isGiven ? yes : no)
            case .list: if isGiven { given.append(.string(field.id)) }
            }
        }
        if case .list(let name) = format, fields.contains(where: { $0.kind == .consent }) {
            members[name] = .array(given)
        }
        return members
    }
}

extension [String: AuthJSON] {
    /// Returns the members at their paths.
    fileprivate func nested() throws(AuthError) -> Self {
        var members: Self = [:]
        try members.addOwn(self)
        return members
    }
}
