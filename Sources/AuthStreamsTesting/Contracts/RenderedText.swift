import AuthStreams
import Foundation

/// Everything that a value says of itself when it is printed, interpolated, dumped or shown to a person.
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

    /// Whether one of the secrets is in it. Shorter ones than eight characters may be there by chance.
    func tells(anyOf secrets: some Sequence<Secret>) -> Bool {
        secrets.contains { $0.reveal().count >= 8 && text.contains($0.reveal()) }
    }
}
