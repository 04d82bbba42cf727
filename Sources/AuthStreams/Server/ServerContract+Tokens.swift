import Foundation

extension ServerContract {
    /// Where a token stands in a request or in an answer. A literal is the path of a member.
    ///
    /// ```swift
    /// contract.session.accessToken = "tokens.access_token"
    /// contract.session.refreshToken = .bearer("Authorization-refresh")
    /// ```
    public enum TokenPlace: Equatable, Sendable, ExpressibleByStringLiteral {
        /// A member of the JSON body, by its path. In an answer `Bearer ` may precede the token.
        case member(String)
        /// A header field, after `Bearer ` (RFC 6750 section 2.1); the field is `Authorization` unless given. In an
        /// answer the token may also stand alone.
        case bearer(HeaderName = .authorization)
        /// A header field with nothing but the token. In an answer `Bearer ` may precede it.
        case header(HeaderName)
        /// A cookie, by its name (RFC 6265).
        ///
        /// A refresh token is stored with the path and the domain of its cookie. Only the requests of a refresh and a
        /// sign-out send it, in the header field `Cookie`, and only to a URL within both. If the cookie is not for the URL
        /// of ``ServerContract/refresh``, the sign-in and each refresh end with `misconfigured`; a sign-out leaves it out.
        /// In an answer, a cookie that is empty or expired counts as absent.
        ///
        /// A refresh token of another SDK is the cookie's value alone. An access token is read without path and domain, and
        /// authorizes requests as any other does.
        case cookie(String)

        /// The member at a path.
        public init(stringLiteral path: String) { self = .member(path) }

        /// The header field of an answer; `nil` for a member.
        var header: HeaderName? {
            switch self {
            case .member: nil
            case .bearer(let name), .header(let name): name
            case .cookie: .setCookie
            }
        }

        /// The same place in a request's body, which has no envelope and no nesting of the answer.
        var inRequest: Self {
            guard case .member(let path) = self, let name = path.split(separator: ".").last else { return self }
            return .member(String(name))
        }
    }

    /// The places of the tokens in the requests that send a refresh token: a refresh and a sign-out.
    public struct RefreshNames: Equatable, Sendable {
        /// The refresh token. Unless given, where ``SessionNames/refreshToken`` is in an answer: the same header field or
        /// cookie, or the last name of its path.
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

        var isEmpty: Bool { members.isEmpty && headers.isEmpty }

        mutating func add(_ token: Secret?, at place: TokenPlace) {
            guard let token = token?.present?.reveal() else { return }
            switch place {
            case .member(let path): members.add(path, .string(token))
            case .bearer(let name): headers[name] = "Bearer \(token)"
            case .header(let name): headers[name] = token
            case .cookie(let name): headers.addCookies("\(name)=\(token)")
            }
        }
    }

    /// Returns the tokens of a refresh.
    ///
    /// - Parameter url: The URL of the refresh.
    /// - Throws: If the refresh token goes in a cookie: `misconfigured` if the URL is not within its path and domain,
    ///   `invalidCredential` if it has a character that no cookie may have.
    func tokens(refreshing refreshToken: Secret, _ accessToken: Secret?, at url: URL) throws(AuthError) -> SentTokens {
        var sent = SentTokens()
        let cookie = ServerCookie(stored: refreshToken)
        if let obstacle = obstacle(to: cookie, at: url) { throw obstacle }
        sent.add(cookie.value, at: placeOfRefreshToken)
        if let place = refreshRequest.accessToken { sent.add(accessToken, at: place) }
        return sent
    }

    /// Returns the tokens of a sign-out. An access token takes `Authorization` for itself. A cookie with another path or
    /// domain than the URL is left out.
    func tokens(ending refreshToken: Secret?, _ accessToken: Secret?, at url: URL) -> SentTokens {
        var sent = SentTokens()
        if let cookie = refreshToken.map(ServerCookie.init(stored:)), obstacle(to: cookie, at: url) == nil {
            sent.add(cookie.value, at: placeOfRefreshToken)
        }
        sent.add(accessToken, at: .bearer())
        return sent
    }

