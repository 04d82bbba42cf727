package import AuthStreams
package import Foundation

/// The codes and tokens that the emulator has issued, and what became of them.
package final class GrantStore: Sendable {
    /// The kinds of tokens.
    package enum Kind: Hashable, Sendable {
        case access
        case refresh
    }

    /// A token that is good.
    package struct Token: Hashable, Sendable {
        /// What it stands for.
        package let grant: Grant
        /// What it is for.
        package let kind: Kind
        /// When it ends.
        package let expiresAt: Date
    }

    /// What a token turned out to be.
    package enum Lookup: Hashable, Sendable {
        case valid(Token)
        case expired
        /// Never issued, or revoked.
        case unknown
    }

    private struct Code {
        let grant: Grant
        let expiresAt: Date
        var isUsed = false
    }
    private struct State {
        var codes: [String: Code] = [:]
        var tokens: [String: Token] = [:]
        var requests: [String: PendingAuthorization] = [:]
        /// Which people let which Apple clients in before: their names are not told again.
        var known: Set<[String]> = []
    }
    private let state = Lock(State())
    private let clock: AuthClock

    package init(clock: AuthClock) {
        self.clock = clock
    }

    // MARK: Codes

    /// Issues a code that works once, and not for long: RFC 6749 section 4.1.2 asks for ten minutes at most.
    package func issueCode(for grant: Grant, lifetime: TimeInterval = 300) -> String {
        let code = Self.random()
        let expiry = clock.date + lifetime
        state.withLock { $0.codes[code] = Code(grant: grant, expiresAt: expiry) }
        return code
    }

    /// Uses a code up.
    ///
    /// - Returns: What it stands for, to exactly one caller; `nil` when it is unknown, used or expired.
    package func redeem(code: String, by issuer: Grant.Issuer) -> Grant? {
        let now = clock.date
        return state.withLock { state in
            guard let found = state.codes[code], found.grant.issuer == issuer, !found.isUsed, found.expiresAt > now
            else { return nil }
            state.codes[code]?.isUsed = true
            return found.grant
        }
    }

    // MARK: Tokens

    /// Issues a token.
    package func issueToken(_ kind: Kind, for grant: Grant, lifetime: TimeInterval) -> String {
        // Naver's tokens are in the standard alphabet, which breaks who encodes forms carelessly; each has both characters.
        let token = grant.issuer == .naver ? "AAAA+/" + Self.bytes().base64EncodedString() : Self.random()
        let expiry = clock.date + lifetime
        state.withLock { $0.tokens[token] = Token(grant: grant, kind: kind, expiresAt: expiry) }
        return token
    }

    /// Finds out what a token is.
    package func lookUp(_ token: String?, _ kind: Kind, of issuer: Grant.Issuer) -> Lookup {
        let now = clock.date
        guard let token, let found = state.withLock({ $0.tokens[token] }), found.kind == kind,
            found.grant.issuer == issuer
        else { return .unknown }
        return found.expiresAt > now ? .valid(found) : .expired
    }

    /// The token, when it is good.
    package func valid(_ token: String?, _ kind: Kind, of issuer: Grant.Issuer) -> Token? {
        if case .valid(let found) = lookUp(token, kind, of: issuer) { found } else { nil }
    }

    /// Ends one token.
    package func revoke(_ token: String) {
        state.withLock { _ = $0.tokens.removeValue(forKey: token) }
    }

    /// Ends every token of one approval: the pair of access and refresh token.
    package func revoke(pairOf grant: Grant) {
        state.withLock { state in state.tokens = state.tokens.filter { $0.value.grant.id != grant.id } }
    }

    /// Ends every token that a person has with a client, and forgets that they let it in.
    package func revokeAll(of issuer: Grant.Issuer, clientIDs: Set<String>, userID: String) {
        state.withLock { state in
            state.tokens = state.tokens.filter { _, token in
                token.grant.issuer != issuer || token.grant.userID != userID
                    || !clientIDs.contains(token.grant.clientID)
            }
            for client in clientIDs { state.known.remove([client, userID]) }
        }
    }

    /// Whether a person's tokens of an issuer are good for anything, whichever app has them.
    package func hasTokens(of issuer: Grant.Issuer, userID: String) -> Bool {
        let now = clock.date
        return state.withLock { state in
            state.tokens.values.contains {
                $0.grant.issuer == issuer && $0.grant.userID == userID && $0.expiresAt > now
            }
        }
    }

    /// Whether this is the first time that a person lets a client in since they last withdrew it.
    func isFirstApproval(clientID: String, userID: String) -> Bool {
        state.withLock { $0.known.insert([clientID, userID]).inserted }
    }

    // MARK: Pages that wait for a person

    func keep(_ request: PendingAuthorization) -> String {
        let ticket = Self.random()
        state.withLock { $0.requests[ticket] = request }
        return ticket
    }

    /// Takes a request off its page. A second answer to the same page finds nothing.
    func take(ticket: String) -> PendingAuthorization? {
        state.withLock { $0.requests.removeValue(forKey: ticket) }
    }

    /// 192 random bits in Base64url.
    private static func random() -> String { Base64URL.encode(bytes()) }

    private static func bytes() -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
