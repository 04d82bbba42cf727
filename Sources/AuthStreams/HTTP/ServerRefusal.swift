import Foundation

/// An answer with which a server refuses a token: by its status, by the code in its body, or by both.
///
/// A literal number is a status, and a literal string is the code in the body's member `code`:
///
/// ```swift
/// contract.refreshRefusals = [401, 418]
/// let api = APIAccess(to: [server], refusals: [401, 419, "E1203", .code("EXPIRED", at: "error.name", status: 500)])
/// ```
///
/// The body may be JSON of any form, text or empty; only a code is looked for in it.
public struct ServerRefusal: Hashable, Sendable {
    private let status: Int?
    private let code: String?
    private let path: String

    /// An answer with a status, whatever its body is.
    public static func status(_ status: Int) -> Self { Self(status: status, code: nil, path: "") }

    /// An answer whose body has a code.
    ///
    /// - Parameters:
    ///   - code: A string, a whole number or a boolean in JSON, as text; or all of a body that is not JSON.
    ///   - path: The member with the code, such as `error.code`. A number leads into an array: `0.errorCode`.
    ///   - status: The status of the answer; `nil` for any, 200 as well.
    public static func code(_ code: String, at path: String = "code", status: Int? = nil) -> Self {
        Self(status: status, code: code, path: path)
    }

    /// Returns whether an answer may be this one: whether it has the status, and the code's bytes.
    ///
    /// Most answers are not refusals, and reading JSON takes longer than looking for bytes. A code with other characters
    /// than these may stand in JSON as an escape.
    fileprivate func mayMatch(_ response: AuthHTTPResponse) -> Bool {
        guard status == nil || status == response.status else { return false }
        guard let code else { return true }
        let isPlain = code.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return !isPlain || response.body.range(of: Data(code.utf8)) != nil
    }

    /// Returns whether an answer that ``mayMatch(_:)`` is this one.
    ///
    /// - Parameter json: The body, if it is JSON.
    fileprivate func matches(_ response: AuthHTTPResponse, _ json: AuthJSON?) -> Bool {
        guard let code else { return true }
        guard let json else {
            return String(data: response.body, encoding: .utf8)?.trimmingCharacters(in: .whitespacesAndNewlines) == code
        }
        return json.word == code || json.member(at: path)?.word == code
    }
}

extension ServerRefusal: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// An answer with a status.
    public init(integerLiteral status: Int) { self = .status(status) }
    /// An answer whose body's member `code` is this.
    public init(stringLiteral code: String) { self = .code(code) }
}

extension [ServerRefusal] {
    /// Returns whether an answer is one of these.
    func contain(_ response: AuthHTTPResponse) -> Bool {
        let possible = filter { $0.mayMatch(response) }
        guard !possible.isEmpty else { return false }
        let json = response.json
        return possible.contains { $0.matches(response, json) }
    }
}
