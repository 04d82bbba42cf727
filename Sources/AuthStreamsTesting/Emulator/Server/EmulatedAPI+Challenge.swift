import AuthStreams
import Foundation
import LoopbackHTTP

extension EmulatedAPI {
    /// `POST /auth/challenge`: the person's answer. A token counts once; a wrong code gets another one.
    ///
    /// - Returns: A session, the next challenge, or `nil` for a change that is done.
    func answer(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON? {
        let body = try ServerBody(request)
        let token = try body.required("token")
        return try state.withLock { (state) throws(ServerProblem) in
            let challenge = try state.challenges.challenge(of: token, now: context.now)
            if let user = challenge.purpose.caller {
                guard try state.caller(request, now: context.now).account.id == user else {
                    throw ServerProblem("access-denied", "The challenge is another user's.")
                }
            }
            return try state.take(body, for: challenge, token, in: context)
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
}

extension ServerState {
    /// Takes the answer to a step, and continues. The token of an incomplete answer stays valid.
    fileprivate mutating func take(
        _ body: ServerBody, for challenge: ServerChallenges.Pending, _ token: String, in context: EmulatorContext
    ) throws(ServerProblem) -> AuthJSON? {
        var purpose = challenge.purpose
        switch challenge.step {
        case .code(let sent):
            if body.has("resend") { return try resend(sent, of: challenge, token, in: context) }
            guard sent.validUntil > context.now else { throw ServerProblem("code-expired", "The code is too old.") }
            guard try body.required("code") == sent.code else { throw wrongCode(challenge, token) }
        case .appCode(let factor):
            guard accepts(try body.required("code"), of: factor, of: purpose.user, now: context.now) else {
                throw wrongCode(challenge, token)
            }
        case .enrollment:
            let code = try body.required("code")
            guard case .enrolling(let user, var factor) = purpose, factor.accepts(code, at: context.now) else {
                throw wrongCode(challenge, token)
            }
            purpose = .enrolling(user: user, factor)
        case .factors(let offered):
            let factor = try factor(body.required("factor"), of: purpose.user, among: offered)
            challenges.remove(token)
            return askCode(of: factor, for: purpose, in: context)
        case .form:
            guard case .entering(var entry, let gate) = purpose else { break }
            entry.values = try body.values(of: context.configuration.server.signUpFields)
            purpose = .entering(entry, after: gate)
        case .page(let ticket, _):
            guard challenges.hasAgreed(onPage: ticket, by: try body.required("callback")) else {
                throw ServerProblem("access-denied", "The person has not agreed on the page.")
            }
        }
        challenges.remove(token)
        return try proceed(purpose, in: context)
    }

    private func factor(
        _ id: String, of user: String?, among offered: [Challenge.Factor]
    ) throws(ServerProblem) -> ServerFactor {
        guard let user, let factor = factors[user]?.first(where: { $0.factor.id == id }),
            offered.contains(factor.factor)
        else {
            throw ServerProblem("invalid-input", "It is none of the factors.", members: ["field": "factor"])
        }
        return factor
    }

    private mutating func resend(
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
        return challenges.ask(step, for: challenge.purpose, by: rules, now: now, attemptsLeft: challenge.attemptsLeft)
    }

    /// Counts a wrong code.
    ///
    /// - Returns: The problem, with the token for the next code if there is an attempt left.
    private mutating func wrongCode(_ challenge: ServerChallenges.Pending, _ token: String) -> ServerProblem {
        challenges.remove(token)
        var next = challenge
        next.attemptsLeft -= 1
        guard next.attemptsLeft > 0 else { return ServerProblem("too-many-attempts", "There is no attempt left.") }
        return ServerProblem(
            "invalid-code", "The code is another one, or was used.",
            members: ["attemptsLeft": .integer(Int64(next.attemptsLeft)), "token": .string(challenges.keep(next))])
    }
}

extension ServerBody {
    /// Returns the values of a form.
    func values(of fields: [Challenge.Field]) throws(ServerProblem) -> [String: String] {
        var values: [String: String] = [:]
        for field in fields {
            values[field.id] = word(field.id)
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
        if let unknown = names.subtracting(known).min() {
            throw ServerProblem("invalid-input", "There is no such field.", members: ["field": .string(unknown)])
        }
        return values
    }
}
