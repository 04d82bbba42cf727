import Foundation

/// A request line and its header fields, read by RFC 9112 without leniency.
struct LoopbackRequestHead {
    /// How the body is delimited (RFC 9112 section 6).
    enum Framing: Equatable {
        case length(Int)
        case chunked
    }

    /// The request, its body still empty.
    var request: LoopbackRequest
    var framing = Framing.length(0)
    /// Whether the client wants to send another request on this connection.
    var keepsAlive: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    var expectsContinue = false
    /// Whether the client uses HTTP/1.0, which has neither chunks nor `100 Continue`.
    let isHTTP10: Bool

    /// Above this number of fields a head is refused, however short they are.
    static let maxFields = 128

    /// Reads a head.
    ///
    /// - Parameter bytes: The head with the CR LF of its last line, without the empty line that ends it. Contains no
    ///   NUL, and CR and LF only as pairs.
    init(parsing bytes: ArraySlice<UInt8>) throws(LoopbackRequestError) {
        var lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.dropLast() }[...]
        guard let requestLine = lines.popFirst() else { throw .malformed(.requestLine) }
        guard lines.count <= Self.maxFields else { throw .headTooLarge }

        let parts = requestLine.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, Self.isToken(parts[0]) else { throw .malformed(.requestLine) }
        isHTTP10 = try Self.isHTTP10(version: parts[2])
        keepsAlive = !isHTTP10
        let method = String(decoding: parts[0], as: UTF8.self)
        request = try LoopbackRequestTarget(parsing: parts[1], method: method).request(method: method)
        for line in lines { request.headers.append(try Self.field(line)) }

        try readFraming()
        try readConnection()
    }

    private static func isHTTP10(version: ArraySlice<UInt8>) throws(LoopbackRequestError) -> Bool {
        switch String(decoding: version, as: UTF8.self) {
        case "HTTP/1.1": return false
        case "HTTP/1.0": return true
        case let other where other.hasPrefix("HTTP/") && other.utf8.count == 8: throw .unknownVersion
        default: throw .malformed(.requestLine)
        }
    }

    private static func field(
        _ line: ArraySlice<UInt8>
    ) throws(LoopbackRequestError) -> (name: String, value: String) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        // A folded line starts with a space, so it has no token for a name and is refused here too.
        guard name.count < line.count, isToken(name) else { throw .malformed(.headerField) }
        var value = line.dropFirst(name.count + 1)
        while let first = value.first, isBlank(first) { value.removeFirst() }
        while let last = value.last, isBlank(last) { value.removeLast() }
        guard value.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else { throw .malformed(.headerField) }
        // Fields are opaque octets: UTF-8 if they are valid, otherwise one character for each octet.
        let text = LoopbackForm.text(value) ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
        return (String(decoding: name, as: UTF8.self), text)
    }

    private mutating func readFraming() throws(LoopbackRequestError) {
        let lengths = values(of: "content-length")
        let codings = values(of: "transfer-encoding")
        guard lengths.count <= 1, codings.count <= 1, lengths.isEmpty || codings.isEmpty else {
            throw .malformed(.framing)
        }
        if let coding = codings.first {
            guard !isHTTP10 else { throw .malformed(.framing) }
            guard coding.lowercased() == "chunked" else { throw .unknownTransferCoding }
            framing = .chunked
        } else if let length = lengths.first {
            guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw .malformed(.contentLength)
            }
            // A number that does not fit counts as a very large body.
            framing = .length(Int(length) ?? .max)
        }
    }

    private mutating func readConnection() throws(LoopbackRequestError) {
        let hosts = values(of: "host")
        guard hosts.count == 1 || (isHTTP10 && hosts.isEmpty) else { throw .malformed(.host) }

        let options = values(of: "connection").flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        if options.contains("close") {
            keepsAlive = false
        } else if isHTTP10 {
            keepsAlive = options.contains("keep-alive")
        }

        guard let expectation = values(of: "expect").first, !isHTTP10 else { return }
        guard expectation.lowercased() == "100-continue" else { throw .unknownExpectation }
        expectsContinue = true
    }

    private func values(of lowercasedName: String) -> [String] {
        request.headers.filter { $0.name.lowercased() == lowercasedName }.map(\.value)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether the bytes are a `token` of RFC 9110 section 5.6.2.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default:
                    "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

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
