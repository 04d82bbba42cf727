import Foundation

/// Reads the dates of header fields, in the three forms that a recipient has to accept (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let forms = [
        "EEE, dd MMM yyyy HH:mm:ss 'GMT'",  // Sun, 06 Nov 1994 08:49:37 GMT: the one that may be sent
        "EEEE, dd-MMM-yy HH:mm:ss 'GMT'",  // Sunday, 06-Nov-94 08:49:37 GMT
        "EEE MMM d HH:mm:ss yyyy",  // Sun Nov  6 08:49:37 1994
    ]

    /// The moment; `nil` when the text is in none of the forms.
    static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.isLenient = false
        // The last form fills a day of one digit up with a space.
        let text = text.replacing("  ", with: " ")
        for form in forms {
            formatter.dateFormat = form
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