    /// Why a refresh token cannot be sent to a URL; `nil` if it can, or does not go in a cookie.
    private func obstacle(to cookie: ServerCookie, at url: URL) -> AuthError? {
        guard case .cookie(let name) = placeOfRefreshToken else { return nil }
        guard cookie.canBeSent else {
            return AuthError(
                .invalidCredential,
                "The refresh token has a character that no cookie may have, so it is not sent as '\(name)'. Sign in again."
            )
        }
        guard !cookie.belongs(to: url) else { return nil }
        let domain = (cookie.domain ?? cookie.host).map { " and the domain '\($0)'" } ?? ""
        return AuthError(
            .misconfigured,
            """
            The cookie '\(name)' has the path '\(cookie.path ?? "/")'\(domain), so it is not sent to '\(url.path())' of \
            '\(url.host() ?? "")', where the contract's `refresh` is. Change the `path` there, or the cookie at the server.
            """)
    }

    private var placeOfRefreshToken: TokenPlace { refreshRequest.refreshToken ?? session.refreshToken.inRequest }

    /// Returns the token at a place of an answer; `nil` if there is none.
    ///
    /// The name of the scheme `Bearer` before a token, in any case, is left out.
    ///
    /// - Parameter url: The URL of the request.
    /// - Throws: `invalidResponse` if a member, a header field or a cookie is there and is not a token.
    func token(
        at place: TokenPlace, _ payload: AuthJSON, _ response: AuthHTTPResponse, from url: URL
    ) throws(AuthError) -> Secret? {
        switch place {
        case .cookie(let name): return try ServerCookie.named(name, in: response, from: url)?.value
        case .bearer(let name), .header(let name):
            guard let value = response.headers[name] else { return nil }
            return try Self.token(in: value, of: name)
        case .member(let path): return try Self.token(in: payload.member(at: path), named: self.path(path))
        }
    }

    /// Returns the refresh token of an answer as it is stored: a cookie with its path and domain.
    func refreshToken(
        in payload: AuthJSON, _ response: AuthHTTPResponse, from url: URL
    ) throws(AuthError) -> Secret? {
        guard case .cookie(let name) = session.refreshToken else {
            return try token(at: session.refreshToken, payload, response, from: url)
        }
        return try ServerCookie.named(name, in: response, from: url)?.text
    }

    private static func token(in value: AuthJSON?, named name: String) throws(AuthError) -> Secret? {
        guard let text = value?.string, let scheme = scheme(of: text) else { return try value.token(named: name) }
        let token = text[scheme.upperBound...].trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty else { throw .badMember(name, "has 'Bearer' without a token after it") }
        return try AuthJSON?.some(.string(token)).token(named: name)
    }

    private static func token(in value: String, of field: HeaderName) throws(AuthError) -> Secret? {
        let token = value[(scheme(of: value)?.upperBound ?? value.startIndex)...]
            .trimmingCharacters(in: .whitespacesAndNewlines)
        // The values of a repeated field are joined by commas.
        guard !token.isEmpty, !token.contains(where: { $0.isWhitespace || $0 == "," }) else {
            throw AuthError(
                .invalidResponse,
                "The answer's header field '\(field.canonical)' is not one token, so nothing of it is kept.")
        }
        return try AuthJSON?.some(.string(token)).token(named: field.canonical)
    }

    /// Returns the range of the scheme's name `Bearer`, in any case, with the white space before it; `nil` if the text
    /// begins otherwise.
    private static func scheme(of text: String) -> Range<String.Index>? {
        let name = text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        return name.lowercased() == "bearer" ? text.startIndex..<name.endIndex : nil
    }

    /// The error of an answer without a token that it must have.
    func missing(_ place: TokenPlace) -> AuthError {
        switch place {
        case .member(let path): .badMember(self.path(path), "is missing")
        case .bearer(let name), .header(let name):
            AuthError(
                .invalidResponse,
                "The answer's header field '\(name.canonical)' is missing, so nothing of it is kept.")
        case .cookie(let name):
            AuthError(.invalidResponse, "The answer sets no cookie '\(name)', so nothing of it is kept.")
        }
    }
}
