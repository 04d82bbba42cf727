import AuthStreams
import AuthStreamsOAuth
import Testing

@Suite struct PKCETests {
    /// RFC 7636 appendix B.
    @Test func challengeIsThatOfTheSpecification() {
        let key = PKCE(verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
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
