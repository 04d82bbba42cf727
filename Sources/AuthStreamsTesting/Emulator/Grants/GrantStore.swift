package import AuthStreams
package import Foundation

/// The codes and tokens that the emulator has issued, and their status.
package final class GrantStore: Sendable {
    /// The kinds of tokens.
    package enum Kind: Hashable, Sendable {
        case access
        case refresh
    }

    /// A valid token.
    package struct Token: Hashable, Sendable {
        /// The approval.
        package let grant: Grant
        /// The kind of token.
        package let kind: Kind
        /// When it expires.
        package let expiresAt: Date
    }

    /// The result of a look-up.
    package enum Lookup: Hashable, Sendable {
        case valid(Token)
        case expired
        /// Never issued, or revoked.
        case unknown
    }

    private struct Code {
        var grant: Grant
        let expiresAt: Date
        var isUsed = false
    }
    private struct State {
        var codes = KeyedStore<Code>("code", limit: EmulatorLimit.signIns) {
            [holder($0.grant.issuer, $0.grant.userID)]
        }
        var tokens = KeyedStore<Token>("token", limit: EmulatorLimit.tokens) {
            [holder($0.grant.issuer, $0.grant.userID), $0.grant.id]
        }
        var requests = KeyedStore<PendingAuthorization>("page", limit: EmulatorLimit.signIns)
        var consents = Consents()
    }
    private let state = Lock(State())
    private let clock: AuthClock

    package init(clock: AuthClock) {
        self.clock = clock
    }

    private static func holder(_ issuer: Grant.Issuer, _ userID: String) -> String { "\(issuer.rawValue) \(userID)" }

    // MARK: Codes

    /// Issues a code that works once, for a limited time: RFC 6749 section 4.1.2 recommends ten minutes at most.
    package func issueCode(for grant: Grant, lifetime: TimeInterval = 300) -> String {
        let expiry = clock.date + lifetime
        return state.withLock { $0.codes.add(Code(grant: grant, expiresAt: expiry)) }
    }

    /// Consumes a code.
    ///
    /// - Parameter client: The client that must have asked for it; any unless given.
    /// - Returns: Its approval, to exactly one caller; `nil` if the code is unknown, used, expired or another client's.
    package func redeem(code: String, by issuer: Grant.Issuer, for client: String? = nil) -> Grant? {
        let now = clock.date
        let grant = state.withLock { state -> Grant? in
            guard let found = state.codes.find(code), found.grant.issuer == issuer, !found.isUsed, found.expiresAt > now
            else { return nil }
            state.codes[code]?.isUsed = true
            return found.grant
        }
        if let grant, grant.clientID == client ?? grant.clientID { return grant }
        Mismatch.note("code", SecretMasks.start(of: code), remedy: .newCode)
        return nil
    }

    /// Returns the thumbprint of the key that a code is bound to; `nil` for none.
    func keyThumbprint(ofCode code: String) -> String? { state.withLock { $0.codes[code]?.grant.keyThumbprint } }

    // MARK: Tokens

    /// Issues a token.
    package func issueToken(_ kind: Kind, for grant: Grant, lifetime: TimeInterval) -> String {
        // Naver's access tokens use the standard alphabet, which reveals clients that do not percent-encode forms; each has
        // both characters. Its refresh tokens have letters and digits.
        let expiry = clock.date + lifetime
        return state.withLock { state in
            var token = state.tokens.newKey(grant.issuer == .naver ? "AAAA-_" : "")
            if grant.issuer == .naver {
                token = kind == .refresh ? SHA256.hex(token) : token.replacing("-", with: "+").replacing("_", with: "/")
            }
            state.tokens[token] = Token(grant: grant, kind: kind, expiresAt: expiry)
            return token
        }
    }

    /// Looks up a token, of any kind unless given.
    package func lookUp(_ token: String?, _ kind: Kind? = nil, of issuer: Grant.Issuer) -> Lookup {
        let found = token.flatMap { token in state.withLock { $0.tokens.find(token) } }
        let isKnown = found.map { $0.kind == kind ?? $0.kind && $0.grant.issuer == issuer } ?? false
        if let found, isKnown, found.expiresAt > clock.date { return .valid(found) }
        Mismatch.note("token", token.map(SecretMasks.start), remedy: .newToken)
        return isKnown ? .expired : .unknown
    }

    /// Returns the token if it is valid, of any kind unless given.
    package func valid(_ token: String?, _ kind: Kind? = nil, of issuer: Grant.Issuer) -> Token? {
        if case .valid(let found) = lookUp(token, kind, of: issuer) { found } else { nil }
    }

    /// Revokes one token.
    package func revoke(_ token: String) {
        state.withLock { $0.tokens[token] = nil }
    }

    /// Revokes every token of one approval: the pair of access and refresh token.
    package func revoke(pairOf grant: Grant) {
        state.withLock { $0.tokens.removeAll(named: grant.id) }
    }

    /// Revokes every code and token that a person has with an app, and forgets their link to it unless that is kept.
    ///
    /// - Parameter clients: The clients of the app; the one by which the link names it unless given.
    func revokeAll(of link: Consents.LinkID, by clients: Set<String>? = nil, keepsLink: Bool = false) {
        let (clients, holder) = (clients ?? [link.app], Self.holder(link.issuer, link.userID))
        state.withLock { state in
            state.codes.removeAll(named: holder) { clients.contains($0.grant.clientID) }
            state.tokens.removeAll(named: holder) { clients.contains($0.grant.clientID) }
            if !keepsLink { state.consents[link] = nil }
        }
    }

    /// Withdraws a person's agreement to some scopes, also from the codes that the clients of the app have not redeemed.
    func withdraw(_ scopes: Set<String>, from link: Consents.LinkID, by clients: Set<String>) {
        state.withLock { state in
            state.consents[link]?.withdraw(scopes)
            for key in state.codes.keys(named: Self.holder(link.issuer, link.userID)) {
                guard let code = state.codes[key], clients.contains(code.grant.clientID) else { continue }
                state.codes[key]?.grant.scopes.subtract(scopes)
            }
        }
    }

    /// Returns whether an issuer has a valid token for a person, in any app.
    package func hasTokens(of issuer: Grant.Issuer, userID: String) -> Bool {
        let now = clock.date
        return state.withLock { state in
            state.tokens.keys(named: Self.holder(issuer, userID)).contains {
                (state.tokens[$0]?.expiresAt ?? now) > now
            }
        }
    }

    /// Reads or changes what people have agreed to.
    func consents<Result>(_ body: (inout Consents) -> Result) -> Result { state.withLock { body(&$0.consents) } }

    // MARK: Pages that wait for a person

    func keep(_ request: PendingAuthorization) -> String {
        state.withLock { $0.requests.add(request) }
    }

    /// Removes a request from its page. A second answer to the same page finds none.
    func take(ticket: String) -> PendingAuthorization? {
        state.withLock { $0.requests.take(ticket) }
    }

    /// 192 random bits in Base64url.
    static func random() -> String { Base64URL.encode(randomBytes()) }

    /// 8 random bytes from each number, 24 unless given.
    static func randomBytes(from count: Int = 3) -> [UInt8] {
        // One call of the system for each number.
        let numbers = (0..<count).map { _ in UInt64.random(in: .min ... .max) }
        return numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    }
}

