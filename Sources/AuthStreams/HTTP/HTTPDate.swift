import Foundation

/// Reads the dates of header fields, in the three forms that a recipient has to accept (RFC 9110 section 5.6.7).
///
/// Every response has one, and a formatter costs hundreds of allocations for each, so this parser reads bytes.
enum HTTPDate {
    /// Returns the date; `nil` if the text has none of the forms, or there is no such day or time.
    ///
    /// | form | |
    /// | --- | --- |
    /// | `Sun, 06 Nov 1994 08:49:37 GMT` | the one that may be sent |
    /// | `Sunday, 06-Nov-94 08:49:37 GMT` | its year is one of 1970 to 2069 |
    /// | `Sun Nov  6 08:49:37 1994` | |
    ///
    /// The weekday is ignored: it is redundant.
    static func date(_ text: String) -> Date? {
        var reader = HTTPDateReader(text)
        guard reader.skipLetters(), let seconds = reader.skip(",") ? reader.dayFirst() : reader.monthFirst(),
            reader.isAtEnd
        else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
}

/// Reads a date from its beginning. A part that does not match is `nil` or `false`.
private struct HTTPDateReader {
    private static let months = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)
    private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads the rest after the weekday of the first two forms, as seconds since 1970.
    mutating func dayFirst() -> Int? {
        guard skip(" "), let day = number(of: 1...2) else { return nil }
        let isShort = skip("-")
        guard isShort || skip(" "), let month = month(), skip(isShort ? "-" : " "),
            var year = number(of: isShort ? 2...2 : 4...4), skip(" "), let time = time(), skip(" "), skip("G"),
            skip("M"), skip("T")
        else { return nil }
        if isShort { year += year < 70 ? 2000 : 1900 }
        return Self.seconds(year, month, day, time)
    }

    /// Reads the rest after the weekday of the last form, which pads a one-digit day with a space.
    mutating func monthFirst() -> Int? {
        guard skip(" "), let month = month(), skip(" ") else { return nil }
        let isFilledUp = skip(" ")
        guard let day = number(of: isFilledUp ? 1...1 : 1...2), skip(" "), let time = time(), skip(" "),
            let year = number(of: 4...4)
        else { return nil }
        return Self.seconds(year, month, day, time)
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let byte = rest.first, byte == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Skips the weekday.
    mutating func skipLetters() -> Bool {
        let after = rest.drop { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF) }
        defer { rest = after }
        return after.startIndex > rest.startIndex
    }

    private mutating func number(of digits: ClosedRange<Int>) -> Int? {
        var (number, count) = (0, 0)
        while count < digits.upperBound, let byte = rest.first,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        {
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
            count += 1
            rest.removeFirst()
        }
        return count >= digits.lowerBound ? number : nil
    }

    /// Reads a month, from 1 to 12.
    private mutating func month() -> Int? {
        let name = rest.prefix(3)
        rest = rest.dropFirst(3)
        return (0..<12).first { Self.months[($0 * 3)..<($0 * 3 + 3)].elementsEqual(name) }.map { $0 + 1 }
    }

    /// Reads the seconds of the day; a leap second counts as the one after it.
    private mutating func time() -> Int? {
        guard let hour = number(of: 2...2), hour < 24, skip(":"), let minute = number(of: 2...2), minute < 60,
            skip(":"), let second = number(of: 2...2), second <= 60
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    private static func seconds(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Int? {
        let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengthOfMonth = month == 2 && isLeapYear ? 29 : lengths[month - 1]
        guard (1...lengthOfMonth).contains(day) else { return nil }
        // Years begin in March, so that the leap day is the last day and every month has a fixed offset. 719 468 days
        // lie between the first of March of the year 0 and 1970.
        let (yearFromMarch, monthFromMarch) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
        let days = yearFromMarch * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
        return days * 86_400 + time
    }
}
