package import Foundation

extension AuthJSON {
    /// Returns the value as the body of a request, members in alphabetic order.
    ///
    /// - Throws: `misconfigured` if it contains a number that is infinite or not a number, which JSON cannot represent.
    package func encoded() throws(AuthError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(self) } catch {
            throw AuthError(.misconfigured, "The request has a number that JSON cannot express.", cause: error)
        }
    }
}