/// An authorization request that was checked and waits for a person's answer.
struct PendingAuthorization: Sendable {
    let issuer: Grant.Issuer
    let clientID: String
    let redirectURI: String
    /// The requested scopes; in a person's answer those that they have agreed to, now or before.
    var scopes: Set<String> = []
    /// The requested scopes that the person may leave out.
    var optional: Set<String> = []
    /// What the page asks for.
    var question = Consents.Question.missing
    /// The scopes that the page asks each person for, by the identifiers of those whom it offers.
    var asked: [String: Set<String>] = [:]
    /// In a person's answer, the scopes that they were asked for and have left out.
    var refused: Set<String> = []
    var state: String?
    var nonce: String?
    var challenge: Grant.Challenge?
    /// The code of the device that waits for the answer; `nil` if the app receives it.
    var deviceCode: String?
    /// The thumbprint of the key that the code is to be bound to: `dpop_jkt` (RFC 9449 section 10); `nil` for none.
    var keyThumbprint: String?
    /// Google: whether the app may act without the person.
    var isOffline = false
    /// Google: whether the tokens are also for what the person has agreed to before.
    var includesEarlier = false
    /// Apple: whether the answer has an ID token beside the code.
    var wantsIDToken = false
    /// Apple: whether the answer is posted, put in the query or in the fragment.
    var responseMode = ResponseMode.query

    enum ResponseMode: String {
        case query
        case fragment
        case formPost = "form_post"
    }
}
