import Foundation

/// Reads percent-encoding and `application/x-www-form-urlencoded` strictly.
///
/// Invalid input gives `nil` rather than a guess: two readers that guess differently are a security bug.
enum LoopbackForm {
    /// Returns the pairs of a query or form body, in order; `nil` when one of them is malformed.
    ///
    /// A piece without `=` has an empty value; empty pieces, as in `a=1&&b=2`, are left out.
    static func items(_ bytes: some Collection<UInt8>) -> [(name: String, value: String)]? {
        var items: [(name: String, value: String)] = []
        for piece in bytes.split(separator: UInt8(ascii: "&")) {
            let spaced = piece.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            let name = spaced.prefix { $0 != UInt8(ascii: "=") }
            guard let decodedName = decoded(name), let value = decoded(spaced.dropFirst(name.count + 1)) else {
                return nil
            }
            items.append((decodedName, value))
        }
        return items
    }

    /// Returns percent-decoded text; `nil` for `%` without two hexadecimal digits and for what is not UTF-8.
    static func decoded(_ bytes: some Collection<UInt8>) -> String? {
        // Foundation takes its time also for a text without escapes.
        bytes.contains(UInt8(ascii: "%")) ? text(bytes)?.removingPercentEncoding : text(bytes)
    }

    /// Returns the bytes as text, or `nil` when they are not UTF-8.
    static func text(_ bytes: some Collection<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid bytes, so text that reads back differently was not UTF-8.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
