package import Foundation

extension URL {
    /// Makes a URL from a literal, such as a provider's endpoint.
    ///
    /// - Parameter text: A well-formed URL. Any other text becomes an unreachable URL, and the first request fails.
    package init(literal text: StaticString) {
        self = URL(string: "\(text)") ?? URL(filePath: "/")
    }
}
