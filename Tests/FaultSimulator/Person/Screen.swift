import AuthStreams

/// The prompts of a process as its readers see them: one that only looks, and those that show them to the person.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Screen: @unchecked Sendable {
    /// A prompt as the reader that only looks was given it.
    struct Sight {
        let prompt: AuthPrompt
        /// The further step that it is of.
        let step: Int
        let time: Milliseconds
    }

    /// A reader that shows prompts to the person.
    final class Presenter: @unchecked Sendable {
        var prompt: AuthPrompt?
        var task: Task<Void, Never>?
    }

    /// What is shown; `nil` for no prompt.
    var shown: Sight?
    /// Those that were seen, and may be open.
    var sights: [Sight] = []
    /// In the order in which they came.
    private(set) var presenters: [Presenter] = []
    /// Since when there has been one; `nil` if there is none.
    private(set) var presentedSince: Milliseconds?
    /// When the last one left.
    private(set) var abandonedAt: Milliseconds = 0

    /// Whether the person is asked now.
    var isAsking: Bool { shown?.prompt.isOpen ?? false }

    func came(_ presenter: Presenter, at now: Milliseconds) {
        presenters.append(presenter)
        presentedSince = presentedSince ?? now
    }

    func left(_ presenter: Presenter, at now: Milliseconds) {
        guard let place = presenters.firstIndex(where: { $0 === presenter }) else { return }
        presenters.remove(at: place)
        if presenters.isEmpty { (presentedSince, abandonedAt) = (nil, now) }
    }
}

extension AppProcess {
    /// Begins to read the prompts: at once by a reader that only looks, later by one that shows them.
    func readPrompts() {
        guard let plan = world.plan.challenges, let prompts = service?.prompts else { return }
        // It joins now, as a reader of states does.
        let place = Lock(Optional(prompts.makeAsyncIterator()))
        start { [self] in
            guard var iterator = place.withLock({ $0.take() }) else { return }
            while let prompt = await iterator.next() { saw(prompt) }
            saw(nil)
        }
        switch plan.screenAfter {
        case 0: presentPrompts()
        case let pause?: world.after(pause, of: id) { [self] in presentPrompts() }
        case nil: break
        }
    }

    /// A view that shows prompts comes.
    func presentPrompts() {
        guard let prompts = service?.prompts else { return }
        world.note(self, "a view shows prompts")
        let screen = conduct.screen
        if screen.isAsking { world.met(screen.presenters.isEmpty ? .presenterBack : .secondPresenter) }
        let presenter = Screen.Presenter()
        let place = Lock(Optional(prompts.presenting().makeAsyncIterator()))
        screen.came(presenter, at: world.now)
        presenter.task = start { [self] in
            guard var iterator = place.withLock({ $0.take() }) else { return }
            while let prompt = await iterator.next() {
                presenter.prompt = prompt
                if let prompt, prompt.isOpen { look(at: prompt, of: presenter) }
            }
        }
    }

    /// The view that came last goes away, and one comes that much later.
    func hidePrompts(for span: Milliseconds) {
        guard let presenter = conduct.screen.presenters.last else { return }
        world.note(self, "the view that shows prompts goes away for \(span) ms")
        // Its iterator ends with its task, at this moment of the schedule.
        presenter.task?.cancel()
        conduct.screen.left(presenter, at: world.now)
        world.after(span, of: id) { [self] in presentPrompts() }
    }

    /// The person looks at a prompt, and does something or nothing.
    private func look(at prompt: AuthPrompt, of presenter: Screen.Presenter) {
        let pause = world.chance.pick(0, 500, 3000, 20_000)
        guard !world.isCalm else {
            let cancels = world.chance.oneIn(4)
            return after(pause) {
                if cancels { $0.cancel(prompt, of: presenter) } else { $0.submit(.right, to: prompt) }
            }
        }
        if world.chance.oneIn(3) {
            let isForced = world.chance.oneIn(2)
            after(500) { $0.token(force: isForced) }
        }
        switch world.chance.below(16) {
        case 0..<6: after(pause) { $0.submit(.right, to: prompt) }
        case 6..<8: after(pause) { $0.submit(.wrong, to: prompt) }
        case 8:
            let second: StepAnswer.Kind = world.chance.pick(.right, .wrong)
            after(pause) { $0.submit(.right, to: prompt) }
            after(pause + world.chance.pick(0, 500)) { $0.submit(second, to: prompt) }
        case 9:
            after(pause) { $0.submit(.right, to: prompt) }
            after(pause + world.chance.pick(0, 500, 2000)) { $0.cancel(prompt, of: presenter) }
        case 10: after((world.plan.challenges?.lifetime ?? 0) + 1000) { $0.submit(.right, to: prompt) }
        case 11: after(pause) { $0.submit(.resend, to: prompt) }
        case 12: after(pause) { $0.cancel(prompt, of: presenter) }
        // A slip, which is not sent.
        case 13: after(pause) { _ in prompt.code?.submit("12") }
        default: after(500) { $0.token(force: true) }
        }
    }

    private func after(_ pause: Milliseconds, _ act: @escaping (AppProcess) -> Void) {
        world.after(pause, of: id) { [self] in act(self) }
    }

    private func submit(_ answer: StepAnswer.Kind, to prompt: AuthPrompt) {
        guard let step = prompt.step else { return }
        world.note(self, "the person answers step \(step): \(answer)")
        if answer != .resend || prompt.resendableAt != nil { willAnswer(step, by: prompt) }
        if prompt.isOpen, answer == .wrong { world.met(.wrongAnswer) }
        switch answer {
        case .resend: prompt.code?.resend()
        default:
            prompt.code?.submit(answer.rawValue)
            prompt.form?.submit(["nickname": answer.rawValue])
        }
    }

    private func cancel(_ prompt: AuthPrompt, of presenter: Screen.Presenter) {
        guard let step = prompt.step else { return }
        world.note(self, "the person cancels step \(step)")
        // Another view shows it now.
        let isHidden = conduct.screen.presenters.dropLast().contains { $0 === presenter }
        if !isHidden { willCancel(step, by: prompt) }
        prompt.cancel()
    }
}

extension AuthPrompt {
    /// The further step that it is of.
    var step: Int? { Int(code?.destination ?? form?.fields.first?.label ?? "") }
}
