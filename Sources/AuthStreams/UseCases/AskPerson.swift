import Foundation

extension SessionManager {
    /// Sends a request. As long as the server wants a further step, asks the person, and sends the answer.
    ///
    /// ```
    /// send ─▶ session, or an error
    ///      ─▶ challenge ─▶ prompt ─▶ answer ─▶ send it ─▶ session, or an error
    ///             ▲                               ├▶ the next challenge
    ///             ╰────────── with its failure ───┴▶ a wrong answer; no network
    /// ```
    ///
    /// - Parameters:
    ///   - operation: What the person has under way. A newer one supersedes it, also while it asks.
    ///   - reach: Notes the step of the operation.
    ///   - first: Sends the request.
    ///   - answer: Sends an answer of the person.
    /// - Throws: What the requests throw; `cancelled` if the person cancels the prompt, `timedOut` without an answer in time, the
    ///   error of the challenge if nothing shows prompts.
    func answering<Subject, Value: Sendable>(
        in operation: Operation<Subject>, reaching reach: @escaping @Sendable (AuthState.SignInStep) -> Void,
        _ first: () async throws -> Value, answer: (Challenge, ChallengeAnswer) async throws -> Value
    ) async throws(AuthError) -> Value {
        do { return try await first() } catch {
            let question = try Question(after: AuthError(wrapping: error), at: clock.moment)
            return try await Dialog(manager: self, operation: operation, reach: reach).run(question) {
                reach(.establishingSession)
                return try await answer($0, $1)
            }
        }
    }

    /// Asks the person for a provider.
    func prompter<Subject>(
        in operation: Operation<Subject>, reaching reach: @escaping @Sendable (AuthState.SignInStep) -> Void
    ) -> Prompter {
        Prompter { challenge, failure in
            try await Dialog(manager: self, operation: operation, reach: reach).run(
                Question(challenge, failure, at: self.clock.moment, because: .unpresented(challenge))
            ) { $1 }
        }
    }
}

/// The prompts of one attempt, one after the other.
private struct Dialog<Subject: Sendable>: Sendable {
    let manager: SessionManager
    let operation: Operation<Subject>
    let reach: @Sendable (AuthState.SignInStep) -> Void

    /// Asks the person until an answer is taken.
    ///
    /// - Parameter send: Sends the answer to a challenge.
    func run<Value: Sendable>(
        _ first: Question, _ send: (Challenge, ChallengeAnswer) async throws -> Value
    ) async throws(AuthError) -> Value {
        var question = first
        while true {
            var answer = try await ask(question)
            do throws(AuthError) {
                answer = try question.check(answer, at: manager.clock.uptime)
                if answer == .open { answer = .callback(try await show(question)) }
                return try await AuthError.wrapping { [answer] in try await send(question.challenge, answer) }
            } catch {
                question = try Question(after: error, to: question, answer: answer, at: manager.clock.moment)
            }
        }
    }

    /// Shows the page of a prompt, and waits until it comes back.
    ///
    /// - Throws: `misconfigured` if it cannot be shown; otherwise why the person is asked again, with the challenge.
    private func show(_ question: Question) async throws(AuthError) -> URL {
        guard case .page(let page) = question.challenge.step, let callbackURL = page.callbackURL,
            let userAgent = manager.userAgent
        else {
            throw AuthError(
                .misconfigured,
                """
                The page cannot be shown: the service has no user agent, or the server does not say where the page ends. Give \
                the service's initializer a `userAgent` or a platform, or show the page and submit its callback.
                """)
        }
        reach(.presenting)
        do throws(AuthError) {
            return try await AuthStream {
                try await userAgent.authorize(
                    AuthorizationPage(
                        redirect: .redirect(callbackURL), makeURL: { _ in page.url },
                        accepts: { url, redirectURI in RedirectURI.matches(url, redirectURI) }))
            }.interrupted { await expiry(of: question) }.value.url
        } catch {
            guard !Task.isCancelled else { throw error }
            throw question.refusal(error.code, error.explanation)
        }
    }

    /// Waits until the server takes no answer any more.
    ///
    /// - Returns: `nil` if the task was cancelled before.
    private func expiry(of question: Question) async -> AuthError? {
        do { try await manager.clock.sleep(for: question.deadline - manager.clock.uptime) } catch { return nil }
        return .unanswered(question.challenge)
    }

