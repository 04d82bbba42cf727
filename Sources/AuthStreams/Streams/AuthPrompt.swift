public import Foundation

/// A question to the person in the middle of an attempt: a code, a factor, a form, a link, a page.
///
/// Show the part that is not `nil`, and call its method with the answer. The attempt continues with it:
///
/// ```swift
/// if let code = prompt.code {
///     CodeView(to: code.destination, error: prompt.failure) { code.submit($0) }
/// } else if let form = prompt.form {
///     FormView(form.fields) { form.submit($0) }
/// } else {
///     prompt.cancel()  // a kind that this app does not know
/// }
/// ```
///
/// | the answer | consequence |
/// | --- | --- |
/// | right | the next prompt of the attempt, or its end |
/// | wrong, empty, or not sent because the network is gone | the same prompt once more, with ``failure`` |
/// | a second one, or one to a prompt that is over | ignored; ``isOpen`` is `false` |
/// | none until ``expiresAt``, or within ten minutes of a prompt without | the attempt ends with `timedOut` |
///
/// All prompts of an attempt have the same ``id``, so that a sheet stays while its content changes. After an answer the prompt stays
/// until the server's: show that it is being sent. An app's own tests and previews make prompts with
/// ``init(_:provider:failure:id:at:onAnswer:onCancel:)``.
public struct AuthPrompt: Identifiable, Sendable {
    /// The identity of an attempt that asks.
    public struct ID: Hashable, Sendable {
        private let owner: UUID
        /// That of the attempt.
        let number: UInt64

        /// Makes an identity that no other attempt has.
        public init() { self.init(UUID(), 0) }

        init(_ owner: UUID, _ number: UInt64) { (self.owner, self.number) = (owner, number) }
    }

    /// The identity of the attempt: the same for all of its prompts.
    public let id: ID
    /// The provider that the person signs in with.
    public let provider: ProviderID?
    /// The last moment for an answer, by the device's clock; `nil` if the server does not say.
    public let expiresAt: Date?
    /// The earliest moment for another code or link; `nil` if the server sends no other.
    public internal(set) var resendableAt: Date?
    /// Why the step is asked again: `codeMismatch`, `invalidInput`, `rateLimited`, `network`; `nil` for the first time.
    public let failure: AuthError?
    private let challenge: Challenge
    /// `nil` once the prompt is over without an answer.
    let answer = Promise<ChallengeAnswer?>()
    private let onAnswer: @Sendable (ChallengeAnswer) -> Void
    /// Called with the reader that shows the prompt; `nil` for one that does not present.
    private let onCancel: @Sendable (CurrentPrompt.Reader?) -> Void
    /// Whether it is that of a change of the account, which is not shown behind a closed ``SessionGate``.
    var isOfSession = false
    /// The reader that shows it to the person.
    var reader: CurrentPrompt.Reader?

    /// Makes a prompt for a test or a preview of your view.
    ///
    /// - Parameters:
    ///   - challenge: What the person is asked.
    ///   - provider: The provider that the person signs in with.
    ///   - failure: Why the step is asked again.
    ///   - id: The identity of the attempt; one of its own unless given.
    ///   - date: When the server asked; now unless given.
    ///   - onAnswer: Receives the first answer.
    ///   - onCancel: Called for each ``cancel()``.
    public init(
        _ challenge: Challenge, provider: ProviderID? = nil, failure: AuthError? = nil, id: ID = ID(),
        at date: Date = Date(), onAnswer: @escaping @Sendable (ChallengeAnswer) -> Void = { _ in },
        onCancel: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            challenge, provider: provider, failure: failure, id: id, at: date, onAnswer: onAnswer,
            onCancelBy: { _ in onCancel() })
    }

    init(
        _ challenge: Challenge, provider: ProviderID?, failure: AuthError?, id: ID, at date: Date,
        onAnswer: @escaping @Sendable (ChallengeAnswer) -> Void = { _ in },
        onCancelBy onCancel: @escaping @Sendable (CurrentPrompt.Reader?) -> Void
    ) {
        self.challenge = challenge
        self.provider = provider
        self.failure = failure
        self.id = id
        self.onAnswer = onAnswer
        self.onCancel = onCancel
        expiresAt = challenge.expiresIn.map { date.addingTimeInterval($0 / .seconds(1)) }
        resendableAt = challenge.resendAfter.map { date.addingTimeInterval($0 / .seconds(1)) }
    }

    /// The kind of the question.
    public var kind: Challenge.Kind { challenge.kind }

    /// The question, for a view of the library that shows every kind.
    package var step: Challenge.Step { challenge.step }

    /// How many answers the server still takes; `nil` if it does not say.
    public var attemptsLeft: Int? { challenge.attemptsLeft }

    /// Whether an answer still counts: none was given, and the prompt is not over.
    public var isOpen: Bool { answer.current == nil }

    /// Whether it is the same prompt once more, for a reader that came later.
    package func isSame(as other: AuthPrompt) -> Bool { answer === other.answer }

    /// Ends the attempt with `cancelled`.
    ///
    /// While an answer is being sent, this ends a sign-in, but not a change of the account: the server may already have made the
    /// change.
    ///
    /// Ignored once the attempt is over, while the prompt is shown by another ``AuthPrompts/presenting()`` reader than the one that
    /// this prompt came from, and while the ``SessionGate`` hides it: a sheet that closes because another window shows the prompt, or
    /// because the gate was closed, may cancel.
    public func cancel() { onCancel(reader) }

    fileprivate func submit(_ value: ChallengeAnswer) {
        if answer.resolve(value) { onAnswer(value) }
    }

    fileprivate func resend() {
        if resendableAt != nil { submit(.resend) }
    }
}

