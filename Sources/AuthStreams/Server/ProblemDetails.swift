import Foundation

/// Problem details as a server answers them (RFC 9457), read down to the name of their type and what tells a conflict.
///
/// ```
/// {"type": "https://api.example.com/problems/user-disabled", "title": "…", "status": 403, "detail": "…"}
/// ```
///
/// The name is the last part of the type: of its fragment, else of its path, or of a URN. Title and detail are for nobody:
/// a server may quote the token that it refuses.
struct ProblemDetails {
    /// The type's name; `nil` where the type is absent or `about:blank`, which says no more than the status.
    let name: String?
    /// Whether there is a type that says more than the status, be it one without a name, such as `/`.
    let hasType: Bool
    /// Everything that stands there: somebody's e-mail address, or a token.
    private let members: [String: JSONValue]

    /// `nil` unless the answer says that it is problem details, and is.
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

    /// What the other account is, from the problem's extension members. What is of another type is left out.
    func conflict(by names: ServerContract.ConflictNames) -> AuthConflict {
        AuthConflict(
            email: members[names.email]?.text,
            providers: (members[names.providers]?.array ?? []).compactMap(\.text).map(ProviderID.init(rawValue:)))
    }

    /// What may be repeated of the name: words of small letters joined by hyphens, as the contract has them.
    ///
    /// Whatever else stands there could be a token.
    var printableName: String? {
        guard let name, name.utf8.count <= 64, name.wholeMatch(of: /[a-z]{1,24}(-[a-z]{1,24})*/) != nil else {
            return nil
        }
        return name
    }
}

extension ProblemDetails: CustomStringConvertible, CustomReflectable {
    /// The name of the type, where it may be repeated.
    var description: String { printableName ?? "a problem" }
    /// A mirror without children, so reflection finds no name that could be a token.
    var customMirror: Mirror { Mirror(self, children: []) }
}
