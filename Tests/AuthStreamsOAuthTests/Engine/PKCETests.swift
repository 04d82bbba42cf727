import AuthStreams
import AuthStreamsOAuth
import Testing

@Suite struct PKCETests {
    /// RFC 7636 appendix B.
    @Test func challengeIsThatOfTheSpecification() {
        let key = PKCE(verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    /// RFC 7636 section 4.1: 43 to 128 characters of the unreserved set; section 4.2: the challenge has no padding.
    @Test func verifierAndChallengeKeepToTheAlphabetOfTheStandard() {
        for _ in 0..<64 {
            let key = AuthorizationSecrets().proofKey
            #expect(key.verifier.reveal().wholeMatch(of: /[A-Za-z0-9\-._~]{43,128}/) != nil)
            #expect(key.challenge.wholeMatch(of: /[A-Za-z0-9\-_]{43}/) != nil)
        }
    }

    @Test func everyAttemptMakesItsOwnSecrets() {
        let (one, other) = (AuthorizationSecrets(), AuthorizationSecrets())
        let values = [one, other].flatMap { [$0.state, $0.nonce, $0.proofKey.verifier] }
        #expect(Set(values).count == 6)
        #expect(values.allSatisfy { $0.reveal().utf8.count == 43 })
    }

    @Test func secretsComeFromTheGeneratorThatIsHandedIn() {
        var (one, other) = (Counter(), Counter())
        let (a, b) = (AuthorizationSecrets(using: &one), AuthorizationSecrets(using: &other))
        #expect(a.state == b.state && a.nonce == b.nonce && a.proofKey.verifier == b.proofKey.verifier)
        #expect(Set([a.state, a.nonce, a.proofKey.verifier]).count == 3)
    }

    private struct Counter: RandomNumberGenerator {
        private var value: UInt64 = 0

        mutating func next() -> UInt64 {
            value &+= 0x9E37_79B9_7F4A_7C15
            return value
        }
    }
}
