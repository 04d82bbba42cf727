import AuthStreams
import Testing

/// `Retry-After` in all its forms (RFC 9110 section 10.2.3).
@Suite struct RetryAfterTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func wait(_ value: String?, date: String? = RetryAfterTests.date) -> Duration? {
        var response = AuthHTTPResponse(status: 503)
        response.headers[.retryAfter] = value
        response.headers[.date] = date
        return response.retryAfter
    }

    /// A day is the longest wait that counts, in every form.
    @Test(arguments: [
        ("0", 0), ("120", 120), ("86401", 86_400), ("9223372036854775807", 86_400),
        ("99999999999999999999999999", 86_400),
    ])
    func secondsNeedNoDate(value: String, seconds: Int) {
        #expect(wait(value, date: nil) == .seconds(seconds))
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:51:37 GMT", "Sunday, 06-Nov-94 08:51:37 GMT", "Sun Nov  6 08:51:37 1994",
    ])
    func aDateCountsFromTheAnswersOwn(value: String) {
        #expect(wait(value) == .seconds(120))
    }

    @Test func aDateCountsAcrossTheEndOfAYear() {
        #expect(
            wait("Sat, 01 Jan 2000 00:00:10 GMT", date: "Fri, 31 Dec 1999 23:59:50 GMT") == .seconds(20))
    }

    @Test func aDateThatIsFarAwayIsADay() {
        #expect(wait("Fri, 31 Dec 9999 23:59:59 GMT") == .seconds(86_400))
    }

    @Test func aDateThatIsOverIsNoWait() {
        #expect(wait("Sun, 06 Nov 1994 08:00:00 GMT") == .zero)
    }

    @Test(arguments: [
        "", "-1", "1.5", "soon", "Sun, 06 Nov 1994", "Sun, 06 Foo 1994 08:51:37 GMT", "Sun, 31 Feb 1994 08:51:37 GMT",
        "1994-11-06T08:51:37Z",
    ])
    func whatIsNoneOfTheFormsSaysNothing(value: String) {
        #expect(wait(value) == nil)
    }

    @Test(arguments: [nil, "yesterday"])
    func aDateWithoutTheAnswersOwnSaysNothing(date: String?) {
        #expect(wait("Sun, 06 Nov 1994 08:51:37 GMT", date: date) == nil)
    }
}
