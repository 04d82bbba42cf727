import AuthStreams
import Foundation
import Testing

@Suite struct JSONWebTokenTests {
    private func token(_ header: String, _ claims: String, _ signature: String = "c2ln") -> Secret {
        Secret("\(Base64URL.encode(Data(header.utf8))).\(Base64URL.encode(Data(claims.utf8))).\(signature)")
    }

    @Test func claimsAreReadAsTheyStand() throws {
        let jwt = try #require(
            JSONWebToken(
                token(
                    #"{"alg": "RS256"}"#,
                    #"{"sub": "1", "exp": 9007199254740993, "email_verified": "true", "aud": ["a"]}"#)))
        #expect(jwt.header["alg"] == "RS256")
        #expect(jwt.claims["exp"]?.lenientInteger == 9_007_199_254_740_993)
        #expect(jwt.claims["email_verified"]?.lenientBool == true)
        #expect(jwt.claims["aud"] == ["a"])
        #expect(jwt.claims["nonce"] == nil)
    }

    @Test(arguments: [
        "", "..", "e30.e30", "e30.e30.x.y", "e30..x", ".e30.x", "e30=.e30.x", "bm8.e30.x", "W10.e30.x", "e30.W10.x",
    ])
    func whatIsNoTokenIsNil(text: String) {
        #expect(JSONWebToken(Secret(text)) == nil)
    }

    @Test func unsignedTokenIsReadToo() {
        #expect(JSONWebToken(token("{}", "{}", "")) != nil)
    }
}
