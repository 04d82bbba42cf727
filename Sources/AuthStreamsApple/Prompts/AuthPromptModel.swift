public import AuthStreams
public import Foundation
public import Observation

/// What the sheet of an attempt shows and what the person has entered, for one prompt of the attempt after the other.
///
/// ``AuthPromptView`` draws it. An app that presents its own sheets can draw it in another way:
///
/// ```swift
/// let model = AuthPromptModel(prompt, locale: locale)
/// title = model.content.title
/// model.enter("123456", in: model.content.fields[0])
/// if model.canSubmit { model.submit() }
/// ```
///
/// | what happens | the model |
/// | --- | --- |
/// | the person answers | ``isSending`` until the next prompt or the end of the attempt |
/// | the answer was wrong | ``failure``; the code, or the password that was refused, is cleared |
/// | the next step | ``content`` changes, and everything that was entered is cleared |
/// | the person closes the sheet | ``cancel()`` ends the attempt and clears what was entered |
///
/// What the person enters is kept as a `Secret`: a model that is printed shows nothing of it.
@MainActor @Observable
public final class AuthPromptModel: Identifiable {
    /// The identity of the attempt: a sheet stays while its prompts follow one another.
    public nonisolated let id: AuthPrompt.ID
    /// The prompt.
    public private(set) var prompt: AuthPrompt
    /// What is shown.
    public private(set) var content: AuthPromptContent
    /// Whether an answer was given, and the next prompt or the end of the attempt is awaited.
    public private(set) var isSending: Bool
    /// Counts the prompts of the attempt: a view that sees another number moves the focus and announces ``announcement``.
    public private(set) var step = 0
    /// The texts in the language of the view.
    public var texts: AuthPromptTexts { didSet { content = AuthPromptContent(prompt, texts) } }

    /// Whether the person has closed the sheet.
    private(set) var isClosed = false
    private var entries: [String: Secret] = [:]
    /// The uptime of the clock at which the seconds were last counted.
    private var now: Duration
    private var resendAt: Duration?
    private var expiry: Duration?
    /// The language of times.
    private var locale: Locale
    @ObservationIgnored private let clock: AuthClock
    @ObservationIgnored private var timer: Task<Void, Never>?

    /// Makes the model of an attempt's first prompt.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - locale: The language.
    ///   - texts: The texts; the standard ones in the language of the locale unless given.
    ///   - clock: Measures the countdown and the expiry. It is that of the service.
    public init(
        _ prompt: AuthPrompt, locale: Locale = .current, texts: AuthPromptTexts? = nil, clock: AuthClock = .system
    ) {
        let texts = texts ?? .standard(for: locale)
        id = prompt.id
        self.prompt = prompt
        self.texts = texts
        self.locale = locale
        self.clock = clock
        content = AuthPromptContent(prompt, texts)
        // Another view may have answered it.
        isSending = !prompt.isOpen
        now = clock.uptime
        measure()
    }

    deinit { timer?.cancel() }

    // MARK: Prompts

    /// Shows the next prompt of the attempt. The same one once more changes nothing.
    public func show(_ next: AuthPrompt) {
        let (last, isRepeat) = (content, next.isSame(as: prompt))
        prompt = next
        guard !isRepeat else { return }
        content = AuthPromptContent(next, texts)
        let isAsked = next.failure != nil && content.fields == last.fields
        if isAsked { clearRefused() } else { entries = [:] }
        (isSending, isClosed) = (false, false)
        measure()
        step += 1
    }

    /// Clears the code or the password that the server did not accept. What did not reach it stays, and what the person chose.
    private func clearRefused() {
        let refusals: [AuthError.Code?] = [.codeMismatch, .invalidCredential, .invalidInput]
        guard refusals.contains(prompt.failure?.code) else { return }
        for field in content.fields where field.isProof { entries[field.id] = nil }
    }

    /// Ends the attempt, and clears what was entered.
    public func cancel() {
        close()
        prompt.cancel()
    }

    /// Shows the same in another language.
    func show(in locale: Locale, _ texts: AuthPromptTexts) { (self.texts, self.locale) = (texts, locale) }

    /// Clears what was entered: the sheet is gone.
    func close() {
        isClosed = true
        entries = [:]
        timer?.cancel()
    }

    // MARK: What is shown

