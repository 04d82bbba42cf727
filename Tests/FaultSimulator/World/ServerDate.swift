/// The server's clock, as the header field `Date` has it (RFC 9110 section 5.6.7).
enum ServerDate {
    /// - Parameter time: Simulated time, which begins where the device's date does.
    static func text(at time: Milliseconds) -> String {
        let seconds = 1_778_307_200 + time / 1000
        let (days, rest) = (seconds / 86_400, seconds % 86_400)
        let (year, month, day) = civil(days)
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map(twoDigits).joined(separator: ":")
        return "\(weekdays[(days + 4) % 7]), \(twoDigits(day)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    /// The date of a day since 1970, by the Gregorian calendar: years that begin in March end with the leap day.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
