import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// Rule 6 of OpenID Connect Core 3.1.3.7: the signature.
@Suite struct IDTokenValidatorTests {
    private static let claims = SignedTokens.claims(["iss": "https://a.example", "aud": "app", "nonce": "n"])

    private func validate(
        _ token: String, channel: IDTokenContext.Channel = .tokenEndpoint, canVerify: Bool = Signatures.isAvailable,
        transport: ScriptedTransport = ScriptedTransport { _ in try SignedTokens.keys() }
    ) async throws(AuthError) -> IDToken {
        var validator = IDTokenValidator(
            rules: IDTokenRules(issuers: ["https://a.example"], clientID: "app"),
            keys: IssuerKeys(
                url: URL(literal: "https://a.example/keys"), transport: transport, clock: SignedTokens.clock),
            clock: SignedTokens.clock)
        validator.canVerify = canVerify
        return try await validator.validate(Secret(token), in: IDTokenContext(channel: channel, nonce: Secret("n")))
    }

    /// The issuer has a key of every kind, with and without names.
    @Test(.enabled(if: Signatures.isAvailable), arguments: JWSAlgorithm.allCases, [true, false])
    func tokenSignedByTheIssuerIsTaken(algorithm: JWSAlgorithm, hasNames: Bool) async throws {
        let keys = [JWSAlgorithm.rs256, .es256, .es384, .es512, .edDSA].map { algorithm in
            var members = SignedTokens.key(for: algorithm).object ?? [:]
            if !hasNames { members["kid"] = nil }
            return AuthJSON.object(members)
        }
        let transport = ScriptedTransport { _ in try SignedTokens.keys(keys) }
        let names: [AuthJSON?] = hasNames ? [SignedTokens.key(for: algorithm)["kid"], nil] : [nil]
        for name in names {
            let header = name.map { ["kid": $0] } ?? [:]
            let token = try SignedTokens.token(Self.claims, algorithm: algorithm, header: header)
            #expect(try await validate(token, channel: .browser, transport: transport).subject == "1001")
        }
    }

    /// Needs no library, so it works on every system.
    @Test func tokenSignedWithTheClientsSecretIsTaken() async throws {
        let token = try SignedTokens.token(Self.claims, sharedSecret: "channel-secret")
        func subject(_ token: String, _ secret: String) async throws -> String {
            var rules = IDTokenRules(issuers: ["https://a.example"], clientID: "app")
            rules.sharedSecret = Secret(secret)
            let keys = IssuerKeys(
                url: URL(literal: "https://a.example/keys"),
                transport: ScriptedTransport { _ in throw AuthError(.network, "") },
                clock: SignedTokens.clock)
            return try await IDTokenValidator(rules: rules, keys: keys, clock: SignedTokens.clock)
                .validate(Secret(token), in: IDTokenContext(channel: .tokenEndpoint, nonce: Secret("n"))).subject
        }
        #expect(try await subject(token, "channel-secret") == "1001")
        for (token, secret) in [
            (token, "other"), (token, ""), ("\(token)A", "channel-secret"), ("\(token)=", "channel-secret"),
        ] {
            let error = await #expect(throws: AuthError.self) { try await subject(token, secret) }
            #expect(error?.code == .invalidIDToken)
        }
    }

