import AuthStreams
import Foundation
import Testing

/// Whether anything an error shows holds one of the secrets.
func expectNoLeak(
    of secrets: [String], in error: AuthError, sourceLocation: SourceLocation = #_sourceLocation
) {
    var shown = "\(error) \(String(reflecting: error)) \(error.localizedDescription) \(error.explanation) "
    dump(error, to: &shown)
    for secret in secrets {
        #expect(!shown.contains(secret), "an error shows a secret", sourceLocation: sourceLocation)
    }
}
