package import Foundation

extension URL {
    /// A URL written in the source, such as a provider's endpoint.
    ///
    /// - Parameter text: A well-formed URL. Of anything else nothing reachable is made, and the first request fails.
    package init(literal text: StaticString) {
        self = URL(string: "\(text)") ?? URL(filePath: "/")
    }
}
