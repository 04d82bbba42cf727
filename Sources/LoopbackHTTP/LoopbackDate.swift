import Foundation

/// The `Date` header's value, in the one form that may be sent: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 5.6.7).
package enum LoopbackDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Formats seconds since 1970; times before it count as its beginning.
    package static func string(secondsSince1970: Int) -> String {
        var seconds = time_t(max(0, secondsSince1970))
        var utc = tm()
        gmtime_r(&seconds, &utc)
        let time = [utc.tm_hour, utc.tm_min, utc.tm_sec].map(twoDigits).joined(separator: ":")
        let (day, month) = (days[Int(utc.tm_wday)], months[Int(utc.tm_mon)])
        return "\(day), \(twoDigits(utc.tm_mday)) \(month) \(utc.tm_year + 1_900) \(time) GMT"
    }

    static func now() -> String {
        string(secondsSince1970: Int(Date().timeIntervalSince1970))
    }

    private static func twoDigits(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
