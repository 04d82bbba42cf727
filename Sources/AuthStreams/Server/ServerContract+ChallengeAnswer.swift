import Foundation

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
        let place = names.token ?? tokenPlace(of: challenge)?.inRequest
        if let place { sent.add(challenge.pendingToken, at: place) }
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