    /// Shows a prompt, and waits for the person's answer.
    private func ask(_ question: Question) async throws(AuthError) -> ChallengeAnswer {
        let clock = manager.clock
        var prompt = AuthPrompt(
            question.challenge, provider: operation.provider, failure: question.failure,
            id: AuthPrompt.ID(manager.id, operation.id), at: question.askedAt.date,
            onCancelBy: { [weak current = manager.currentPrompt, operation] reader in
                current?.cancel(operation.id, by: reader) { prompt in
                    // The answer that is being sent to a change may already have taken effect, and have new tokens.
                    let isOpen = prompt.answer.resolve(nil)
                    if isOpen || !prompt.isOfSession {
                        operation.interruption.resolve(.cancelledByPerson)
                    }
                }
            })
        prompt.isOfSession = operation.subject is ChangedAccount
        if let uptime = question.resendableAt {
            prompt.resendableAt = clock.date.addingTimeInterval((uptime - clock.uptime) / .seconds(1))
        }
        // The answer to the last one came too late to be asked again.
        guard clock.uptime < question.deadline else { throw .unanswered(question.challenge) }
        reach(.waitingForAnswer)
        // An attempt that is to stop shows nothing over the one that took its place.
        if let reason = operation.interruption.current { throw reason }
        guard manager.currentPrompt.show(prompt) else { throw .superseded }
        let outcome = await AuthStream { [prompt, answer = prompt.answer] in
            withExtendedLifetime(prompt) {}
            // Without a value the task was cancelled.
            guard let answer = await answer.value() ?? nil else { throw AuthError.cancelled }
            return answer
        }.interrupted {
            await manager.currentPrompt.waitUntilAbandoned(by: clock)
            return Task.isCancelled ? nil : question.requirement
        }.interrupted { await expiry(of: question) }.body()
        do throws(AuthError) { return try outcome.get() } catch {
            // A late answer is ignored.
            prompt.answer.resolve(nil)
            manager.currentPrompt.hide(of: operation.id)
            throw error
        }
    }
}

/// A challenge as the person is asked it.
private struct Question: Sendable {
    private(set) var challenge: Challenge
    /// Why it is asked again.
    var failure: AuthError?
    /// When the server asked.
    private(set) var askedAt: Timestamp
    /// The earliest uptime for another code or link; `nil` if there is none.
    var resendableAt: Duration?
    /// The error of the attempt if nothing shows the prompt.
    let requirement: AuthError

    init(_ challenge: Challenge, _ failure: AuthError?, at now: Timestamp, because requirement: AuthError) {
        (self.challenge, self.failure, askedAt, self.requirement) = (challenge, failure, now, requirement)
        resendableAt = challenge.resendAfter.map { now.uptime + $0 }
    }

    /// - Throws: The error, if it has no challenge.
    init(after error: AuthError, at now: Timestamp) throws(AuthError) {
        guard let challenge = error.challenge, !challenge.isSpent else { throw error.withoutChallenge }
        var requirement = error
        requirement.challenge = nil
        requirement.explanation +=
            " Nothing shows prompts: read `prompts.presenting()` of the service where the person signs in, and keep that reader. A "
            + "presenter stops when its window is gone."
        self.init(challenge, error.asksFurther ? nil : error.withoutChallenge, at: now, because: requirement)
    }

    /// The question after the answer to another one failed.
    ///
    /// A wrong answer gives no more time, and no other code sooner or later, unless the server says so.
    ///
    /// - Throws: The error, if it ends the attempt.
    init(after error: AuthError, to last: Question, answer: ChallengeAnswer, at now: Timestamp) throws(AuthError) {
        if error.asksFurther {
            try self.init(after: error, at: now)
            // A choice that the server did not hear of gives no more time.
            if case .factor = answer, challenge.pendingToken == last.challenge.pendingToken { askedAt = last.askedAt }
            return
        }
        guard error.challenge.map({ !$0.isSpent }) ?? error.mayBeAnsweredAgain else { throw error.withoutChallenge }
        self = last
        failure = error.withoutChallenge
        if let next = error.challenge {
            challenge = next
            if next.pendingToken != last.challenge.pendingToken || next.expiresIn != last.challenge.expiresIn {
                askedAt = now
            }
        }
        if answer == .resend, let wait = error.retryAfter { resendableAt = now.uptime + wait }
    }

    /// The last moment for an answer.
    var deadline: Duration { askedAt.uptime + (challenge.expiresIn ?? .seconds(600)) }

