package import Foundation

extension AuthError {
    /// What the layer below threw, with everything left out that could hold a secret.
    ///
    /// A foreign error is never kept: a `URLError` prints its whole URL, query included, and a `DecodingError` can quote
    /// the body it could not read. What stays is enough to look the failure up.
    public struct Cause: Hashable, Sendable {
        /// The error's domain, or its type's name.
        public let domain: String
        /// The code within the domain.
        public let code: Int
        /// Where in a JSON document decoding failed, such as `users.0.localId`.
        public let codingPath: String?
        /// The URL that failed, without user, query and fragment.
        public let url: String?

        /// Keeps what is safe of an error.
        public init(scrubbing error: any Error) {
            let bridged = error as NSError
            domain = bridged.domain
            code = bridged.code
            codingPath = (error as? DecodingError).map(Self.path)
            url = (bridged.userInfo[NSURLErrorFailingURLErrorKey] as? URL).map(Self.scrubbed)
        }

        private static func path(of error: DecodingError) -> String {
            let path: [any CodingKey] =
                switch error {
                case .keyNotFound(let key, let context): context.codingPath + [key]
                case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                    context.codingPath
                @unknown default: []
                }
            return path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        }
    }

    /// Scheme, host, port and path of a URL (of an opaque one the scheme alone): the parts that an error or a log may show.
    package static func scrubbed(_ url: URL) -> String { Cause.scrubbed(url) }
}

extension AuthError.Cause {
    fileprivate static func scrubbed(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "" }
        // What follows the colon of `app.scheme:code=…` counts as a path, and may be anything.
        if parts.host == nil, !parts.path.hasPrefix("/") { return parts.scheme.map { "\($0):" } ?? "" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? ""
    }
}

extension AuthError.Cause: CustomStringConvertible {
    /// Domain and code, then path and URL where there are any.
    public var description: String {
        ["\(domain) \(code)", codingPath.map { "at \($0)" }, url].compactMap(\.self).joined(separator: " ")
    }
}