extension AuthPrompt {
    /// The code that the person enters; `nil` for another kind.
    public var code: Request<Challenge.Code>? {
        if case .code(let code) = challenge.step { Request(prompt: self, details: code) } else { nil }
    }

    /// The factors among which the person chooses; `nil` for another kind.
    public var factors: Request<[Challenge.Factor]>? {
        if case .factors(let factors) = challenge.step { Request(prompt: self, details: factors) } else { nil }
    }

    /// The form that the person fills in; `nil` for another kind.
    public var form: Request<[Challenge.Field]>? {
        if case .form(let fields) = challenge.step { Request(prompt: self, details: fields) } else { nil }
    }

    /// The link that was sent to the person; `nil` for another kind.
    public var link: Request<Challenge.Link>? {
        if case .link(let link) = challenge.step { Request(prompt: self, details: link) } else { nil }
    }

    /// The question for the address to which a link was sent; `nil` for another kind.
    public var address: Request<Void>? { challenge.step == .address ? Request(prompt: self, details: ()) : nil }

    /// The authenticator app that the person adds; `nil` for another kind.
    public var enrollment: Request<Challenge.Enrollment>? {
        if case .enrollment(let details) = challenge.step { Request(prompt: self, details: details) } else { nil }
    }

    /// The code that the person enters on another device; `nil` for another kind. The answer reaches the server, not the app.
    public var userCode: UserCode? {
        if case .userCode(let code) = challenge.step { code } else { nil }
    }

    /// The page that the person is shown; `nil` for another kind.
    public var page: Request<Challenge.Page>? {
        if case .page(let page) = challenge.step { Request(prompt: self, details: page) } else { nil }
    }

    /// What a prompt asks, and the ways to answer it. It has the members of its details: `prompt.code?.length`.
    @dynamicMemberLookup public struct Request<Details: Sendable>: Sendable {
        fileprivate let prompt: AuthPrompt
        fileprivate let details: Details

        /// A member of what the server asked.
        public subscript<Value>(dynamicMember member: KeyPath<Details, Value>) -> Value { details[keyPath: member] }
    }
}

extension AuthPrompt.Request<Challenge.Code> {
    /// Answers with the code. Spaces and hyphens are dropped, and full-width characters become their plain ones.
    public func submit(_ code: String) { prompt.submit(.code(Secret(code))) }

    /// Asks the server for another code. Before ``AuthPrompt/resendableAt`` the same prompt comes again with `rateLimited`;
    /// without it nothing happens.
    public func resend() { prompt.resend() }
}

extension AuthPrompt.Request<[Challenge.Factor]> {
    /// The factors of the account, in the server's order.
    public var all: [Challenge.Factor] { details }

    /// Answers with a factor.
    public func choose(_ factor: Challenge.Factor) { prompt.submit(.factor(factor.id)) }
}

extension AuthPrompt.Request<[Challenge.Field]> {
    /// The fields, in the server's order.
    public var fields: [Challenge.Field] { details }

    /// Answers with the values, by the identifiers of their fields. A consent is `true` or `false`.
    ///
    /// A required value that is missing, and a value without a field, bring the same prompt again with `invalidInput`.
    public func submit(_ values: [String: String]) { prompt.submit(.form(values.mapValues { Secret($0) })) }
}

extension AuthPrompt.Request<Challenge.Link> {
    /// Asks for another link, as for another code.
    public func resend() { prompt.resend() }
}

extension AuthPrompt.Request<Void> {
    /// Answers with the e-mail address.
    public func submit(_ address: String) { prompt.submit(.address(address)) }
}

extension AuthPrompt.Request<Challenge.Enrollment> {
    /// Answers with the first code that the app shows.
    public func confirm(_ code: String) { prompt.submit(.code(Secret(code))) }
}

extension AuthPrompt.Request<Challenge.Page> {
    /// Shows the page by the service's user agent, and answers with the URL by which it comes back. A person who closes the page
    /// is shown the prompt again, with `cancelled` as its failure.
    ///
    /// In a service without a user agent, and for a page whose server does not say where it ends, the attempt ends with
    /// `misconfigured`.
    public func open() { prompt.submit(.open) }

    /// Answers with the URL by which the page came back, for an app that shows it itself: in the browser, never in a view of the
    /// app.
    public func submit(callback: URL) { prompt.submit(.callback(callback)) }
}

extension AuthPrompt: DescriptionOnly {
    /// The kind and the provider, such as `prompt code kakao`; never the data, which are personal.
    public var description: String {
        (["prompt", kind.rawValue] + [provider?.rawValue, failure?.code.rawValue].compactMap(\.self))
            .joined(separator: " ")
    }
}
