import AuthStreams
import AuthStreamsTesting
import Testing

/// The tokens that doubles make unless a test gives its own.
@Suite struct ScriptedTokensTests {
    /// RFC 6750 section 2.1: `b64token`. Otherwise no request with the token is valid.
    @Test func everyTokenCanBeSentAsABearerToken() async throws {
        let credential = try await ScriptedProvider(.kakao).authenticate(AuthRequest()).value
        let repository = ScriptedRepository()
        let sessions = [
            ScriptedRepository.session(of: credential), ScriptedAccount.anonymous("1"),
            try await repository.signIn(with: credential), try await repository.signInAnonymously(),
            try await repository.adopt(AdoptableSession(refreshToken: Secret("other"))),
        ]
        let tokens = [credential.idToken] + sessions.flatMap { [$0.accessToken, $0.refreshToken] }
        for token in tokens {
            let text = try #require(token).reveal()
            #expect(text.wholeMatch(of: /[A-Za-z0-9\-._~+\/]+=*/) != nil, "\(text)")
        }
    }
}
