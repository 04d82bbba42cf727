import Foundation

extension ServerContract {
    /// Where a token stands in a request or in an answer. A literal is the path of a member.
    ///
    /// ```swift
    /// contract.session.accessToken = "tokens.access_token"
    /// contract.session.refreshToken = .bearer("Authorization-refresh")
    /// ```
    public enum TokenPlace: Equatable, Sendable, ExpressibleByStringLiteral {
        /// A member of the JSON body, by its path.
        case member(String)
        /// A header field, after `Bearer ` (RFC 6750 section 2.1); the field is `Authorization` unless given. In an
        /// answer the token may also stand alone.
        case bearer(HeaderName = .authorization)
        /// A header field with nothing but the token. In an answer `Bearer ` may precede it.
        case header(HeaderName)

        /// The member at a path.
        public init(stringLiteral path: String) { self = .member(path) }

        /// The header field; `nil` for a member.
        var header: HeaderName? {
            switch self {
            case .member: nil
            case .bearer(let name), .header(let name): name
            }
        }

        /// The same place in a request's body, which has no envelope and no nesting of the answer.
        fileprivate var inRequest: Self {
            guard case .member(let path) = self, let name = path.split(separator: ".").last else { return self }
            return .member(String(name))
        }
    }

    /// The places of the tokens in the requests that send a refresh token: a refresh and a sign-out.
    public struct RefreshNames: Equatable, Sendable {
        /// The refresh token. Unless given, where ``SessionNames/refreshToken`` is in an answer: the same header field,
        /// or the last name of its path.
        ///
        /// A sign-out leaves it out of `Authorization`, where the access token is.
        public var refreshToken: TokenPlace?
        /// The access token in the request of a refresh, for a server that wants both; `nil` if it is not sent. A
        /// refresh for ``ServerRepository/adopt(_:)`` has none.
        public var accessToken: TokenPlace?

        /// Makes the documented places.
        package init() {}
    }

    /// The tokens of a request, in their places.
    struct SentTokens {
        var members: [String: AuthJSON] = [:]
        var headers: [HeaderName: String] = [:]

        fileprivate mutating func add(_ token: Secret?, at place: TokenPlace) {
            guard let token = token?.present?.reveal() else { return }
            switch place {
            case .member(let path): members.add(path, .string(token))
            case .bearer(let name): headers[name] = "Bearer \(token)"
            case .header(let name): headers[name] = token
            }
        }
    }

    /// Returns the tokens of a refresh.
    func tokens(refreshing refreshToken: Secret, _ accessToken: Secret?) -> SentTokens {
        var sent = SentTokens()
        sent.add(refreshToken, at: placeOfRefreshToken)
        if let place = refreshRequest.accessToken { sent.add(accessToken, at: place) }
        return sent
    }

    /// Returns the tokens of a sign-out. An access token takes `Authorization` for itself.
    func tokens(ending refreshToken: Secret?, _ accessToken: Secret?) -> SentTokens {
        var sent = SentTokens()
        sent.add(refreshToken, at: placeOfRefreshToken)
        sent.add(accessToken, at: .bearer())
        return sent
    }

    private var placeOfRefreshToken: TokenPlace { refreshRequest.refreshToken ?? session.refreshToken.inRequest }

    /// Returns the token at a place of an answer; `nil` if there is none.
    ///
    /// - Throws: `invalidResponse` if a member or a header field is there and is not a token.
    func token(
        at place: TokenPlace, _ payload: AuthJSON, _ response: AuthHTTPResponse
    ) throws(AuthError) -> Secret? {
        switch place {
        case .bearer(let name), .header(let name):
            guard let value = response.headers[name] else { return nil }
            return try Self.token(in: value, of: name)
        case .member(let path): return try payload.member(at: path).token(named: self.path(path))
        }
    }

    private static func token(in value: String, of field: HeaderName) throws(AuthError) -> Secret? {
        let words = value.split(whereSeparator: \.isWhitespace)
        let tokens = words.first?.lowercased() == "bearer" ? words.dropFirst() : words[...]
        // The values of a repeated field are joined by commas.
        guard tokens.count == 1, let token = tokens.first, !token.contains(",") else {
            throw AuthError(
                .invalidResponse,
                "The answer's header field '\(field.canonical)' is not one token, so nothing of it is kept.")
        }
        return try AuthJSON?.some(.string(String(token))).token(named: field.canonical)
    }

    /// The error of an answer without a token that it must have.
    func missing(_ place: TokenPlace) -> AuthError {
        switch place {
        case .member(let path): .badMember(self.path(path), "is missing")
        case .bearer(let name), .header(let name):
            AuthError(
                .invalidResponse,
                "The answer's header field '\(name.canonical)' is missing, so nothing of it is kept.")
        }
    }
}
