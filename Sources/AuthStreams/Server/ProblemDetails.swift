import Foundation

/// A server's problem details (RFC 9457) or the error in its envelope, reduced to the name of the type and the members
/// of a conflict.
///
/// ```
/// {"type": "https://api.example.com/problems/user-disabled", "title": "…", "status": 403, "detail": "…"}
/// ```
///
/// The name is the last part of the type: of its fragment, otherwise of its path, or of a URN. Title and detail are not
/// read, because a server may quote the refused token in them.
struct ProblemDetails {
    /// The type's name; `nil` if the type is absent or `about:blank`, which adds nothing to the status, or if the
    /// contract has no type for the envelope's code.
    let name: String?
    /// Whether there is a type that adds to the status, even one without a name, such as `/`.
    let hasType: Bool
    /// What the server calls the problem: the type's name, or the envelope's code. It may be a token.
    private let word: String?
    /// The object with the members of a conflict. It may contain an e-mail address or a token.
    private let members: AuthJSON

    /// `nil` unless the response is declared as problem details and is valid.
    init?(_ response: AuthHTTPResponse) {
        let mediaType = response.headers[.contentType]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard mediaType?.lowercased() == "application/problem+json", let members = response.jsonObject else {
            return nil
        }
        // A member of another type counts as absent (RFC 9457 section 3.1).
        let type = members["type"]?.text
        self.members = .object(members)
        name = type.flatMap(Self.name(ofType:))
        word = name
        hasType = ![nil, "", "about:blank"].contains(type)
    }

    /// Reads the error in an envelope; `nil` if the answer has none. A code that repeats the status adds nothing to it.
    init?(_ response: AuthHTTPResponse, toRefresh isRefresh: Bool, in envelope: ServerContract.Envelope) {
        guard let members = response.jsonObject, case .refusal(let code) = envelope.verdict(response) else {
            return nil
        }
        self.members = envelope.payload.flatMap { AuthJSON.object(members).member(at: $0) } ?? .object(members)
        name = (isRefresh ? envelope.refreshProblems[code] : nil) ?? envelope.problems[code]
        word = code
        hasType = name != nil || code != "\(response.status)"
    }

    private static func name(ofType type: String) -> String? {
        guard type != "about:blank" else { return nil }
        let halves = type.split(separator: "#", maxSplits: 1)
        let part = halves.count > 1 ? halves[1] : halves.first?.prefix { $0 != "?" }
        return part?.split { $0 == "/" || $0 == ":" }.last.map(String.init)
    }

    /// Returns the other account. A member of another type is left out.
    func conflict(by contract: ServerContract) -> AuthConflict {
        let names = contract.conflict
        return AuthConflict(
            email: members.member(at: names.email)?.text,
            providers: (members.member(at: names.providers)?.array ?? []).compactMap(\.text)
                .map(contract.provider(named:)))
    }

    /// The server's word for the problem if it may be printed: words of letters of one case joined by hyphens or
    /// underscores, with up to six digits at the end.
    ///
    /// Any other text could be a token.
    var printableName: String? {
        let pattern = /([a-z]{1,24}(-[a-z]{1,24})*)|(([A-Z]{1,24}([-_][A-Z]{1,24})*)?[-_]?[0-9]{0,6})/
        guard let word, (1...64).contains(word.utf8.count), word.wholeMatch(of: pattern) != nil else { return nil }
        return word
    }
}

extension ProblemDetails: CustomStringConvertible, CustomReflectable {
    /// The name of the type, if it may be printed.
    var description: String { printableName ?? "a problem" }
    /// A mirror without children, so reflection finds no name that could be a token.
    var customMirror: Mirror { Mirror(self, children: []) }
}
