package import Foundation

extension AuthError {
    /// The underlying error, without anything that could hold a secret.
    ///
    /// A foreign error is never kept: a `URLError` prints its whole URL, query included, and a `DecodingError` can
    /// quote the body it could not read. The remaining parts identify the failure.
    public struct Cause: Hashable, Sendable {
        /// The error's domain, or its type's name.
        public let domain: String
        /// The code within the domain.
        public let code: Int
        /// The path at which decoding a JSON document failed, such as `users.0.localId`.
        package let codingPath: String?
        /// The URL that failed, without user, query and fragment.
        public let url: String?

        /// Keeps the parts of an error that contain no secret.
        package init(scrubbing error: any Error) {
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

    /// Scheme, host, port and path of a URL (of an opaque URL only the scheme): the parts that an error or a log may
    /// show.
    package static func scrubbed(_ url: URL) -> String { Cause.scrubbed(url) }
}

extension AuthError.Cause {
    fileprivate static func scrubbed(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "" }
        // The part of `app.scheme:code=…` after the colon counts as a path, and may contain secrets.
        if parts.host == nil, !parts.path.hasPrefix("/") { return parts.scheme.map { "\($0):" } ?? "" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? ""
    }
}

extension AuthError.Cause: CustomStringConvertible {
    /// Domain and code, then path and URL if present.
    public var description: String {
        ["\(domain) \(code)", codingPath.map { "at \($0)" }, url].compactMap(\.self).joined(separator: " ")
    }
}
