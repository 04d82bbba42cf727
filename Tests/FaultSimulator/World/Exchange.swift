import AuthStreams
import Foundation

/// One request on its way, and what becomes of it.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Exchange: @unchecked Sendable {
    typealias Outcome = Result<AuthHTTPResponse, AuthError>

    let reply: Reply<Outcome>
    private let process: AppProcess
    private let world: World
    private let call: ServerCall
    private let body: Data
    private let timeLimit: Milliseconds
    private let caller = Call.current
    private var fault: NetworkFault?

    init(_ request: AuthHTTPRequest, of process: AppProcess) {
        self.process = process
        world = process.world
        call = ServerCall(request)
        body = request.body ?? Data()
        timeLimit = Int(request.timeout / .milliseconds(1))
        reply = process.reply(orElse: .failure(.offline))
    }

    func begin() {
        guard process.isAlive, !Task.isCancelled else {
            return
        }
        world.note(process, "asks the server to \(call)")
        if let token = call.refreshToken { world.ledger.sent(token, by: process, for: caller) }
        if case .signOut(let token) = call { world.ledger.givesBack(token, by: process) }
        world.ledger.asked(call, by: process)
        if case .step(let answer, _) = call { process.sends(answer) }
        if case .signIn(let identity) = call { world.profiles.sent(body, for: identity, by: caller, in: process) }
        guard !world.isOffline else {
            // Nothing leaves the device; that is known a little later.
            world.after(world.chance.pick(0, 500), of: process.id) { self.end(.failure(.offline)) }
            return
        }
        fault = world.isCalm ? nil : NetworkFault(&world.chance, oneIn: world.plan.networkFaults)
        // What is on its way no longer needs the process.
        world.after(way()) { self.arrive() }
        world.after(timeLimit, of: process.id) { self.end(.failure(.late)) }
    }

    /// Ends the call, unless it is over already.
    func end(_ outcome: Outcome, meaning: Answer.Meaning? = nil, spent: Int? = nil) {
        guard process.isAlive, !reply.isGiven else { return }
        guard !process.isFrozen else {
            // It waits in a buffer of the system.
            world.after(0, of: process.id) { self.end(outcome, meaning: meaning, spent: spent) }
            return
        }
        switch outcome {
        case .success(let response): world.note(process, "is answered \(response.status) to: \(call)")
        case .failure(let error): world.note(process, "gets no answer (\(error.code.rawValue)) to: \(call)")
        }
        if let token = call.refreshToken {
            world.ledger.answered(token, meaning, isInDoubt: !outcome.saysNothingWasDone, to: process)
        }
        switch meaning {
        case .session(let access, _), .accessToken(let access): arrived(access)
        default: break
        }
        switch call {
        case .account, .step(_, .some): world.ledger.confirmed(by: process)
        default: break
        }
        if case .step(let answer, _) = call { process.sent(answer, outcome, spent: spent) }
        if case .challenge = meaning, case .success(let response) = outcome, let text = ChallengeText(response) {
            process.read(text, for: caller)
        }
        if let token = call.refreshToken, meaning == nil {
            world.ledger.refreshFailed(token, retryAfter: outcome.retryAfter, in: process)
        }
        if call.refreshToken != nil, meaning == nil, outcome.isNoAnswer { process.conduct.adoptionFailed() }
        if case .gone(let user) = meaning { world.ledger.gone(user, to: process) }
        reply.give(outcome)
    }

    private func arrived(_ access: TokenName) {
        world.ledger.arrived(access, to: process)
        switch call {
        case .signIn, .signInAnonymously, .step(_, nil):
            process.conduct.answers[world.server.user(of: access.family)] = access.family
            caller?.family = access.family
            world.ledger.origins[access.family] = process.id
        case .account(_, let token) where token.family != access.family: caller?.family = access.family
        case .step(_, let token?) where token.family != access.family: caller?.family = access.family
        default: break
        }
    }

    private func arrive() {
        if world.isOffline || world.flaw == .silentAtRest && world.isCalm { fault = .lostRequest }
        guard fault?.reachesServer ?? true else {
            switch fault {
            case .failure: back(.failure(world.chance.pick(500, 503), retryAfter: world.chance.pick(nil, 5, 60)))
            case .rateLimit: back(.failure(429, retryAfter: world.chance.pick(nil, 5, 60)))
            case .page: back(.page)
            case .invalidCredential where call.refreshToken != nil: back(.problem(401, "invalid-credential"))
            case .invalidCredential: back(.failure(500, retryAfter: nil))
            default: lose()
            }
            return
        }
        var answer = carryOut()
        world.note(nil, "the server is asked to \(call): \(answer.response.status)")
        switch fault {
        case .lostAnswer: lose()
        case .lateAnswer: world.after(timeLimit + way()) { self.receive(answer) }
        case .truncatedAnswer: back(answer.truncated())
        case .anotherUser where isOfEstablishedSession: back(answer.ofAnotherUser(in: world.server))
        case .failureAfterwards: back(.failure(503, retryAfter: nil))
        case .twice:
            answer = carryOut()
            world.note(nil, "the server is asked again to \(call): \(answer.response.status)")
            back(answer)
        default: back(answer)
        }
    }

    /// Whether it is a refresh of a session whose user is known: of one to be adopted that is for the answer to say.
    private var isOfEstablishedSession: Bool {
        call.refreshToken.map { $0.family != world.otherSDK?.family } ?? false
    }

    private func carryOut() -> Answer {
        world.profiles.reached(body)
        var answer = call.carryOut(by: world.server)
        if world.plan.tellsTime { answer.response.headers[.date] = ServerDate.text(at: world.now) }
        return answer
    }

    private func back(_ answer: Answer) {
        world.after(way()) { self.receive(answer) }
    }

    private func receive(_ answer: Answer) {
        if world.isOffline {
            lose()
        } else {
            end(.success(answer.response), meaning: answer.meaning, spent: answer.spent)
        }
    }

    /// A cut connection is noticed soon, silence only by the time limit.
    private func lose() {
        if world.chance.oneIn(2) { world.after(0, of: process.id) { self.end(.failure(.offline)) } }
    }

    private func way() -> Milliseconds {
        world.isCalm ? 0 : 500 * world.chance.below(world.plan.latency / 500 + 1)
    }
}

extension Exchange.Outcome {
    /// How many seconds a server that fails asks to be left alone.
    fileprivate var retryAfter: Int? {
        guard case .success(let response) = self, response.status == 429 || response.status >= 500 else { return nil }
        return response.headers[.retryAfter].flatMap { Int($0) }
    }

    /// Whether it came in an answer's place, and asking again would not help.
    fileprivate var isNoAnswer: Bool {
        if case .success(let response) = self { response.status < 500 && response.status != 429 } else { false }
    }

    /// Whether the server did nothing but ask for fewer requests, or did not take the credential, as it says.
    fileprivate var saysNothingWasDone: Bool {
        guard case .success(let response) = self else { return false }
        // An answer of 401 that was cut off says nothing.
        let isWhole = (try? JSONSerialization.jsonObject(with: response.body)) != nil
        return response.status == 429 || response.status == 401 && isWhole
    }
}

extension AuthError {
    static var offline: Self { AuthError(.network, "The schedule says that no answer came.") }
    fileprivate static var late: Self { AuthError(.timedOut, "The schedule says that no answer came in time.") }
}
