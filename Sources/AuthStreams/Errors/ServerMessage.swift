import Foundation

/// A server's own words, in the form of ``AuthError/serverMessage``.
package enum ServerMessage {
    /// Returns a message in a form that an error may show.
    ///
    /// - Parameters:
    ///   - message: The server's message as it came.
    ///   - sent: The secrets of the request, which the message may quote.
    /// - Returns: At most 200 characters without control characters, without the secrets, and without words as long as a
    ///   token; `nil` if nothing is left.
    package static func shown(_ message: String?, hiding sent: [Secret] = []) -> String? {
        guard let message else { return nil }
        // The longest first: a shorter one may be a part of it.
        let secrets = sent.map { $0.reveal() }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
        let text = secrets.reduce(message) { $0.replacing($1, with: "…") }
        var (shown, word) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        // Scalars are counted, because one character may have any number of them.
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            if count > limit { break }
            if isOfToken(scalar) {
                word.append(scalar)
                continue
            }
            shown += shortened(word)
            shown.append(isVisible(scalar) ? scalar : " ")
            word.removeAll()
        }
        shown += shortened(word)
        let result = String(shown).trimmingCharacters(in: .whitespaces)
        return result.isEmpty ? nil : result
    }

    /// How much of a message is kept, in Unicode scalars.
    private static let limit = 200

    /// Leaves out a word as long as a token: of an earlier request, or encoded in another way.
    private static func shortened(_ word: String.UnicodeScalarView) -> String.UnicodeScalarView {
        word.count < 20 ? word : "…".unicodeScalars
    }

    private static func isOfToken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "_", "-", "~", "+", "/", "=", "%": true
        default: false
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
