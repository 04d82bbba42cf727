import Foundation
import Testing

@testable import AuthStreams

/// The three forms of RFC 9110 section 5.6.7.
@Suite struct HTTPDateTests {
    private static let forms = [
        "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
    ]

    private func formatter(_ form: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = form
        return formatter
    }

    /// Every third day of a hundred years, at another time of the day.
    @Test(arguments: forms) func whatAFormatterWritesIsReadBack(form: String) {
        let formatter = formatter(form)
        for day in stride(from: 0, to: 36_524, by: 3) {
            let date = Date(timeIntervalSince1970: TimeInterval(day * 86_400 + day * 7_919 % 86_400))
            guard HTTPDate.date(formatter.string(from: date)) == date else {
                Issue.record("\(formatter.string(from: date))")
                return
            }
        }
    }

    @Test func aDayOfOneDigitMayBeFilledUp() {
        let expected = Date(timeIntervalSince1970: 784_111_777)
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "Sun Nov 6 08:49:37 1994",
        ] {
            #expect(HTTPDate.date(text) == expected, "\(text)")
        }
    }

    @Test(arguments: [
        ("Sun, 31 Dec 1899 23:59:59 GMT", -2_208_988_801), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Tuesday, 31-Dec-69 23:59:59 GMT", 3_155_759_999),
        ("Thursday, 01-Jan-70 00:00:00 GMT", 0),
    ])
    func theEdgesAreWhereTheyShouldBe(text: String, seconds: Int) {
        #expect(HTTPDate.date(text) == Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    @Test(arguments: [
        "", " ", "Sun", "Sun,", ", 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 29 Feb 1995 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06-Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 anF 1994 08:49:37 GMT",
        "Sun, 06 No", "Sun Nov   6 08:49:37 1994", "Sun Nov  16 08:49:37 1994", "Sun Nov 006 08:49:37 1994",
        "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sün, 06 Nov 1994 08:49:37 GMT", "784111777",
    ])
    func whatIsNoneOfThemIsNoDate(text: String) {
        #expect(HTTPDate.date(text) == nil)
    }
}
