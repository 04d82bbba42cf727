public import AuthStreams
import Foundation

/// The parameters of a provider's answer, after they were checked against the attempt.
public struct AuthorizationCallback: Sendable {
    private let fields: [String: String]

    /// An answer without parameters.
    static let none = AuthorizationCallback(fields: [:])

    init(fields: [String: String]) {
        self.fields = fields
    }

    /// A parameter; `nil` if it is absent or empty.
    public subscript(name: String) -> String? {
        guard let value = fields[name], !value.isEmpty else { return nil }
        return value
    }

    /// Returns whether exactly one of the parameters is present, in visible ASCII (RFC 6749 appendix A).
    public func hasExactlyOne(of names: String...) -> Bool {
        let values = names.compactMap { self[$0] }
        return values.count == 1 && values[0].utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The authorization code.
    ///
    /// - Throws: `invalidResponse` if there is none.
    public func code(_ name: String = "code") throws(AuthError) -> Secret {
        guard let code = self[name] else {
            throw AuthError(.invalidResponse, "The callback has neither a code nor an error. Start over.")
        }
        return Secret(code)
    }
}

extension AuthorizationCallback: CustomStringConvertible, CustomReflectable {
    /// The names of the parameters; never their values.
    public var description: String { "callback with \(fields.keys.sorted().joined(separator: ", "))" }
    /// A mirror without children, because the parameters hold code and tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
