import AuthStreams
import Foundation

/// How a server asks for further steps.
struct ChallengePlan: Hashable, Sendable {
    /// Whether sign-ins are answered with challenges too, and not changes of the account alone.
    var includesSignIns: Bool
    /// One in so many requests that may be is answered with one.
    var times: Int
    /// How long the server takes an answer.
    var lifetime: Milliseconds
    /// Whether it says how long.
    var tellsLifetime: Bool
    /// How many wrong answers it takes.
    var attempts: Int
    /// Whether each of its answers brings another pending token.
    var renewsTokens: Bool
    /// How many steps a sign-in takes, one or two.
    var steps: Int
    /// The wait until it sends another code; `nil` if it sends none.
    var resendAfter: Milliseconds?
    /// When a view that shows prompts comes after a launch; `nil` if none does.
    var screenAfter: Milliseconds?

    init(isAboutAccounts: Bool, _ chance: inout Chance) {
        includesSignIns = !isAboutAccounts || chance.oneIn(2)
        times = chance.pick(1, 1, 2, 3)
        tellsLifetime = !chance.oneIn(4)
        // Beyond the time that the library gives a prompt whose server does not say.
        lifetime = tellsLifetime ? chance.pick(10_000, 60_000, 300_000, 300_000) : 900_000
        attempts = chance.pick(1, 2, 3)
        renewsTokens = chance.oneIn(2)
        steps = chance.pick(1, 1, 2)
        resendAfter = chance.pick(nil, 0, 5000)
        screenAfter = chance.pick(0, 0, 0, 0, 0, 500, 2000, nil)
    }
}

/// A further step that the server wants, by its pending token.
struct PendingStep {
    /// What is done once the step is taken.
    enum Request: Hashable {
        case signIn(Identity)
        case link(Identity)
        case reauthenticate(Identity)
        case deletion
    }

    let request: Request
    /// Whether a form is to be filled in, and not a code entered.
    let isForm: Bool
    /// Until when an answer is taken.
    let expiry: Milliseconds
    var attemptsLeft: Int
    /// How many steps follow.
    let stepsLeft: Int
    /// Whether its token is taken no more: an answer was accepted, or another token replaced it.
    var isSpent = false
}

/// A further step as it is written in the server's answer.
struct ChallengeText: Codable {
    let type: String
    let pending: Int
    let isForm: Bool
    let isWrong: Bool
    let expiresIn: Int?
    let attemptsLeft: Int
    let resendAfter: Int?

    /// Reads an answer; `nil` for any other.
    init?(_ response: AuthHTTPResponse) {
        guard response.status == 403, response.body.range(of: Self.mark) != nil,
            let text = try? JSONDecoder().decode(Self.self, from: response.body)
        else { return nil }
        self = text
    }

    fileprivate init(_ number: Int, _ step: PendingStep, isWrong: Bool, in world: World) {
        let plan = world.plan.challenges
        type = "further-step"
        pending = number
        isForm = step.isForm
        self.isWrong = isWrong
        expiresIn = plan?.tellsLifetime ?? false ? step.expiry - world.now : nil
        attemptsLeft = step.attemptsLeft
        resendAfter = step.isForm ? nil : plan?.resendAfter ?? nil
    }

    private static let mark = Data("further-step".utf8)

    /// The error by which the use cases learn of it.
    var error: AuthError {
        let step: Challenge.Step =
            isForm
            ? .form([Challenge.Field(id: "nickname", label: "\(pending)")])
            : .code(
                Challenge.Code(to: "\(pending)", length: 6, resendAfter: resendAfter.map { .milliseconds($0) }))
        let challenge = Challenge(
            step, pendingToken: Secret("P\(pending)"), expiresIn: expiresIn.map { .milliseconds($0) },
            attemptsLeft: attemptsLeft)
        let code: AuthError.Code =
            isWrong ? isForm ? .invalidInput : .codeMismatch : isForm ? .registrationRequired : .secondFactorRequired
        return AuthError(code, "The schedule says that the server wants a further step.", challenge: challenge)
    }
}

/// An answer to a further step, as it is written in a request.
struct StepAnswer: Hashable {
    enum Kind: String {
        case right = "123456"
        case wrong = "000000"
        case resend
    }

    /// The number in the pending token.
    let pending: Int
    let kind: Kind

    init(_ pending: Int, _ kind: Kind) { (self.pending, self.kind) = (pending, kind) }

    init?(_ body: Data) {
        let parts = String(decoding: body, as: UTF8.self).split(separator: "\"")
        // {"pendingToken":"P5","answer":"123456"}
        guard parts.count == 9, let number = Int(parts[3].dropFirst()), let kind = Kind(rawValue: String(parts[7]))
        else { return nil }
        self.init(number, kind)
    }

