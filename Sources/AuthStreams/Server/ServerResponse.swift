/// A validated answer with a session.
///
/// Members that the contract does not have are ignored. So is an optional member of another type, except the refresh
/// token: without it, the session would be lost unnoticed.
struct ServerResponse {
    /// `nil` if the session keeps its own.
    let tokens: ServerTokens?
    let user: AuthUser?
    let provider: ProviderID?
    let isNewUser: Bool

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - hasTokens: Whether the answer must have tokens. If not, a new refresh token still requires an access token
    ///     beside it.
    ///   - needsUser: Whether an unreadable user makes the answer invalid. At a refresh the old tokens are used up, so
    ///     such a user counts as absent.
    /// - Throws: `invalidResponse` with the name of the member that is missing or of another type.
    init(
        _ response: HTTPResponse, by contract: ServerContract, hasTokens: Bool = true, needsUser: Bool = true
    ) throws(AuthError) {
        guard let members = response.jsonObject else {
            throw AuthError(
                .invalidResponse,
                "The answer is not a JSON object. Something between the app and the server may have answered.")
        }
        let names = contract.session
        let access = try Self.optional(names.accessToken, members[names.accessToken])
        let refresh = try Self.optional(names.refreshToken, members[names.refreshToken])
        if let access {
            tokens = ServerTokens(
                access: Secret(access), refresh: refresh.map { Secret($0) }, expiresIn: members[names.expiresIn],
                issuedAt: response.date)
        } else if hasTokens || refresh != nil {
            throw .badMember(names.accessToken, "is missing")
        } else {
            tokens = nil
        }
        do throws(AuthError) { user = try Self.user(members[names.user], by: contract) } catch {
            guard !needsUser else { throw error }
            user = nil
        }
        provider = members[names.provider]?.text.map { ProviderID(rawValue: $0) }
        isNewUser = members[names.isNewUser]?.lenientBool ?? false
    }

    private static func user(_ value: JSONValue?, by contract: ServerContract) throws(AuthError) -> AuthUser? {
        let (name, names) = (contract.session.user, contract.user)
        switch value {
        case nil, .null: return nil
        case .object(let members):
            return AuthUser(id: try text("\(name).\(names.id)", members[names.id]), members, by: names)
        default: throw .badMember(name, "is not an object")
        }
    }

    private static func text(_ name: String, _ value: JSONValue?) throws(AuthError) -> String {
        guard let text = try optional(name, value) else { throw .badMember(name, "is missing") }
        return text
    }

    /// Returns a string; `nil` if it is absent, null or empty.
    private static func optional(_ name: String, _ value: JSONValue?) throws(AuthError) -> String? {
        switch value {
        case nil, .null, .string(""): return nil
        case .string(let text): return text
        default: throw .badMember(name, "is not a string")
        }
    }
}

extension AuthError {
    /// The name is the contract's own, so it may be printed; the value never is.
    static func badMember(_ name: String, _ what: String) -> Self {
        AuthError(.invalidResponse, "The answer's member '\(name)' \(what), so nothing of it is kept.")
    }
}
