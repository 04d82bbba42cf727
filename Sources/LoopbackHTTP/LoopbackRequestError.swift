/// Why a request is refused before any handler sees it.
///
/// The texts name the rule and never quote the input, which may hold an authorization code.
enum LoopbackRequestError: Error, Equatable {
    /// The bytes are no request by RFC 9112, or one that two readers could understand differently.
    case malformed(StaticReason)
    /// The request did not arrive completely within ``LoopbackServer/Limits/requestTimeout``.
    case timedOut
    /// Other clients wait to connect, and the request took longer than ``LoopbackServer/Limits/crowdedTimeout``.
    case crowded
    /// The body, or its announced length, is above ``LoopbackServer/Limits/maxBodyBytes``.
    case bodyTooLarge
    /// An `Expect` other than `100-continue`.
    case unknownExpectation
    /// The head is above ``LoopbackServer/Limits/maxHeadBytes``, or has too many fields.
    case headTooLarge
    /// A transfer coding other than `chunked`.
    case unknownTransferCoding
    /// A major version other than 1.
    case unknownVersion

    /// The rule that a malformed request broke.
    enum StaticReason: String {
        case lineEnding = "Lines must end with CR LF."
        case requestLine = "The request line must be: method, target, HTTP version."
        case target = "The request target is not a valid path and query."
        case headerField = "A header field is not of the form name: value."
        case host = "Exactly one Host is required."
        case contentLength = "Content-Length must be one decimal number."
        case framing = "Content-Length and Transfer-Encoding exclude each other, and each may stand once."
        case chunk = "The chunked body is malformed."
    }

    /// The response's status code.
    var status: Int {
        switch self {
        case .malformed: 400
        case .timedOut: 408
        case .bodyTooLarge: 413
        case .unknownExpectation: 417
        case .headTooLarge: 431
        case .unknownTransferCoding: 501
        case .crowded: 503
        case .unknownVersion: 505
        }
    }

    /// What was wrong, for the response's body.
    var reason: String {
        switch self {
        case .malformed(let reason): reason.rawValue
        case .timedOut: "The request did not arrive in time."
        case .crowded: "Too many clients are connected. Try again later."
        case .bodyTooLarge: "The body is too large."
        case .unknownExpectation: "Only Expect: 100-continue is understood."
        case .headTooLarge: "The request head is too large."
        case .unknownTransferCoding: "Only the chunked transfer coding is understood."
        case .unknownVersion: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        }
    }
}
