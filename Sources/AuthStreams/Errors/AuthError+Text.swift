public import Foundation

extension AuthError: LocalizedError {
    /// A sentence that a toast can show as it is, in English or Korean, whichever the person prefers.
    ///
    /// `nil` when there is nothing to tell them: their own cancel, and an attempt that a newer one replaced. The engineer's
    /// story is ``debugDescription``. An app that wants other words holds an ``AuthErrorTexts`` and asks that.
    public var errorDescription: String? { AuthErrorTexts.preferred().text(for: self) }

    /// What the person can do, as a sentence to show below ``errorDescription``; `nil` when there is nothing, or nothing to tell.
    public var recoverySuggestion: String? { AuthErrorTexts.preferred().suggestion(for: self) }
}
