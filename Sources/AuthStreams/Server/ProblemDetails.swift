import Foundation

/// A server's problem details (RFC 9457), reduced to the name of the type and the members of a conflict.
///
/// ```
/// {"type": "https://api.example.com/problems/user-disabled", "title": "…", "status": 403, "detail": "…"}
/// ```
///
/// The name is the last part of the type: of its fragment, otherwise of its path, or of a URN. Title and detail are not
/// read, because a server may quote the refused token in them.
struct ProblemDetails {
    /// The type's name; `nil` if the type is absent or `about:blank`, which adds nothing to the status.
    let name: String?
    /// Whether there is a type that adds to the status, even one without a name, such as `/`.
    let hasType: Bool
    /// All members. They may contain an e-mail address or a token.
    private let members: [String: JSONValue]

    /// `nil` unless the response is declared as problem details and is valid.
    init?(_ response: HTTPResponse) {
        let mediaType = response.headers[.contentType]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard mediaType?.lowercased() == "application/problem+json", let members = response.jsonObject else {
            return nil
        }
        // A member of another type counts as absent (RFC 9457 section 3.1).
        let type = members["type"]?.text
        self.members = members
        name = type.flatMap(Self.name(ofType:))
        hasType = ![nil, "", "about:blank"].contains(type)
    }

    private static func name(ofType type: String) -> String? {
        guard type != "about:blank" else { return nil }
        let halves = type.split(separator: "#", maxSplits: 1)
        let part = halves.count > 1 ? halves[1] : halves.first?.prefix { $0 != "?" }
        return part?.split { $0 == "/" || $0 == ":" }.last.map(String.init)
    }

    /// Returns the other account, from the problem's extension members. A member of another type is left out.
    func conflict(by names: ServerContract.ConflictNames) -> AuthConflict {
        AuthConflict(
            email: members[names.email]?.text,
            providers: (members[names.providers]?.array ?? []).compactMap(\.text).map(ProviderID.init(rawValue:)))
    }

    /// The name if it may be printed: words of lower-case letters joined by hyphens, as in the contract.
    ///
    /// Any other text could be a token.
    var printableName: String? {
        guard let name, name.utf8.count <= 64, name.wholeMatch(of: /[a-z]{1,24}(-[a-z]{1,24})*/) != nil else {
            return nil
        }
        return name
    }
}

extension ProblemDetails: CustomStringConvertible, CustomReflectable {
    /// The name of the type, if it may be printed.
    var description: String { printableName ?? "a problem" }
    /// A mirror without children, so reflection finds no name that could be a token.
    var customMirror: Mirror { Mirror(self, children: []) }
}
