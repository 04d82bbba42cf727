import AuthStreams

/// A further step that the server wants, as the process knows it that read so.
struct AskedStep {
    /// The call that is to be answered with a session.
    let call: Call?
    /// How long the prompt for it may be open; begins when it is seen.
    var limit: Milliseconds
    /// The last moment for an answer; `nil` before it is seen.
    var deadline: Milliseconds?
    /// How many answers the person gave to prompts for it that were open.
    var given = 0
    /// How many were sent, apart from those of which the server took no notice.
    var sent = 0
    /// Whether the process read that the pending token is taken no more.
    var isSpent = false
}

/// What must hold of prompts.
extension AppProcess {
    // MARK: What is sent and read

    /// The process read that the server wants a further step.
    func read(_ challenge: ChallengeText, for call: Call?) {
        let limit = challenge.expiresIn ?? 600_000
        var step = conduct.asked[challenge.pending] ?? AskedStep(call: call, limit: limit)
        // With each answer of the server the time begins anew.
        (step.limit, step.deadline) = (limit, nil)
        conduct.asked[challenge.pending] = step
        call?.lastStep = world.now
        if let call, call.firstStep == nil { call.firstStep = world.ledger.mark() }
    }

    /// An answer is about to be sent.
    func sends(_ answer: StepAnswer) {
        guard var step = conduct.asked[answer.pending] else {
            return world.broke(
                .pendingTokenIsSentOnce, "the answer to step \(answer.pending) is sent by a process that did not ask.")
        }
        if step.isSpent {
            world.broke(.pendingTokenIsSentOnce, "step \(answer.pending) is answered again after it was taken.")
        }
        if !isUnderWay(step) {
            world.broke(.pendingTokenIsSentOnce, "step \(answer.pending) is answered, and its attempt is over.")
        }
        step.sent += 1
        if step.sent > step.given {
            world.broke(
                .oneAnswerPerPrompt,
                "\(step.sent) answers to step \(answer.pending) are sent, and \(step.given) were given.")
        }
        conduct.asked[answer.pending] = step
    }

    /// The request with an answer has ended.
    ///
    /// - Parameter spent: The further step whose pending token is taken no more, as the server's answer says.
    func sent(_ answer: StepAnswer, _ outcome: Exchange.Outcome, spent: Int?) {
        if let spent { conduct.asked[spent]?.isSpent = true }
        switch outcome {
        // The server looked at the access token alone, and the same answer is sent with the next one.
        case .success(let response) where response.status == 401: conduct.asked[answer.pending]?.sent -= 1
        case .success(let response) where response.status < 429: break
        case .failure(let error) where error.code == .cancelled: break
        default:
            world.met(.failedAnswer)
            if world.server.steps[answer.pending].isSpent { world.met(.lostAcceptance) }
        }
    }

    /// The person is about to answer a prompt.
    func willAnswer(_ number: Int, by prompt: AuthPrompt) {
        guard let step = conduct.asked[number] else { return }
        if prompt.isOpen {
            conduct.asked[number]?.given += 1
        } else {
            world.met(isUnderWay(step) ? .secondAnswer : .lateAnswer)
        }
    }

    /// The person is about to cancel a prompt, which is ignored once its attempt is over, and while the answer of a change is being
    /// sent. An answered prompt of a change cancels the next one, if that is shown already.
    func willCancel(_ number: Int, by prompt: AuthPrompt) {
        guard let step = conduct.asked[number], isUnderWay(step) else { return }
        if prompt.isOpen || !(step.call?.isChange ?? false) {
            step.call?.isCancelledByPerson = true
        } else {
            step.call?.mayBeCancelledByPerson = true
        }
    }

    private func isUnderWay(_ step: AskedStep) -> Bool {
        guard let call = step.call else { return false }
        // Callers share a deletion.
        return call.isOpen
            || call.kind == .deleteAccount && conduct.calls.contains { $0.isOpen && $0.kind == call.kind }
    }

    // MARK: What is shown

    /// A reader that only looks is given a prompt, or `nil` for none.
    func saw(_ prompt: AuthPrompt?) {
        let screen = conduct.screen
        screen.shown = nil
        guard let prompt, let number = prompt.step else { return }
        let failure = prompt.failure.map { " after \($0.code.rawValue)" } ?? ""
        world.note(self, "asks for step \(number)\(failure)")
        let sight = Screen.Sight(prompt: prompt, step: number, time: world.now)
        screen.shown = sight
        screen.sights.append(sight)
        guard let step = conduct.asked[number] else { return }
        if step.deadline == nil { conduct.asked[number]?.deadline = world.now + step.limit }
        world.met(.prompt)
        if step.call?.isChange ?? false { world.met(.promptOfChange) }
    }

