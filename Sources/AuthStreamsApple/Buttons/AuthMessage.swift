public import AuthStreams
public import Foundation

/// What a person is told about a sign-in or a link that failed.
public struct AuthMessage: Hashable, Sendable {
    /// The error, for decisions of the app.
    public let error: AuthError
    /// The sentence to show, in the language of the view.
    public let text: String
    /// What the person can do, to show below the sentence; `nil` for nothing.
    public let suggestion: String?

    /// Makes the message of an error.
    ///
    /// - Parameter texts: The texts in the language of the view.
    /// - Returns: `nil` if there is nothing to tell the person, such as after their own cancel.
    public init?(_ error: AuthError, texts: AuthErrorTexts) {
        guard let text = texts.text(for: error) else { return nil }
        self.error = error
        self.text = text
        suggestion = texts.suggestion(for: error)
    }

    /// Makes the message of an error with the standard texts for the language of a locale.
    public init?(_ error: AuthError, locale: Locale) {
        self.init(error, texts: .preferred(languages: [locale.identifier]))
    }
}
