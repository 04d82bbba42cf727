package import Foundation

extension AuthHTTPResponse {
    /// When the server responded, by its own clock (RFC 9110 section 6.6.1); `nil` if the response has no date.
    package var date: Date? { headers[.date].flatMap(HTTPDate.date) }
}