    /// Looks at the prompts once all that is to be done at this moment is done.
    func lookAtPrompts() {
        guard isRunning else { return }
        let screen = conduct.screen
        screen.sights.removeAll { !$0.prompt.isOpen }
        if screen.sights.count > (screen.isAsking ? 1 : 0) {
            world.broke(
                .onePromptAtATime,
                "process \(id + 1) has \(screen.sights.count) open prompts, and shows \(screen.isAsking ? "one" : "none")."
            )
        }
        lookAtPresenters(screen)
        guard let shown = screen.shown else { return }
        guard let step = conduct.asked[shown.step], isUnderWay(step) else {
            return world.broke(.noPromptWithoutAttempt, "step \(shown.step) is asked for, and its attempt is over.")
        }
        guard shown.prompt.isOpen else { return }
        if step.call?.isCancelledByPerson ?? false {
            world.broke(.endFitsPrompt, "step \(shown.step) is asked for, and the person cancelled it.")
        }
        if let deadline = step.deadline, world.now > deadline {
            world.broke(.promptEndsInTime, "step \(shown.step) is asked for after its end.")
        }
        if screen.presenters.isEmpty, world.now > max(screen.abandonedAt, shown.time) + 1000 {
            world.broke(.promptEndsInTime, "step \(shown.step) is asked for, and nothing shows it.")
        }
        lookForNewer(than: step)
    }

    private func lookAtPresenters(_ screen: Screen) {
        for presenter in screen.presenters.dropLast() where presenter.prompt != nil {
            world.broke(.presenterSeesThePrompt, "a presenter shows a prompt beside the one that came last.")
        }
        guard let presenter = screen.presenters.last, service != nil else { return }
        let (prompt, shown) = (presenter.prompt, screen.shown?.prompt)
        if prompt?.id != shown?.id || prompt?.step != shown?.step || prompt?.isOpen != shown?.isOpen {
            world.broke(
                .presenterSeesThePrompt,
                "the presenter shows step \(prompt?.step ?? -1), and it is \(shown?.step ?? -1).")
        }
    }

    /// A newer attempt that asked, and was refused a prompt for this one, which it supersedes.
    private func lookForNewer(than step: AskedStep) {
        guard let call = step.call, call.kind != .deleteAccount, conduct.isUnchanged(since: call.begin) else { return }
        let newer = conduct.calls.first { other in
            other.firstStep.map { first in
                // It began after this one had asked.
                call.firstStep.map { other.begin > $0 && first > $0 } ?? false
            } ?? false && (other.isOpen && other.kind != .deleteAccount || other.isSuperseded && !other.isCancelled)
                && conduct.calls.last { $0.asksPerson } === other
        }
        guard let newer else { return }
        world.broke(.onePromptAtATime, "\(call.name) is asked for, and \(newer.name) is newer.")
    }

    // MARK: How it ends

    /// Whether the prompt of a change has been open since then.
    func isChangeAsking(since time: Milliseconds) -> Bool {
        guard conduct.screen.isAsking, let shown = conduct.screen.shown else { return false }
        return shown.time <= time && conduct.asked[shown.step]?.call?.isChange ?? false
    }

    /// A call that the person was asked for has ended.
    func ended(_ call: Call, _ result: String) {
        guard let lastStep = call.lastStep else { return }
        switch result {
        case "success": world.met(.session)
        case AuthError.Code.cancelled.rawValue:
            world.met(call.isCancelledByPerson ? .cancelled : .callCancelled)
            if !call.isCancelledByPerson, !call.mayBeCancelledByPerson, !call.isCancelled {
                world.broke(.endFitsPrompt, "\(call.name) ends as cancelled, and was not.")
            }
        case AuthError.Code.superseded.rawValue:
            world.met(.superseded)
            conduct.observe(self)
            // In one process alone: another one may have decided later.
            let isAlone = !conduct.calls.contains {
                $0 !== call && ($0.asksPerson || $0.isSignOut) && $0.end ?? .max > call.begin
            }
            if isAlone, world.plan.processes == 1, conduct.isUnchanged(since: call.begin) {
                world.broke(.endFitsPrompt, "\(call.name) ends as superseded, and nothing else is under way.")
            }
        case AuthError.Code.timedOut.rawValue: world.met(.expired)
        case AuthError.Code.secondFactorRequired.rawValue, AuthError.Code.registrationRequired.rawValue:
            world.met(.notPresented)
            let screen = conduct.screen
            // A view that comes at this very moment may come too late.
            let isPresented = screen.presentedSince.map { $0 < world.now } ?? false
            if isPresented || world.now < max(lastStep, screen.abandonedAt) + 1000 {
                world.broke(.endFitsPrompt, "\(call.name) ends with \(result), and a view showed prompts.")
            }
        default: break
        }
    }
}

extension World {
    /// Looks at the prompts of all processes.
    func lookAtPrompts() {
        guard plan.challenges != nil else { return }
        for process in processes { process.lookAtPrompts() }
    }
}
