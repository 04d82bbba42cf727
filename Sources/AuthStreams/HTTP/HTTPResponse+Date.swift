package import Foundation

extension HTTPResponse {
    /// When the server answered, by its own clock (RFC 9110 section 6.6.1); `nil` when it did not say.
    package var date: Date? { headers[.date].flatMap(HTTPDate.date) }
}
