/// The target of a request line: origin-form, absolute-form or asterisk-form (RFC 9112 section 3.2).
struct LoopbackRequestTarget {
    private let target: String
    private let path: String
    private let queryItems: [(name: String, value: String)]

    init(parsing bytes: ArraySlice<UInt8>, method: String) throws(LoopbackRequestError) {
        // A fragment is never sent, and characters outside visible ASCII must be percent-encoded.
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw .malformed(.target)
        }
        target = String(decoding: bytes, as: UTF8.self)
        if target == "*", method == "OPTIONS" {
            path = target
            queryItems = []
            return
        }
        guard method != "CONNECT", let local = Self.pathAndQuery(bytes) else { throw .malformed(.target) }
        let rawPath = local.prefix { $0 != UInt8(ascii: "?") }
        guard let path = LoopbackForm.decoded(rawPath),
            let queryItems = LoopbackForm.items(local.dropFirst(rawPath.count + 1))
        else { throw .malformed(.target) }
        self.path = path.isEmpty ? "/" : path
        self.queryItems = queryItems
    }

    /// Returns a request for this target, without headers and body.
    func request(method: String) -> LoopbackRequest {
        LoopbackRequest(method: method, target: target, path: path, queryItems: queryItems)
    }

    /// Returns the part after the authority of an absolute-form target, which servers must accept, or all of an
    /// origin-form target; `nil` for any other.
    private static func pathAndQuery(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        if bytes.first == UInt8(ascii: "/") { return bytes }
        let scheme = "http://"
        guard String(decoding: bytes.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme else {
            return nil
        }
        let rest = bytes.dropFirst(scheme.utf8.count)
        let local = rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let hasAuthority = local.startIndex != rest.startIndex
        return hasAuthority ? local : nil
    }
}
