public import Foundation

extension AuthError: LocalizedError {
    /// What did not succeed and why, for a toast, in English or Korean by the person's preference.
    ///
    /// `nil` if there is nothing to tell the person: their own cancel, or an attempt that a newer one replaced. For
    /// engineers use ``debugDescription``. An app that wants other words keeps its own ``AuthErrorTexts``.
    public var errorDescription: String? { AuthErrorTexts.preferred().text(for: self) }

    /// What the person can do, as a sentence to show below ``errorDescription``; `nil` if ``errorDescription`` is, and
    /// for an app's own code.
    public var recoverySuggestion: String? { AuthErrorTexts.preferred().suggestion(for: self) }
}