    @Test(.enabled(if: Signatures.isAvailable))
    func anythingElseIsRefused() async throws {
        let token = try SignedTokens.token(Self.claims)
        let other = try SignedTokens.token(Self.claims.merging(["sub": "1002"]) { $1 })
        let (dot, otherDot) = (try #require(token.lastIndex(of: ".")), try #require(other.lastIndex(of: ".")))
        let forged: [String] = [
            "\(token[...dot])", "\(token[...dot])AAAA", "\(token)=", "\(other[..<otherDot])\(token[dot...])",
            try SignedTokens.token(Self.claims, header: ["kid": "unknown"]),
            try SignedTokens.token(Self.claims, header: ["kid": "two"]),
        ]
        for token in forged {
            let error = await #expect(throws: AuthError.self) { try await validate(token) }
            #expect(error?.code == .invalidIDToken)
        }
    }

    @Test(
        .enabled(if: Signatures.isAvailable),
        arguments: [("use", "enc"), ("alg", "PS256"), ("key_ops", ["encrypt"]), ("n", "AQAB"), ("kty", "oct")]
            as [(String, AuthJSON)])
    func keyThatIsForSomethingElseVouchesForNothing(name: String, value: AuthJSON) async throws {
        let key = (SignedTokens.rsaKey.object ?? [:]).merging([name: value]) { $1 }
        let transport = ScriptedTransport { _ in try SignedTokens.keys([.object(key)]) }
        let token = try SignedTokens.token(Self.claims)
        let error = await #expect(throws: AuthError.self) { try await validate(token, transport: transport) }
        #expect(error?.code == .invalidIDToken)
    }

    @Test(.enabled(if: Signatures.isAvailable))
    func keysThatRotateJustBeforeSigningAreFetchedAgain() async throws {
        let published = Lock([SignedTokens.ellipticKey])
        let transport = ScriptedTransport { _ in try SignedTokens.keys(published.withLock { $0 }) }
        let keys = IssuerKeys(
            url: URL(literal: "https://a.example/keys"), transport: transport, clock: SignedTokens.clock)
        #expect(await keys.verdict(onKey: "two", algorithm: .es256) { _ in true }.verdict == .verified)
        published.withLock { $0 = [SignedTokens.rsaKey] }
        let validator = IDTokenValidator(
            rules: IDTokenRules(issuers: ["https://a.example"], clientID: "app"), keys: keys, clock: SignedTokens.clock)
        let token = Secret(try SignedTokens.token(Self.claims))
        let context = IDTokenContext(channel: .browser, nonce: Secret("n"))
        #expect(try await validator.validate(token, in: context).subject == "1001")
        #expect(transport.requests.count == 2)
    }

    /// The device's clock is three days off. The server's answer says when it is.
    @Test(.enabled(if: Signatures.isAvailable), arguments: [-259_200.0, 259_200])
    func timesAreJudgedByTheDateOfTheAnswer(error: TimeInterval) async throws {
        let transport = ScriptedTransport { _ in try SignedTokens.keys() }
        let now = SignedTokens.clock.date
        let wrong = AuthClock(ContinuousClock(), now: { now.addingTimeInterval(error) })
        let validator = IDTokenValidator(
            rules: IDTokenRules(issuers: ["https://a.example"], clientID: "app"),
            keys: IssuerKeys(url: URL(literal: "https://a.example/keys"), transport: transport, clock: wrong),
            clock: wrong)
        let token = Secret(try SignedTokens.token(Self.claims))
        func validate(date: Date?) async throws(AuthError) -> IDToken {
            let context = IDTokenContext(channel: .tokenEndpoint, nonce: Secret("n"), date: date)
            return try await validator.validate(token, in: context)
        }
        #expect(try await validate(date: now).subject == "1001")
        for date in [nil, now.addingTimeInterval(error)] {
            let refusal = await #expect(throws: AuthError.self) { try await validate(date: date) }
            #expect(refusal?.code == .invalidIDToken)
        }
    }

    @Test func brokenRuleIsFoundBeforeAnyKeyIsFetched() async throws {
        let transport = ScriptedTransport { _ in try SignedTokens.keys() }
        let token = try SignedTokens.token(Self.claims.merging(["nonce": "other"]) { $1 })
        let error = await #expect(throws: AuthError.self) { try await validate(token, transport: transport) }
        #expect(error?.code == .nonceMismatch && transport.requests.isEmpty)
    }

    @Test func withoutAVerifierOnlyTheTokenEndpointIsTrusted() async throws {
        let transport = ScriptedTransport { _ in try SignedTokens.keys() }
        let token = try SignedTokens.token(Self.claims)
        #expect(try await validate(token, canVerify: false, transport: transport).subject == "1001")
        let error = await #expect(throws: AuthError.self) {
            try await validate(token, channel: .browser, canVerify: false, transport: transport)
        }
        #expect(error?.code == .misconfigured && transport.requests.isEmpty)
    }

    private enum Kept: String {
        case nothing, wrong, unknown, ambiguous
    }

    /// Of the token endpoint alone, and only if the keys from before do not refuse the token. A name that is not among them may
    /// be that of a newer key.
    @Test(
        .enabled(if: Signatures.isAvailable),
        arguments: [
            (.tokenEndpoint, .nothing, nil), (.browser, .nothing, .server), (.tokenEndpoint, .wrong, .server),
            (.tokenEndpoint, .unknown, nil), (.browser, .unknown, .server),
            (.tokenEndpoint, .ambiguous, .invalidIDToken),
        ] as [(IDTokenContext.Channel, Kept, AuthError.Code?)])
    private func missingKeysAreNoReasonToRefuseATokenThatTLSAuthenticates(
        channel: IDTokenContext.Channel, kept: Kept, code: AuthError.Code?
    ) async throws {
        let isDown = Lock(kept == .nothing)
        let modulus = String(DevelopmentKeys.rsaModulus.enumerated().map { $0.offset == 40 ? "A" : $0.element })
        func key(_ name: String) -> AuthJSON {
            .object((SignedTokens.rsaKey.object ?? [:]).merging(["kid": .string(name), "n": .string(modulus)]) { $1 })
        }
        let published = kept == .wrong ? [key("one")] : [key("three"), key("four")]
        let transport = ScriptedTransport { _ in
            if isDown.withLock({ $0 }) { return .text("", status: 503) }
            return try SignedTokens.keys(published)
        }
        let keys = IssuerKeys(
            url: URL(literal: "https://a.example/keys"), transport: transport, clock: SignedTokens.clock)
        if kept != .nothing {
            let name = kept == .wrong ? "one" : "three"
            #expect(await keys.verdict(onKey: name, algorithm: .rs256) { _ in true }.verdict == .verified)
        }
        isDown.withLock { $0 = true }
        let reasons = Lock<[AuthError.Code]>([])
        var validator = IDTokenValidator(
            rules: IDTokenRules(issuers: ["https://a.example"], clientID: "app"), keys: keys, clock: SignedTokens.clock)
        validator.onMissingKeys = { reason in reasons.withLock { $0.append(reason.code) } }
        let token = Secret(
            try kept == .ambiguous ? SignedTokens.token(Self.claims, header: [:]) : SignedTokens.token(Self.claims))
        let context = IDTokenContext(channel: channel, nonce: Secret("n"))
        if let code {
            let error = await #expect(throws: AuthError.self) { try await validator.validate(token, in: context) }
            #expect(error?.code == code)
        } else {
            #expect(try await validator.validate(token, in: context).subject == "1001")
        }
        #expect(reasons.withLock { $0 } == (code == nil ? [.server] : []))
    }
}
