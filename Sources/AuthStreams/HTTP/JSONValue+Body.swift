package import Foundation

extension JSONValue {
    /// The value as the body of a request, members in alphabetic order.
    ///
    /// - Throws: `misconfigured` when a number in it is infinite or none at all, which JSON cannot say.
    package func encoded() throws(AuthError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(self) } catch {
            throw AuthError(.misconfigured, "The request has a number that JSON cannot express.", cause: error)
        }
    }
}
