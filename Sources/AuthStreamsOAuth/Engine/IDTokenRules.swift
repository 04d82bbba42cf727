public import AuthStreams
package import Foundation

/// The rules of OpenID Connect Core section 3.1.3.7 for the claims of an ID token, without the signature.
///
/// Rule 1 does not apply: encryption is never registered. Rule 8 applies only with ``sharedSecret``.
public struct IDTokenRules: Sendable {
    /// The accepted issuers. Google has two spellings.
    ///
    /// One with the segment `{tenantid}` accepts the issuer of the tenant that the token names in `tid`, a UUID.
    public var issuers: Set<String>
    /// The client that it must be issued to.
    public var clientID: String
    /// Audiences that are accepted beside the client.
    public var trustedAudiences: Set<String> = []
    /// The app's server, if tokens were requested for it. Such a token is issued to the server and must name the client
    /// in `azp`, because its audience does not.
    public var serverClientID: String?
    /// The accepted algorithms. Never `none` or HMAC, even if the token names them; ``sharedSecret`` accepts HS256.
    package var algorithms = Set(JWSAlgorithm.allCases)
    /// The client's secret, if the issuer signs this client's ID tokens with it (HS256, rule 8); `nil`, the default, refuses
    /// HS256. LINE's page does.
    ///
    /// Anyone who reads the secret in an app can sign such a token for any person. Only the side that received it from the
    /// token endpoint may trust it; a server that the app sends it to may not.
    public var sharedSecret: Secret?

    /// The largest token that is read, in bytes: several times what a token with hundreds of groups takes.
    static let maximumBytes = 65_536
    /// The tolerance for expiry, in seconds.
    static let skew: TimeInterval = 60
    /// The tolerance for a date of issue in the future, in seconds. Expiry limits the age and the nonce prevents
    /// replay, so a device whose clock is minutes off can still sign in.
    static let futureTolerance: TimeInterval = 600

    /// Makes the rules of one client.
    package init(issuers: Set<String>, clientID: String) {
        self.issuers = issuers
        self.clientID = clientID
    }

    /// Checks a token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - context: What the attempt expects of it.
    ///   - now: The current date.
    /// - Throws: `invalidIDToken`, `issuerMismatch` or `nonceMismatch`, with the rule that was broken.
    package func check(
        _ token: Secret, in context: IDTokenContext, now: Date
    ) throws(AuthError) -> IDToken {
        let identified = try identify(token, in: context)
        let claims = identified.claims
        try checkTimes(claims, now: now)
        try checkLogin(claims, in: context, now: now)
        // HS256 is the only other algorithm that is allowed.
        let algorithm = identified.header["alg"]?.string.flatMap(JWSAlgorithm.init)?.hash ?? .sha256
        let isRequired = context.channel == .browser
        try Self.checkHash("at_hash", algorithm, in: claims, of: context.accessToken, "access token", isRequired)
        try Self.checkHash("c_hash", algorithm, in: claims, of: context.code, "authorization code", isRequired)
        return identified
    }

