extension ServerContract {
    /// The names in a challenge: what the server answers with, in place of a session, when it wants a further step.
    ///
    /// ```swift
    /// contract.challenge.challenge = "nextStep"
    /// contract.challenge.kinds = ["OTP": .code, "CHOOSE": .factors]
    /// contract.challenge.answer.code = "otp"
    /// ```
    public struct ChallengeNames: Equatable, Sendable {
        /// The object with the challenge; an empty path if its members stand beside others of the answer.
        public var challenge = "challenge"
        /// What the person is asked: `code`, `factors`, `form`, `enrollment`, `page`, or another word of ``kinds``. Required.
        public var kind = "kind"
        /// The server's own words for kinds.
        public var kinds: [String: Challenge.Kind] = [:]
        /// Why the person is asked: a word of ``reasons``. Without it the kind decides.
        public var reason = "reason"
        /// The words for why the person is asked, and the code of the attempt if nothing shows the prompt.
        public var reasons: [String: AuthError.Code] = [
            "secondFactor": .secondFactorRequired, "verification": .verificationRequired,
            "registration": .registrationRequired,
        ]
        /// The token of the sign-in that is not complete, which the answer repeats. Required, unless the name is `nil` because the
        /// server has none, or the step is a page.
        public var token: String? = "token"
        /// How long the server takes an answer, in seconds; ten minutes unless it says so. A day at most counts.
        public var expiresIn = "expiresIn"
        /// How many answers the server still takes.
        public var attemptsLeft = "attemptsLeft"
        /// Where a code was sent, as much of it as the person may see.
        public var destination = "destination"
        /// The number of characters of a code.
        public var length = "length"
        /// Whether a code has letters, too.
        public var hasLetters = "hasLetters"
        /// The wait until the server sends another code, in seconds. Without it the server sends none.
        public var resendAfter = "resendAfter"
        /// The factors among which the person chooses; also in the answer of ``ServerContract/secondFactors``.
        public var factors = "factors"
        /// A factor's identifier. Required.
        public var factorID = "id"
        /// A factor's kind, such as `totp`, `sms` or `email`.
        public var factorKind = "kind"
        /// A factor's name; also in the request of ``ServerContract/enrollSecondFactor``.
        public var factorName = "name"
        /// The fields of a form.
        public var fields = "fields"
        /// A field's name. Required.
        public var fieldName = "name"
        /// A field's kind: `text`, `email`, `phone`, `password`, `consent`, or another word of ``fieldKinds``. Any other is shown as
        /// text.
        public var fieldKind = "kind"
        /// The server's own words for kinds of fields.
        public var fieldKinds: [String: Challenge.Field.Kind] = [:]
        /// A field's label.
        public var fieldLabel = "label"
        /// Whether a field is required; `true` unless the server says otherwise.
        public var isFieldRequired = "required"
        /// The page with the terms of a consent.
        public var fieldURL = "url"
        /// The secret of a new authenticator app in Base32. Required there.
        public var secret = "secret"
        /// The URL with that secret: `otpauth://totp/…`. Required there.
        public var uri = "uri"
        /// A page for the step, by https. Required for the kind `page`; a kind that this version does not know is shown by it.
        public var page = "page"
        /// The URL of the app at which the page ends. Without it the app has to show the page itself.
        public var callbackURL = "callbackURL"
        /// What the server wants, in an answer without a challenge: `{"needs": "terms-2027", "page": "https://…"}`. An old version of
        /// the app shows the ``page``.
        public var needs = "needs"
        /// The field that the server refuses, in the problem `invalid-input`.
        public var field = "field"
        /// The names in the answer.
        public var answer = AnswerNames()

        /// Makes the documented names.
        package init() {}
    }

    /// The names in the person's answer to a challenge.
    public struct AnswerNames: Equatable, Sendable {
        /// The place of the challenge's token. Unless given, where it was in the challenge: the same header field, or the last name
        /// of its path.
        public var token: TokenPlace?
        /// The code that the person entered.
        public var code = "code"
        /// `true`, if the person asks for another code.
        public var resend = "resend"
        /// The identifier of the factor that the person chose.
        public var factor = "factor"
        /// The object with the values of a form; `nil` if they stand beside the token.
        public var fields: String?
        /// How a consent stands in the values of a form.
        public var consents = Consents.boolean
        /// The URL by which a page came back to the app.
        public var callback = "callback"

        /// How a consent to terms is written.
        public enum Consents: Equatable, Sendable {
            /// `true` or `false`, by the field's name.
            case boolean
            /// A word, by the field's name, such as `Y` and `N`.
            case words(yes: String, no: String)
            /// The names of the consents that were given, in an array of that name.
            case list(String)
        }

        /// Makes the documented names.
        package init() {}
    }

    /// A further step of a server that writes no challenges: what its answer looks like, what the person is asked, and where the
    /// answer goes.
    ///
    /// ```swift
    /// // {"isNewUser": true, "signupToken": "…"} in place of a session; then POST signup {"signupToken", "nickname", "terms"}
    /// contract.steps = [
    ///     .init(
    ///         .form([.init(id: "nickname"), .init(id: "terms", kind: .consent)]), token: "signupToken",
    ///         to: .init(.post, "signup"), expiresIn: .seconds(600))
    /// ]
    /// ```
    public struct Step: Equatable, Sendable {
        /// What the person is asked. Members of the answer that ``ServerContract/challenge`` names, such as the destination of a
        /// code, replace its own values.
        public var step: Challenge.Step
        /// The answers that mean the step. If there are none, it is an answer without an access token that has ``token``.
        public var answers: [ServerRefusal]
        /// The place of the step's token in the server's answer, a string or a whole number; `nil` if there is none.
        public var token: TokenPlace?
        /// Takes the person's answer.
        public var endpoint: Endpoint
        /// Sends another code; `nil` if ``endpoint`` does, with ``AnswerNames/resend``.
        public var resend: Endpoint?
        /// How long the server takes an answer, unless it says so; `nil` for ten minutes.
        public var expiresIn: Duration?
        /// The names in the person's answer.
        public var names = AnswerNames()

        /// Describes a step.
        ///
        /// - Parameters:
        ///   - step: What the person is asked.
        ///   - answers: The answers that mean the step; unless given, one without an access token that has `token`.
        ///   - token: The place of the step's token in the server's answer.
        ///   - endpoint: Takes the person's answer.
        ///   - resend: Sends another code.
        ///   - expiresIn: How long the server takes an answer.
        public init(
            _ step: Challenge.Step, on answers: [ServerRefusal] = [], token: TokenPlace? = nil, to endpoint: Endpoint,
            resend: Endpoint? = nil, expiresIn: Duration? = nil
        ) {
            self.step = step
            self.answers = answers
            self.token = token
            self.endpoint = endpoint
            self.resend = resend
            self.expiresIn = expiresIn
        }
    }
}
