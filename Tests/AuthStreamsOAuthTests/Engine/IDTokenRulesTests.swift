import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

@Suite struct IDTokenRulesTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let good: [String: AuthJSON] = [
        "iss": "https://a.example", "aud": "app", "sub": "1001", "iat": 1_800_000_000, "exp": 1_800_003_600,
        "nonce": "right-nonce",
    ]

    private func check(
        _ change: [String: AuthJSON?] = [:], header: AuthJSON = ["alg": "RS256"], accessToken: String? = nil,
        code: String? = nil, server: String? = nil
    ) throws -> IDToken {
        let claims = Self.good.merging(change.compactMapValues { $0 }) { $1 }
            .filter { change[$0.key, default: .null] != nil }
        var rules = IDTokenRules(issuers: ["https://a.example", "a.example"], clientID: "app")
        rules.trustedAudiences = ["server"]
        rules.serverClientID = server
        let context = IDTokenContext(
            channel: .tokenEndpoint, nonce: Secret("right-nonce"), accessToken: accessToken.map(Secret.init),
            code: code.map(Secret.init))
        return try rules.check(try Self.token(header, .object(claims)), in: context, now: Self.now)
    }

    private static func token(_ header: AuthJSON, _ claims: AuthJSON) throws -> Secret {
        let parts = try [header, claims].map { Base64URL.encode(try JSONEncoder().encode($0)) }
        return Secret(parts.joined(separator: ".") + ".c2ln")
    }

    @Test(
        arguments: [
            [:], ["iss": "a.example"], ["aud": ["app"]], ["azp": "app"], ["aud": ["app", "server"], "azp": "app"],
            ["iat": 1_799_990_000, "exp": 1_799_999_941],
            ["exp": .number(1_800_000_000.5)], ["iat": 1_800_000_600, "exp": 1_800_000_900],
            ["iat": 1_799_900_000], ["sub": .string(String(repeating: "s", count: 255))], ["unknown": [1, 2]],
        ] as [[String: AuthJSON?]])
    func tokenThatKeepsTheRulesIsTaken(change: [String: AuthJSON?]) throws {
        #expect(try check(change).token.reveal().hasSuffix(".c2ln"))
    }

    /// A `nil` takes the claim away.
    @Test(
        arguments: [
            (["iss": "https://b.example"], .issuerMismatch), (["iss": nil], .issuerMismatch),
            (["iss": "https://a.example/"], .issuerMismatch), (["iss": ["https://a.example"]], .issuerMismatch),
            (["aud": "other"], .invalidIDToken), (["aud": nil], .invalidIDToken), (["aud": []], .invalidIDToken),
            (["aud": ["other"]], .invalidIDToken), (["aud": ["app", "stranger"], "azp": "app"], .invalidIDToken),
            (["aud": ["app", 7], "azp": "app"], .invalidIDToken), (["aud": ["app", "server"]], .invalidIDToken),
            (["azp": "other"], .invalidIDToken), (["azp": 7], .invalidIDToken),
            (["aud": ["app", "server"], "azp": "server"], .invalidIDToken),
            (["iat": 1_799_990_000, "exp": 1_799_999_940], .invalidIDToken), (["exp": nil], .invalidIDToken),
            (["exp": "later"], .invalidIDToken),
            (["iat": 1_800_000_601], .invalidIDToken), (["iat": nil], .invalidIDToken),
            (["iat": 1_800_000_500, "exp": 1_800_000_400], .invalidIDToken),
            (["nonce": "wrong-nonce"], .nonceMismatch), (["nonce": nil], .nonceMismatch),
            (["nonce": .null], .nonceMismatch),
            (["sub": nil], .invalidIDToken), (["sub": ""], .invalidIDToken), (["sub": 1001], .invalidIDToken),
            (["sub": "김"], .invalidIDToken), (["sub": .string(String(repeating: "s", count: 256))], .invalidIDToken),
        ] as [([String: AuthJSON?], AuthError.Code)])
    func tokenThatBreaksARuleIsRefused(change: [String: AuthJSON?], code: AuthError.Code) throws {
        let error = try #require(#expect(throws: AuthError.self) { try check(change) })
        #expect(error.code == code)
        expectNoLeak(of: ["right-nonce", "wrong-nonce", "1001"], in: error)
    }

    /// With a server of the app's, its token is taken where this client asked for it; this client's own still is.
    @Test(
        arguments: [
            ["aud": "own-server", "azp": "app"], ["aud": ["own-server"], "azp": "app"], ["aud": "app"],
            ["aud": "app", "azp": "app"],
        ] as [[String: AuthJSON?]])
    func tokenForTheServerIsTakenFromThisClient(change: [String: AuthJSON?]) throws {
        #expect(try check(change, server: "own-server").subject == "1001")
    }

    @Test(
        arguments: [
            ["aud": "own-server"], ["aud": "own-server", "azp": "other"], ["aud": "own-server", "azp": "own-server"],
            ["aud": "own-server", "azp": 7], ["aud": "own-server", "azp": ["app"]], ["aud": "other", "azp": "app"],
            ["aud": "app", "azp": "own-server"], ["aud": ["own-server", "other"], "azp": "app"],
            ["aud": ["own-server", "app"], "azp": "app"], ["aud": ["own-server", "own-server"], "azp": "app"],
            ["aud": "own-server.evil", "azp": "app"], ["aud": nil, "azp": "app"], ["aud": [], "azp": "app"],
        ] as [[String: AuthJSON?]])
    func tokenForTheServerOrAnotherThatThisClientDidNotAskForIsRefused(change: [String: AuthJSON?]) throws {
        let error = try #require(throws: AuthError.self) { try check(change, server: "own-server") }
        #expect(error.code == .invalidIDToken)
    }

    @Test func tokenForAServerIsRefusedWhereNoneIsNamed() {
        #expect(throws: AuthError.self) { try check(["aud": "own-server", "azp": "app"]) }
    }

    @Test(
        arguments: [
            ["alg": "none"], ["alg": "HS256"], ["alg": "HS512"], ["alg": "rs256"], [:], ["alg": .null],
            ["alg": "ES256K"], ["alg": "ES521"], ["alg": "Ed448"], ["alg": "eddsa"],
            ["alg": "RS256", "crit": ["exp"]],
        ] as [AuthJSON])
    func unexpectedAlgorithmIsRefused(header: AuthJSON) {
        #expect(throws: AuthError.self) { try check(header: header) }
    }

    @Test(arguments: JWSAlgorithm.allCases)
    func everyAlgorithmIsAllowedUnlessItIsLeftOut(algorithm: JWSAlgorithm) throws {
        _ = try check(header: ["alg": .string(algorithm.rawValue)])
        var rules = IDTokenRules(issuers: ["https://a.example"], clientID: "app")
        rules.algorithms.remove(algorithm)
        let token = try Self.token(["alg": .string(algorithm.rawValue)], .object(Self.good))
        let error = #expect(throws: AuthError.self) {
            try rules.check(token, in: IDTokenContext(channel: .tokenEndpoint, nonce: nil), now: Self.now)
        }
        let names = JWSAlgorithm.allCases.filter { $0 != algorithm }.map(\.rawValue).joined(separator: ", ")
        #expect(error?.explanation.hasSuffix("an algorithm that is allowed here: \(names).") == true)
    }

    @Test func textThatIsNoTokenIsRefused() {
        for text in ["", "a.b", "a.b.c", "e30.e30.c2ln.x.y", "....", "e30.W10.c2ln"] {
            let error = #expect(throws: AuthError.self) {
                try IDTokenRules(issuers: ["a"], clientID: "app").check(
                    Secret(text), in: IDTokenContext(channel: .tokenEndpoint, nonce: nil), now: Self.now)
            }
            #expect(error?.code == .invalidIDToken)
        }
    }

    /// The value of OpenID Connect Core appendix A.3.
    @Test func hashesOfTokenAndCodeMustFitWherePresent() throws {
        let (token, hash) = ("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", "77QmUPtjPfzWtF2AnpK9RQ")
        for claim in ["at_hash", "c_hash"] {
            _ = try check([claim: .string(hash)], accessToken: token, code: token)
            _ = try check([claim: .string("other")])
            #expect(throws: AuthError.self) { try check([claim: "other"], accessToken: token, code: token) }
            #expect(throws: AuthError.self) { try check([claim: 7], accessToken: token, code: token) }
        }
    }

    /// OpenID Connect Core section 3.1.3.6: the hash is that of the signature's algorithm. EdDSA hashes with SHA-512.
    @Test(.enabled(if: Signatures.isAvailable), arguments: JWSAlgorithm.allCases)
    func hashIsThatOfTheAlgorithm(algorithm: JWSAlgorithm) throws {
        let token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
        let hashes = [
            "256": "77QmUPtjPfzWtF2AnpK9RQ", "384": "jtAeDp945y1dDqU3nkIVGNZP1HjH_MFs",
            "512": "q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM",
        ]
        for (bits, hash) in hashes {
            let isRight = algorithm.rawValue.hasSuffix(bits) || algorithm == .edDSA && bits == "512"
            for claim in ["at_hash", "c_hash"] {
                func check() throws {
                    _ = try self.check(
                        [claim: .string(hash)], header: ["alg": .string(algorithm.rawValue)],
                        accessToken: claim == "at_hash" ? token : nil, code: claim == "c_hash" ? token : nil)
                }
                if isRight { try check() } else { #expect(throws: AuthError.self) { try check() } }
            }
        }
    }

    /// Without a library there is no SHA-512. TLS authenticates the token endpoint; nothing does so in the browser.
    @Test(.enabled(if: !Signatures.isAvailable)) func hashThatTheSystemLacksIsCheckedOnlyInTheBrowser() throws {
        let token = try Self.token(["alg": "ES512"], .object(Self.good.merging(["at_hash": "other"]) { $1 }))
        func check(_ channel: IDTokenContext.Channel) throws {
            let context = IDTokenContext(channel: channel, nonce: nil, accessToken: Secret("access"))
            _ = try IDTokenRules(issuers: ["https://a.example"], clientID: "app").check(
                token, in: context, now: Self.now)
        }
        try check(.tokenEndpoint)
        let error = #expect(throws: AuthError.self) { try check(.browser) }
        #expect(error?.code == .misconfigured)
    }

    /// What came through the browser with the token must be what the issuer signed (sections 3.2.2.9 and 3.3.2.11).
    @Test func hashesAreRequiredThroughTheBrowser() throws {
        let (value, hash) = (Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"), "77QmUPtjPfzWtF2AnpK9RQ")
        func check(_ claims: [String: AuthJSON], accessToken: Secret? = nil, code: Secret? = nil) throws {
            let context = IDTokenContext(
                channel: .browser, nonce: Secret("right-nonce"), accessToken: accessToken, code: code)
            let token = try Self.token(["alg": "RS256"], .object(Self.good.merging(claims) { $1 }))
            _ = try IDTokenRules(issuers: ["https://a.example"], clientID: "app").check(
                token, in: context, now: Self.now)
        }
        try check([:])
        try check(["c_hash": .string(hash)], code: value)
        try check(["at_hash": .string(hash)], accessToken: value)
        for claims in [[:], ["c_hash": .null], ["c_hash": ""], ["at_hash": .string(hash)]] as [[String: AuthJSON]] {
            let error = try #require(throws: AuthError.self) { try check(claims, code: value) }
            #expect(error.code == .invalidIDToken && error.explanation.contains("c_hash"))
        }
        let error = try #require(throws: AuthError.self) { try check(["c_hash": .string(hash)], accessToken: value) }
        #expect(error.code == .invalidIDToken && error.explanation.contains("at_hash"))
    }

    // MARK: Rules 12 and 13, and other kinds of tokens

    private func check(
        _ changes: [String: AuthJSON], header: AuthJSON = ["alg": "RS256"], maximumAge: Duration? = nil,
        acceptedACRs: Set<String> = [], elapsed: Duration = .zero, sharedSecret: Secret? = nil,
        channel: IDTokenContext.Channel = .tokenEndpoint
    ) throws -> IDToken {
        var context = IDTokenContext(channel: channel, nonce: Secret("right-nonce"))
        context.elapsed = elapsed
        context.maximumAge = maximumAge
        context.acceptedACRs = acceptedACRs
        var rules = IDTokenRules(issuers: ["https://a.example"], clientID: "app")
        rules.sharedSecret = sharedSecret
        let claims = Self.good.merging(changes) { $1 }
        return try rules.check(try Self.token(header, .object(claims)), in: context, now: Self.now)
    }

    @Test(
        arguments: [(-60, true), (-360, true), (-361, false), (-7200, false), (600, true), (601, false), (nil, false)]
            as [(Int64?, Bool)])
    func logInIsNoOlderThanWasAskedFor(seconds: Int64?, isTaken: Bool) throws {
        let changes: [String: AuthJSON] = seconds.map { ["auth_time": .integer(1_800_000_000 + $0)] } ?? [:]
        if isTaken {
            _ = try check(changes, maximumAge: .seconds(300))
        } else {
            let error = #expect(throws: AuthError.self) { try check(changes, maximumAge: .seconds(300)) }
            #expect(error?.code == .invalidIDToken && error?.explanation.contains("auth_time") == true)
        }
        _ = try check(changes)
    }

    /// The person may log in as soon as the page is shown, and leave it open.
    @Test(arguments: [(-160, true), (-161, false)] as [(Int64, Bool)])
    func timeOnThePageDoesNotCount(seconds: Int64, isTaken: Bool) throws {
        let changes: [String: AuthJSON] = ["auth_time": .integer(1_800_000_000 + seconds)]
        for age in [Duration.zero, .seconds(-5)] {
            let result = Result { try check(changes, maximumAge: age, elapsed: .seconds(100)) }
            #expect(((try? result.get()) != nil) == isTaken)
        }
    }

    /// Rule 8: HS256 only where the client's secret signs, of one audience, from the token endpoint.
    @Test func sharedSecretSignsOnlyWhereItIsRegistered() throws {
        let (header, secret): (AuthJSON, Secret) = (["alg": "HS256"], Secret("s"))
        _ = try check([:], header: header, sharedSecret: secret)
        _ = try check(["aud": ["app"]], header: header, sharedSecret: secret)
        for refused in [
            { try check([:], header: header) },
            { try check([:], header: header, sharedSecret: secret, channel: .browser) },
            { try check(["aud": ["app", "app"]], header: header, sharedSecret: secret) },
            { try check([:], header: ["alg": "HS512"], sharedSecret: secret) },
            { try check([:], header: ["alg": "none"], sharedSecret: secret) },
        ] {
            let error = #expect(throws: AuthError.self) { try refused() }
            #expect(error?.code == .invalidIDToken)
        }
    }

    @Test(arguments: [("gold", true), ("silver", true), ("bronze", false), (nil, false)] as [(String?, Bool)])
    func methodOfTheLogInIsOneThatWasAskedFor(acr: String?, isTaken: Bool) throws {
        let changes: [String: AuthJSON] = acr.map { ["acr": .string($0)] } ?? [:]
        if isTaken {
            _ = try check(changes, acceptedACRs: ["gold", "silver"])
        } else {
            let error = #expect(throws: AuthError.self) { try check(changes, acceptedACRs: ["gold", "silver"]) }
            #expect(error?.code == .invalidIDToken)
        }
        _ = try check(changes)
    }

    @Test(
        arguments: [("JWT", true), ("jwt", true), (nil, true), ("at+jwt", false), ("Logout+JWT", false)]
            as [(String?, Bool)])
    func tokenOfAnotherKindIsRefused(type: String?, isTaken: Bool) throws {
        var header: [String: AuthJSON] = ["alg": "RS256"]
        header["typ"] = type.map { .string($0) }
        if isTaken {
            _ = try check([:], header: .object(header))
        } else {
            #expect(throws: AuthError.self) { try check([:], header: .object(header)) }
        }
    }
}
