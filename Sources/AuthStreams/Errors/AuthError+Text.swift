public import Foundation

extension AuthError: LocalizedError {
    /// A sentence that a toast can show as it is, in English or Korean, whichever the person prefers.
    ///
    /// `nil` when there is nothing to tell them: their own cancel, and an attempt that a newer one replaced. For engineers use
    /// ``debugDescription``. An app that wants other words keeps its own ``AuthErrorTexts``.
    public var errorDescription: String? { AuthErrorTexts.preferred().text(for: self) }

    /// What the person can do, as a sentence to show below ``errorDescription``; `nil` where ``errorDescription`` is, and for a
    /// code of the app's own.
    public var recoverySuggestion: String? { AuthErrorTexts.preferred().suggestion(for: self) }
}
