import Foundation

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
        _ response: AuthHTTPResponse, by contract: ServerContract, hasTokens: Bool = true, needsUser: Bool = true
    ) throws(AuthError) {
        let (payload, names) = (try contract.payload(of: response), contract.session)
        let access = try contract.token(at: names.accessToken, payload, response)
        let refresh = try contract.token(at: names.refreshToken, payload, response)
        if let access {
            tokens = ServerTokens(
                access: access, refresh: refresh, expiresIn: payload.member(at: names.expiresIn),
                issuedAt: response.date)
        } else if hasTokens || refresh != nil {
            throw contract.missing(names.accessToken)
        } else {
            tokens = nil
        }
        do throws(AuthError) { user = try contract.user(at: names.user, of: payload) } catch {
            guard !needsUser else { throw error }
            user = nil
        }
        provider = payload.member(at: names.provider)?.text.map(contract.provider(named:))
        isNewUser = payload.member(at: names.isNewUser)?.lenientBool ?? false
    }
}

extension ServerContract {
    /// Returns the user at a path of the payload; `nil` if there is none.
    ///
    /// - Throws: `invalidResponse` if the user cannot be read.
    func user(at name: String, of payload: AuthJSON) throws(AuthError) -> AuthUser? {
        let value = payload.member(at: name)
        // Members beside the tokens need not be a user's.
        if name.isEmpty, [nil, .null].contains(value?.member(at: user.id)) { return nil }
        switch value {
        case nil, .null: return nil
        case .object:
            let path = path([name, user.id].filter { !$0.isEmpty }.joined(separator: "."))
            return AuthUser(id: try Self.identifier(value?.member(at: user.id), path), value ?? .null, by: self)
        default: throw .badMember(path(name), "is not an object")
        }
    }

    private static func identifier(_ value: AuthJSON?, _ path: String) throws(AuthError) -> String {
        switch value {
        case nil, .null, .string(""): throw .badMember(path, "is missing")
        case .string(let text): return text
        case .integer(let number): return "\(number)"
        default: throw .badMember(path, "is neither a string nor a whole number")
        }
    }

    /// The error of an answer without a user.
    var missingUser: AuthError { .badMember(path(session.user.isEmpty ? user.id : session.user), "is missing") }
}

extension AuthError {
    /// The name is the contract's own, so it may be printed; the value never is.
    static func badMember(_ name: String, _ what: String) -> Self {
        AuthError(.invalidResponse, "The answer's member '\(name)' \(what), so nothing of it is kept.")
    }
}

/// The tokens of an answer.
struct ServerTokens {
    let access: Secret
    let refresh: Secret?
    /// When the server responded, by its own clock; `nil` if the response has no date.
    let issuedAt: Date?
    private let lifetime: Lifetime

    private enum Lifetime {
        case unsaid
        case said(Duration)
        /// Not a number.
        case unreadable
    }

    /// - Parameter expiresIn: The answer's lifetime of the access token.
    init(access: Secret, refresh: Secret?, expiresIn: AuthJSON?, issuedAt: Date?) {
        self.access = access
        self.refresh = refresh
        self.issuedAt = issuedAt
        lifetime =
            switch expiresIn {
            case nil, .null: .unsaid
            case let value: value?.lifetime.map(Lifetime.said) ?? .unreadable
            }
    }

    /// Returns the access token's lifetime from the arrival of the answer; `nil` if it is not known.
    ///
    /// A lifetime that is not a number is replaced by the token's own, `exp` − `iat`, if the token can be read. Otherwise it
    /// is five minutes, so that the token is replaced soon.
    ///
    /// - Parameter isReplaceable: Whether there is a refresh token. Without one a guess would end the session.
    func lifetime(isReplaceable: Bool) -> Duration? {
        switch lifetime {
        case .unsaid: nil
        case .said(let duration): duration
        case .unreadable: JSONWebToken(access)?.claims.tokenLifetime ?? (isReplaceable ? .seconds(300) : nil)
        }
    }
}
