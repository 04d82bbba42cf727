import AuthStreams
import Foundation

/// All texts of a value: printed, interpolated, dumped or shown to a person.
struct RenderedText {
    private let text: String

    init(_ value: some Any) {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        if let error = value as? any LocalizedError {
            text += [error.errorDescription, error.failureReason, error.recoverySuggestion].compactMap(\.self).joined()
        }
        self.text = text
    }

    /// Returns whether the texts contain one of the secrets. Secrets of fewer than eight characters are ignored,
    /// because they may occur by chance.
    func tells(anyOf secrets: some Sequence<Secret>) -> Bool {
        secrets.contains { $0.reveal().count >= 8 && text.contains($0.reveal()) }
    }
}
