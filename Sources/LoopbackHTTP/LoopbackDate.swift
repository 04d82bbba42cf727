import Foundation

/// The `Date` header's value, in the one form that may be sent: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 5.6.7).
package enum LoopbackDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"]

    /// Formats seconds since 1970; times before it count as its beginning.
    package static func string(secondsSince1970: Int) -> String {
        let seconds = max(0, secondsSince1970)
        let day = seconds / 86_400
        // Years begin in March, so that the leap day is the last one and every month has its fixed place. An era is
        // the 400 years after which the calendar repeats; 719 468 days lie between the first one and 1970.
        let (era, dayOfEra) = (day + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
        let time = [seconds % 86_400 / 3_600, seconds % 3_600 / 60, seconds % 60].map(twoDigits)
        return "\(days[day % 7]), \(twoDigits(dayOfMonth)) \(months[month]) \(year) \(time.joined(separator: ":")) GMT"
    }

    static func now() -> String {
        string(secondsSince1970: Int(Date().timeIntervalSince1970))
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
