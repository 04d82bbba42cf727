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
            let question = try ChallengeQuestion(after: AuthError(wrapping: error), at: clock.moment)
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
                ChallengeQuestion(challenge, failure, at: self.clock.moment, because: .unpresented(challenge))
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
        _ first: ChallengeQuestion, _ send: (Challenge, ChallengeAnswer) async throws -> Value
    ) async throws(AuthError) -> Value {
        var question = first
        while true {
            var answer = try await ask(question)
            do throws(AuthError) {
                answer = try question.check(answer, at: manager.clock.uptime)
                if answer == .open { answer = .callback(try await show(question)) }
                return try await AuthError.wrapping { [answer] in try await send(question.challenge, answer) }
            } catch {
                question = try ChallengeQuestion(after: error, to: question, answer: answer, at: manager.clock.moment)
            }
        }
    }

    /// Shows the page of a prompt, and waits until it comes back.
    ///
    /// - Throws: `misconfigured` if it cannot be shown; otherwise why the person is asked again, with the challenge.
    private func show(_ question: ChallengeQuestion) async throws(AuthError) -> URL {
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
    private func expiry(of question: ChallengeQuestion) async -> AuthError? {
        do { try await manager.clock.sleep(for: question.deadline - manager.clock.uptime) } catch { return nil }
        return .unanswered(question.challenge)
    }

    /// Shows a prompt, and waits for the person's answer.
    private func ask(_ question: ChallengeQuestion) async throws(AuthError) -> ChallengeAnswer {
        let (clock, prompt) = (manager.clock, prompt(of: question))
        // The answer to the last one came too late to be asked again.
        guard clock.uptime < question.deadline else { throw .unanswered(question.challenge) }
        reach(.waitingForAnswer)
        // An attempt that is to stop shows nothing over the one that took its place.
        if let reason = operation.interruption.current { throw reason }
        guard manager.currentPrompt.show(prompt) else { throw .superseded }
        let outcome = await AuthStream { [answer = prompt.answer] in
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

    private func prompt(of question: ChallengeQuestion) -> AuthPrompt {
        let clock = manager.clock
        var prompt = AuthPrompt(
            question.challenge, provider: operation.provider, failure: question.failure,
            id: AuthPrompt.ID(manager.id, operation.id), at: question.askedAt.date,
            onCancelBy: { [weak current = manager.currentPrompt, operation] reader in
                current?.cancel(operation.id, by: reader) { prompt in
                    // The answer that is being sent to a change may already have taken effect, and have new tokens.
                    let isOpen = prompt.answer.resolve(nil)
                    if isOpen || !prompt.isOfSession { operation.interruption.resolve(.cancelledByPerson) }
                }
            })
        prompt.isOfSession = operation.subject is ChangedAccount
        if let uptime = question.resendableAt {
            prompt.resendableAt = clock.date.addingTimeInterval((uptime - clock.uptime) / .seconds(1))
        }
        return prompt
    }
}

extension AuthError {
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