    /// Checks the form of an answer before it is sent, so that a slip costs none of the attempts that the server counts.
    ///
    /// - Returns: The answer in its plain form.
    /// - Throws: `codeMismatch`, `invalidInput`, or `rateLimited` for a code or link that is asked for too early, with the challenge.
    func check(_ answer: ChallengeAnswer, at uptime: Duration) throws(AuthError) -> ChallengeAnswer {
        switch (answer, challenge.step) {
        case (.code(let code), .code(let details)):
            return .code(try plain(code, length: details.length, hasLetters: details.hasLetters))
        case (.code(let code), .enrollment(let details)):
            return .code(try plain(code, length: details.length, hasLetters: false))
        case (.resend, _):
            let rest = (resendableAt ?? uptime) - uptime
            guard rest <= .zero else {
                throw refusal(.rateLimited, "Another one can be asked for in \(rest).", retryAfter: rest)
            }
        case (.factor(let id), .factors(let factors)):
            guard factors.contains(where: { $0.id == id }) else {
                throw refusal(.invalidInput, "The factor is none of those that the server offered.")
            }
        case (.form(let values), .form(let fields)): return .form(try plain(values, for: fields))
        case (.address(let address), _):
            let address = address.trimmingCharacters(in: .whitespacesAndNewlines)
            guard address.contains("@") else { throw refusal(.invalidInput, "The text is no e-mail address.") }
            return .address(address)
        default: break
        }
        return answer
    }

    private func plain(_ code: Secret, length: Int?, hasLetters: Bool) throws(AuthError) -> Secret {
        let entered = code.reveal().map(\.halfWidth).filter { !$0.isWhitespace && !"-‐–−".contains($0) }
        let plain = String(hasLetters ? entered : entered.compactMap(\.digit))
        guard !plain.isEmpty, plain.count == entered.count, length == nil || length == plain.count else {
            let form = [length.map { "\($0)" }, hasLetters ? "characters" : "digits"].compactMap(\.self)
            throw refusal(
                .codeMismatch,
                "The code that was entered does not have the form that the server expects: \(form.joined(separator: " "))."
            )
        }
        return Secret(plain)
    }

    private func plain(
        _ values: [String: Secret], for fields: [Challenge.Field]
    ) throws(AuthError) -> [String: Secret] {
        if let unknown = values.keys.sorted().first(where: { name in !fields.contains { $0.id == name } }) {
            throw refusal(.invalidInput, "The form has no field '\(unknown)'. Correct the view that fills it in.")
        }
        var values = values
        for field in fields {
            let value = values[field.id]?.reveal().trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
            guard !field.isRequired || (field.kind == .consent ? value == "true" : !value.isEmpty) else {
                throw refusal(.invalidInput, "The field '\(field.id)' is required.")
            }
            // Keyboards add a space after an address that they complete.
            if field.kind == .email || field.kind == .phone, !value.isEmpty { values[field.id] = Secret(value) }
        }
        return values
    }

    func refusal(_ code: AuthError.Code, _ explanation: String, retryAfter: Duration? = nil) -> AuthError {
        AuthError(code, explanation, retryAfter: retryAfter, challenge: challenge)
    }
}

extension Character {
    /// The digit in ASCII for a digit of any script.
    fileprivate var digit: Character? {
        wholeNumberValue.flatMap { (0...9).contains($0) ? Character("\($0)") : nil }
    }

    /// The character of normal width for a full-width one (U+FF01 to U+FF5E); otherwise the same.
    fileprivate var halfWidth: Character {
        guard let scalar = unicodeScalars.first, unicodeScalars.count == 1, (0xFF01...0xFF5E).contains(scalar.value),
            let plain = Unicode.Scalar(scalar.value - 0xFEE0)
        else { return self }
        return Character(plain)
    }
}

extension AuthError {
    /// Whether the same answer may succeed later, so that the person is asked again. A server that says itself that time is up takes
    /// no answer any more.
    var mayBeAnsweredAgain: Bool {
        [.network, .server, .rateLimited].contains(code) || code == .timedOut && serverCode == nil
    }

    fileprivate var withoutChallenge: AuthError {
        var copy = self
        copy.challenge = nil
        return copy
    }

    fileprivate static var cancelledByPerson: Self { AuthError(.cancelled, "The person cancelled the prompt.") }

    fileprivate static func unanswered(_ challenge: Challenge) -> Self {
        AuthError(
            .timedOut, "The prompt '\(challenge.kind.rawValue)' was not answered in time. The person can start over.")
    }

    fileprivate static func unpresented(_ challenge: Challenge) -> Self {
        AuthError(
            .misconfigured,
            """
            The provider asks the person by the prompt '\(challenge.kind.rawValue)', and nothing shows prompts. Read \
            `prompts.presenting()` of the service where the person signs in.
            """)
    }
}
