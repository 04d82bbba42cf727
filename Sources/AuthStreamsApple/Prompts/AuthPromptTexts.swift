public import AuthStreams
public import Foundation

/// The texts of the sheets that ask for one more step, in one language.
///
/// A sheet takes them by its own locale. For another language, change all texts of ``english``.
///
/// ```swift
/// var texts = AuthPromptTexts.standard(for: locale)
/// texts.fieldLabels["school"] = "School"
/// ```
public struct AuthPromptTexts: Equatable, Sendable {
    /// The title of each kind of prompt. A kind that is not here, such as a server's own, has that of `page`.
    public var titles: [Challenge.Kind: String]
    /// What the person is asked to do, by the kind of prompt. `{destination}` stands for the address of a code, of a link or of a
    /// page.
    public var explanations: [Challenge.Kind: String]
    /// The title of a form that asks for a password alone, or for an address and a password.
    public var password: String
    /// What the person is asked to do with a code that was sent nowhere: one of an authenticator app.
    public var authenticatorCode: String
    /// What the person is told where this version of the library does not show the step.
    public var unknown: String
    /// The labels of fields for which the server has none, by the names of the fields. `code` is that of a code.
    public var fieldLabels: [String: String]
    /// The label of a field that may be left empty. `{label}` stands for its label.
    public var optional: String
    /// The link to the text of a consent. `{label}` stands for the label of the consent.
    public var readTerms: String
    /// The names of factors, by their kinds in the server's words. A kind without a name is shown as it is.
    public var factors: [String: String]
    /// The button that sends the answer.
    public var submit: String
    /// What VoiceOver says of that button while an answer is being sent.
    public var sending: String
    /// The button that shows a page.
    public var openPage: String
    /// The button that closes the sheet and ends the attempt.
    public var cancel: String
    /// The button that asks for another code or link, by the kind of prompt.
    public var resend: [Challenge.Kind: String]
    /// When that button can be used, after its title. `{time}` stands for minutes and seconds.
    public var resendLater: String
    /// What VoiceOver says instead. `{seconds}` stands for the seconds that are left.
    public var resendWait: String
    /// What VoiceOver says of a QR code.
    public var qrCode: String
    /// The label of what is shown to be typed in: a key or a code, by the kind of prompt.
    public var shown: [Challenge.Kind: String]
    /// The button that copies it.
    public var copy: String
    /// What VoiceOver announces after it was copied.
    public var copied: String
    /// The link that opens an authenticator app or a page on this device, by the kind of prompt.
    public var open: [Challenge.Kind: String]
    /// How long an answer is taken. `{time}` stands for the time of day.
    public var validUntil: String
    /// How many answers the server still takes. `{count}` stands for the number, which is more than one.
    public var attemptsLeft: String
    /// That the server takes one further answer.
    public var lastAttempt: String
    /// Why a page is asked for again: the person has closed it.
    public var pageClosed: String
    /// Why a step is asked again, by error.
    public var errors: AuthErrorTexts

    /// The standard texts for the language of a locale: Korean, otherwise English.
    public static func standard(for locale: Locale) -> Self {
        locale.language.languageCode?.identifier == "ko" ? .korean : .english
    }

    /// Why a step is asked again: the sentence of the code, and what the person can do.
    func sentence(for error: AuthError) -> String {
        // The person closed the page.
        if error.code == .cancelled { return pageClosed }
        let sentence = errors[error.code] ?? errors.otherwise
        let reason = error.provider.flatMap { sentence.byProvider[$0] } ?? sentence.general
        return [reason, errors.suggestion(for: error)].compactMap { $0 }.joined(separator: " ")
    }
}