    /// Why the step is asked again, and how many answers the server still takes; `nil` for the first time.
    public var failure: String? {
        guard let failure = prompt.failure else { return nil }
        let rest: String? =
            switch prompt.attemptsLeft {
            case 1?: texts.lastAttempt
            case let count? where count > 1: texts.attemptsLeft.replacing("{count}", with: "\(count)")
            default: nil
            }
        return [texts.sentence(for: failure), rest].compactMap { $0 }.joined(separator: " ")
    }

    /// What VoiceOver says of this step: why it is asked again, or what is asked.
    public var announcement: String {
        failure ?? [content.title, content.explanation].compactMap(\.self).joined(separator: ". ")
    }

    /// How long an answer is taken; `nil` if the server does not say.
    public var validUntil: String? {
        prompt.expiresAt.map {
            var style = Date.FormatStyle(date: .omitted, time: .shortened)
            style.locale = locale
            return texts.validUntil.replacing("{time}", with: $0.formatted(style))
        }
    }

    // MARK: Answers

    /// What was entered into a field.
    public func text(in field: AuthPromptContent.Field) -> String { entries[field.id]?.reveal() ?? "" }

    /// The field in which the person begins: the first that is empty, such as one that was refused and cleared; otherwise the first.
    var firstInput: AuthPromptContent.Field.ID? {
        content.inputs.first { entries[$0]?.reveal().isEmpty ?? true } ?? content.inputs.first
    }

    /// Enters a text; `true` or `false` for a consent.
    public func enter(_ text: String, in field: AuthPromptContent.Field) {
        if !isClosed { entries[field.id] = Secret(text) }
    }

    /// Whether the answer has its form, so that it can be sent.
    public var canSubmit: Bool {
        content.submitTitle != nil && canAnswer && content.fields.allSatisfy { $0.takes(text(in: $0)) }
    }

    /// Whether an answer counts: none was given, and the time is not over.
    public var canAnswer: Bool { !isSending && expiry.map { now < $0 } ?? true }

    /// Sends what was entered, or shows the page. Ignored while ``canSubmit`` is `false`.
    public func submit() {
        guard canSubmit else { return }
        isSending = true
        let first = entries.values.first?.reveal() ?? ""
        prompt.code?.submit(first)
        prompt.enrollment?.confirm(first)
        prompt.address?.submit(first)
        prompt.page?.open()
        prompt.form?.submit(
            content.fields.reduce(into: [:]) { values, field in
                let text = text(in: field)
                values[field.id] = field.input == .consent ? "\(text == "true")" : text.isEmpty ? nil : text
            })
    }

    /// Answers with a factor.
    public func choose(_ choice: AuthPromptContent.Choice) {
        guard canAnswer else { return }
        isSending = true
        prompt.factors?.choose(choice.factor)
    }

    // MARK: Another code or link

    /// Whether another code or link can be asked for now.
    public var canResend: Bool { content.resendTitle != nil && canAnswer && secondsUntilResend == 0 }

    /// The seconds until then, rounded up; `0` for none.
    public var secondsUntilResend: Int { resendAt.map { max(0, Int((($0 - now) / .seconds(1)).rounded(.up))) } ?? 0 }

    /// Asks for another code or link. Ignored while ``canResend`` is `false`.
    public func resend() {
        guard canResend else { return }
        isSending = true
        prompt.code?.resend()
        prompt.link?.resend()
    }

    /// Takes the times of the prompt from dates to the clock's uptime, and counts the seconds from then on.
    private func measure() {
        timer?.cancel()
        let date = clock.date
        now = clock.uptime
        // A date is exact to less than a microsecond only.
        func uptime(_ other: Date) -> Duration {
            now + .milliseconds((other.timeIntervalSince(date) * 1000).rounded())
        }
        (resendAt, expiry) = (prompt.resendableAt.map(uptime), prompt.expiresAt.map(uptime))
        timer = Task { [weak self, clock] in
            while let wait = self?.nextChange {
                guard (try? await clock.sleep(for: wait)) != nil else { return }
                self?.now = clock.uptime
            }
        }
    }

    /// The time until what is shown changes; `nil` if it does not.
    private var nextChange: Duration? {
        let seconds = secondsUntilResend
        if seconds > 0, let resendAt { return max(resendAt - .seconds(seconds - 1) - clock.uptime, .zero) }
        return expiry.flatMap { now < $0 ? max($0 - clock.uptime, .zero) : nil }
    }
}

extension AuthPromptModel: DescriptionOnly {
    /// The same text for all models: what was entered is secret, and what is shown personal.
    public nonisolated var description: String { "model of a prompt" }
}
