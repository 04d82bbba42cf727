package import Foundation

/// One complete request that a ``LoopbackServer`` received.
///
/// Parsing has already refused what is malformed: `path` and `queryItems` are valid percent-encoding of valid UTF-8.
/// The value describes itself by method and path alone, because queries and bodies carry codes and tokens.
package struct LoopbackRequest: Sendable {
    /// The method as received; methods are case-sensitive (RFC 9110 section 9.1).
    package var method: String
    /// The request target as received, such as `/a%20b?x=1`.
    package var target: String
    /// The target's path, percent-decoded, without authority and query; `*` for `OPTIONS *`.
    package var path: String
    /// The target's query as a form: percent-decoded, `+` is a space, order and repeats kept.
    package var queryItems: [(name: String, value: String)]
    /// The header fields, names as received, in order.
    package var headers: [(name: String, value: String)] = []
    /// The body, transfer coding removed; empty when the request had none.
    package var body = Data()

    /// Returns the first value of a header field; `name` in any case.
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }

    /// The body as `application/x-www-form-urlencoded`: order and repeats kept.
    ///
    /// Empty when the content type is another one, or when the body is not valid percent-encoding of UTF-8.
    package var formItems: [(name: String, value: String)] {
        let mediaType = header("Content-Type")?.prefix { $0 != ";" }.split { $0 == " " || $0 == "\t" } ?? []
        guard mediaType.map({ $0.lowercased() }) == ["application/x-www-form-urlencoded"] else { return [] }
        return LoopbackForm.items(Array(body)) ?? []
    }
}

extension LoopbackRequest {
    /// Makes a request from its target, parsed as the server parses it; `nil` if that is not a valid path and query.
    package init?(
        method: String, target: String, headers: [(name: String, value: String)] = [], body: Data = Data()
    ) {
        guard let target = try? LoopbackRequestTarget(parsing: Array(target.utf8)[...], method: method) else {
            return nil
        }
        self = target.request(method: method)
        self.headers = headers
        self.body = body
    }
}

extension LoopbackRequest: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(method) \(path)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