    var body: Data { Data(#"{"pendingToken":"P\#(pending)","answer":"\#(kind.rawValue)"}"#.utf8) }
}

extension Server {
    /// Wants a further step before it does what it is asked for; `nil` if it does that at once.
    func challenge(to call: ServerCall) -> Answer? {
        guard let plan = world.plan.challenges, !world.isCalm, let request = request(of: call),
            world.chance.oneIn(plan.times)
        else { return nil }
        return challenged(
            PendingStep(
                request: request, isForm: isSignUp(request), expiry: world.now + plan.lifetime,
                attemptsLeft: plan.attempts, stepsLeft: plan.steps - 1))
    }

    private func request(of call: ServerCall) -> PendingStep.Request? {
        switch call {
        case .signIn(let identity) where world.plan.challenges?.includesSignIns ?? false:
            let isRefused = accounts.user(of: identity).map { accounts[$0].refusal != nil } ?? false
            return isRefused ? nil : .signIn(identity)
        case .account(let request, let token) where accepts(token):
            switch request {
            case .link(let identity): return .link(identity)
            case .reauthenticate(let identity): return .reauthenticate(identity)
            // The answer deletes nothing: the deletion is asked for again, by a session that has answered.
            case .deleteAccount: return families[token.family].hasAnswered ? nil : .deletion
            default: return nil
            }
        default: return nil
        }
    }

    private func isSignUp(_ request: PendingStep.Request) -> Bool {
        if case .signIn(let identity) = request { accounts.user(of: identity) == nil } else { false }
    }

    private func challenged(_ step: PendingStep, isWrong: Bool = false) -> Answer {
        steps.append(step)
        return challenged(steps.count - 1, isWrong: isWrong)
    }

    private func challenged(_ number: Int, isWrong: Bool) -> Answer {
        let text = ChallengeText(number, steps[number], isWrong: isWrong, in: world)
        return Answer(
            AuthHTTPResponse(
                status: 403, headers: [.contentType: "application/problem+json"],
                body: (try? JSONEncoder().encode(text)) ?? Data()),
            meaning: .challenge(number))
    }

    /// The person's answer to a further step.
    func take(_ answer: StepAnswer, with token: TokenName?) -> Answer {
        if let token, let refusal = refusal(of: token) { return refusal }
        guard steps.indices.contains(answer.pending), !steps[answer.pending].isSpent,
            world.now < steps[answer.pending].expiry
        else { return .problem(403, "access-denied") }
        var taken = taken(answer, with: token)
        if steps[answer.pending].isSpent { taken.spent = answer.pending }
        return taken
    }

    private func taken(_ answer: StepAnswer, with token: TokenName?) -> Answer {
        let step = steps[answer.pending]
        switch answer.kind {
        case .wrong:
            steps[answer.pending].attemptsLeft -= 1
            guard step.attemptsLeft > 1 else {
                steps[answer.pending].isSpent = true
                return .problem(403, "access-denied")
            }
            return askedAgain(answer.pending, isWrong: true)
        case .resend:
            world.met(.anotherCode)
            return askedAgain(answer.pending, isWrong: false)
        case .right:
            steps[answer.pending].isSpent = true
            world.met(.acceptedAnswer)
            guard step.stepsLeft == 0 else {
                world.met(.secondStep)
                return challenged(
                    PendingStep(
                        request: step.request, isForm: !step.isForm, expiry: nextExpiry,
                        attemptsLeft: world.plan.challenges?.attempts ?? 1, stepsLeft: step.stepsLeft - 1))
            }
            return done(step.request, with: token)
        }
    }

    private var nextExpiry: Milliseconds { world.now + (world.plan.challenges?.lifetime ?? 0) }

    private func askedAgain(_ number: Int, isWrong: Bool) -> Answer {
        guard world.plan.challenges?.renewsTokens ?? false else { return challenged(number, isWrong: isWrong) }
        steps[number].isSpent = true
        let step = steps[number]
        return challenged(
            PendingStep(
                request: step.request, isForm: step.isForm, expiry: isWrong ? step.expiry : nextExpiry,
                attemptsLeft: step.attemptsLeft, stepsLeft: step.stepsLeft), isWrong: isWrong)
    }

    private func done(_ request: PendingStep.Request, with token: TokenName?) -> Answer {
        switch (request, token) {
        case (.signIn(let identity), nil): return signIn(identity)
        case (.link(let identity), let token?): return link(identity, with: token)
        case (.reauthenticate(let identity), let token?): return reauthenticate(identity, with: token)
        case (.deletion, let token?): return prove(with: token)
        default: return .problem(403, "access-denied")
        }
    }
}
