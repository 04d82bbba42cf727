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
    /// What the server calls the problem: the type's name, or the envelope's code. It may be a token.
    private let word: String?
    /// The object with the members of a conflict. It may contain an e-mail address or a token.
    private let members: AuthJSON

    /// `nil` unless the answer is declared as problem details and is valid.
    init?(_ exchange: ServerExchange) {
        let mediaType = exchange.response.headers[.contentType]?.prefix { $0 != ";" }
            .trimmingCharacters(in: .whitespaces)
        guard mediaType?.lowercased() == "application/problem+json", let members = exchange.json?.object else {
            return nil
        }
        self.members = .object(members)
        // A member of another type counts as absent (RFC 9457 section 3.1).
        name = members["type"]?.text.flatMap(Self.name(ofType:))
        word = name
    }

    /// Reads the error in an envelope; `nil` if the answer has none.
    init?(
        _ exchange: ServerExchange, to operation: ServerErrorResponse.Operation, in envelope: ServerContract.Envelope
    ) {
        guard let answer = exchange.json, case .refusal(let code) = envelope.verdict(exchange) else { return nil }
        members = envelope.payload.flatMap(answer.member) ?? answer
        name = envelope.problem(code, inAnswerTo: operation)
        word = code
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

    /// Returns the name of the field that the server refuses, if it may be printed.
    func field(by contract: ServerContract) -> String? {
        members.member(at: contract.challenge.field)?.text.flatMap(Self.printable)
    }

    /// The server's word for the problem if it may be printed.
    var printableName: String? { word.flatMap(Self.printable) }

    /// Returns a server's word if it may be printed: words of letters in one case or in camel case, each with up to six
    /// digits after it, and such digits alone, joined by `-`, `_`, `.`, `/` or `:`.
    ///
    /// Any other text could be a token.
    static func printable(_ text: String) -> String? {
        let word = /[a-z]{1,24}|[A-Z]{1,24}|([a-z]{2,23})?([A-Z]{1,8}[a-z]{2,23}){0,5}([A-Z]{2,8})?/
        let part = /((?<letters>[A-Za-z]+)[0-9]{0,6})|[0-9]{1,6}/
        guard (1...64).contains(text.utf8.count) else { return nil }
        let pieces = (text.hasPrefix("-") ? text.dropFirst() : text[...])
            .split(omittingEmptySubsequences: false, whereSeparator: "-_./:".contains)
        for piece in pieces {
            guard let match = piece.wholeMatch(of: part) else { return nil }
            if let letters = match.output.letters, letters.wholeMatch(of: word) == nil { return nil }
        }
        return text
    }
}

extension ProblemDetails: DescriptionOnly {
    /// The name of the type, if it may be printed: it could be a token.
    var description: String { printableName ?? "a problem" }
}
