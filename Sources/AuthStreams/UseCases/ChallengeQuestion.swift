import Foundation

/// A challenge as the person is asked it.
struct ChallengeQuestion: Sendable {
    private(set) var challenge: Challenge
    /// Why it is asked again.
    private(set) var failure: AuthError?
    /// When the server asked.
    private(set) var askedAt: Timestamp
    /// The earliest uptime for another code or link; `nil` if there is none.
    private(set) var resendableAt: Duration?
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
    init(after error: AuthError, to last: ChallengeQuestion, answer: ChallengeAnswer, at now: Timestamp)
        throws(AuthError)
    {
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
}