    /// Checks the token's issuer, client and attempt, but not its times.
    ///
    /// - Throws: `invalidIDToken`, `issuerMismatch` or `nonceMismatch`, with the rule that was broken.
    package func identify(_ token: Secret, in context: IDTokenContext) throws(AuthError) -> IDToken {
        guard token.reveal().utf8.count <= Self.maximumBytes else {
            throw Self.broken("It is larger than \(Self.maximumBytes) bytes.")
        }
        guard let parsed = JSONWebToken(token) else {
            throw Self.broken("It is not a signed JSON Web Token of at most \(AuthJSON.maximumDepth) levels.")
        }
        guard !parsed.repeatsMember else {
            throw Self.broken("It names a claim or a header member twice (RFC 7519 section 4).")
        }
        let claims = parsed.claims
        try checkHeader(parsed.header, context.channel)
        guard let issuer = claims["iss"]?.string,
            isIssuer(issuer, ofTenant: claims["tid"]?.string, answered: context.issuer)
        else {
            throw AuthError(
                .issuerMismatch, "The ID token's issuer is not the configured one. Compare issuer and endpoints.")
        }
        try checkAudience(claims)
        // With a shared secret any of several audiences could sign (rule 8).
        guard parsed.header["alg"]?.string != HMAC.algorithm || claims["aud"]?.array?.count ?? 1 == 1 else {
            throw Self.broken("It is signed with the client's secret and names several audiences.")
        }
        try checkNonce(claims, context.nonce)
        guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ $0 < 0x80 })
        else { throw Self.broken("Its subject is not 1 to 255 ASCII characters.") }
        return IDToken(token: token, subject: subject, claims: claims, header: parsed.header)
    }

    /// - Parameter answered: The issuer that the page's answer named; `nil` if it named none. An issuer of many tenants is
    ///   that of one tenant from there on.
    private func isIssuer(_ name: String, ofTenant tenant: String?, answered: String?) -> Bool {
        issuers.contains { accepted in
            guard let template = TenantTemplate(accepted) else { return accepted == name }
            return template.identifier(of: tenant) == name && answered ?? name == name
        }
    }

    /// Returns whether a key may sign the tokens of a token's issuer.
    ///
    /// The keys of an issuer with many tenants are published together. Microsoft Entra's name their issuer, with
    /// `{tenantid}` for those of every tenant, so that a key of one tenant signs no token of another.
    func allows(_ key: JSONWebKey, of token: IDToken) -> Bool {
        guard let owner = key.members["issuer"]?.string, issuers.contains(where: { TenantTemplate($0) != nil }) else {
            return true
        }
        let name = TenantTemplate(owner).map { $0.identifier(of: token["tid"]?.string) } ?? owner
        return name == token["iss"]?.string
    }

    /// Returns whether the tokens of some tenant may name that issuer.
    func isIssuer(_ name: String) -> Bool {
        issuers.contains { TenantTemplate($0)?.includes(name) ?? ($0 == name) }
    }

    private func checkHeader(_ header: AuthJSON, _ channel: IDTokenContext.Channel) throws(AuthError) {
        let name = header["alg"]?.string
        let isAllowed = name.flatMap(JWSAlgorithm.init).map(algorithms.contains) ?? false
        // A secret that ships with an app authenticates no token that came through the browser.
        let isShared = name == HMAC.algorithm && sharedSecret != nil && channel == .tokenEndpoint
        guard isAllowed || isShared else {
            let names = JWSAlgorithm.allCases.filter(algorithms.contains).map(\.rawValue).joined(separator: ", ")
            throw Self.broken("It is not signed by an algorithm that is allowed here: \(names).")
        }
        guard header["crit"] == nil else {
            throw Self.broken("Its header has critical extensions, and none is known here (RFC 7515 section 4.1.11).")
        }
        // A token of another kind says so: `at+jwt`, `logout+jwt` (RFC 8725 section 3.11).
        guard header["typ"]?.string?.lowercased().hasSuffix("+jwt") != true else {
            throw Self.broken("Its type says that it is another kind of token.")
        }
    }

    /// Rules 12 and 13: how and when the person logged in at the issuer.
    private func checkLogin(_ claims: AuthJSON, in context: IDTokenContext, now: Date) throws(AuthError) {
        if !context.acceptedACRs.isEmpty {
            guard let acr = claims["acr"]?.string, context.acceptedACRs.contains(acr) else {
                throw Self.broken("The person logged in by no method that was asked for (acr).")
            }
        }
        if let maximumAge = context.maximumAge {
            guard let login = Self.seconds(claims["auth_time"]) else {
                throw Self.broken("It does not say when the person logged in, although that was asked for (auth_time).")
            }
            let age = now.timeIntervalSince1970 - login
            // The person may have logged in as soon as the page was shown, and agreed much later.
            guard age <= (max(maximumAge, .zero) + context.elapsed) / .seconds(1) + Self.skew else {
                throw Self.broken("The person's log-in is older than was asked for (auth_time).")
            }
            guard age >= -Self.futureTolerance else {
                throw Self.broken("The person's log-in is in the future (auth_time).")
            }
        }
    }

    private func checkAudience(_ claims: AuthJSON) throws(AuthError) {
        let audiences = claims["aud"]?.array?.map(\.string) ?? [claims["aud"]?.string]
        if let serverClientID, audiences == [serverClientID] {
            guard claims["azp"] == .string(clientID) else {
                throw Self.broken("It is for the app's server, and this client did not ask for it (azp).")
            }
            return
        }
        guard audiences.contains(clientID) else {
            throw Self.broken("Its audience is another client. Compare the client ID with the provider's console.")
        }
        guard audiences.allSatisfy({ $0.map { $0 == clientID || trustedAudiences.contains($0) } ?? false }) else {
            throw Self.broken("It names a further audience that is not trusted. List your own in trustedAudiences.")
        }
        switch claims["azp"] {
        case nil where audiences.count > 1: throw Self.broken("It has several audiences and no authorized party.")
        case nil, .string(clientID): break
        default: throw Self.broken("Its authorized party (azp) is another client.")
        }
    }

    private func checkTimes(_ claims: AuthJSON, now: Date) throws(AuthError) {
        let present = now.timeIntervalSince1970
        guard let expiry = Self.seconds(claims["exp"]), let issued = Self.seconds(claims["iat"]) else {
            throw Self.broken("It does not say when it was issued and when it expires.")
        }
        guard present < expiry + Self.skew else {
            throw Self.broken("It has expired. If the device's clock is wrong, correct it.")
        }
        guard issued <= present + Self.futureTolerance, issued <= expiry else {
            throw Self.broken("It was issued in the future. If the device's clock is wrong, correct it.")
        }
    }

    private func checkNonce(_ claims: AuthJSON, _ expected: Secret?) throws(AuthError) {
        guard let expected else { return }
        // `Secret` compares in constant time.
        guard let sent = claims["nonce"]?.string, Secret(sent) == expected else {
            throw AuthError(
                .nonceMismatch, "The ID token's nonce is missing or of another attempt. Start over; do not retry.")
        }
    }

    /// Left half of the hash that the signature's algorithm uses (OpenID Connect Core 3.1.3.8 and 3.3.2.11).
    ///
    /// - Parameters:
    ///   - algorithm: The hash function. A system without a library for signatures has only SHA-256. There, the claim
    ///     is not checked with another one, unless it is required.
    ///   - isRequired: Whether the value came through the browser. Only the signed hash shows that the issuer sent it
    ///     with this token (sections 3.2.2.9 and 3.3.2.11).
    private static func checkHash(
        _ name: String, _ algorithm: HashAlgorithm, in claims: AuthJSON, of value: Secret?, _ valueName: String,
        _ isRequired: Bool
    ) throws(AuthError) {
        guard let value, isRequired || claims[name] != nil else { return }
        guard let sent = claims[name]?.string else { throw broken("It has no \(name) for the \(valueName).") }
        guard let hash = algorithm.hash(value.reveal().utf8) else {
            if !isRequired { return }
            throw AuthError(.misconfigured, "This system cannot check the ID token's \(name). \(Signatures.advice)")
        }
        guard Secret(sent) == Secret(Base64URL.encode(hash.prefix(hash.count / 2))) else {
            throw broken("Its \(name) does not fit the \(valueName).")
        }
    }

    private static func seconds(_ claim: AuthJSON?) -> TimeInterval? {
        switch claim {
        case .integer(let value): TimeInterval(value)
        case .number(let value): value
        default: nil
        }
    }

    private static func broken(_ rule: String) -> AuthError {
        AuthError(.invalidIDToken, "The ID token was refused. \(rule)")
    }
}
