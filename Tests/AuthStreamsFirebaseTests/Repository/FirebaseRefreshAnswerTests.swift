import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

/// Answers to a refresh that are not what the protocol says: none ends the session, none is half taken.
@Suite struct FirebaseRefreshAnswerTests {
    private func repository(_ answer: AuthHTTPResponse) -> FirebaseRepository {
        FirebaseRepository(project: Fixture.project, transport: ScriptedTransport(answer), clock: Fixture.clock)
    }

    private func answer(
        _ more: String, idToken: String = Fixture.idToken(), headers: [HeaderName: String] = [:]
    ) -> AuthHTTPResponse {
        .json(#"{"id_token":"\#(idToken)"\#(more)}"#, headers: headers)
    }

    /// An hour is what the ID token itself says, by `exp` − `iat`, where the answer says no number.
    @Test(arguments: [
        ("", 3600), (#","expires_in":"1800""#, 1800), (#","expires_in":1800"#, 1800), (#","expires_in":0"#, 0),
        (#","expires_in":-1800"#, 0), (#","expires_in":"-1""#, 0), (#","expires_in":"""#, 3600),
        (#","expires_in":"soon""#, 3600), (#","expires_in":1e300"#, 31_536_000),
        (#","expires_in":9223372036854775807"#, 31_536_000),
        (#","expires_in":"9223372036854775808""#, 31_536_000), (#","expires_in":null"#, 3600),
        (#","expires_in":[]"#, 3600), (#","expires_in":1700000000"#, 31_536_000), (#","expires_in":"300.0""#, 300),
        (#","expires_in":"2026-01-01T00:00:00Z""#, 3600),
    ])
    func expiryCountsFromNowWhateverTheAnswerSays(more: String, seconds: Int) async throws {
        let session = try await repository(answer(more)).refresh(Fixture.session)
        #expect(session.expiresAt == Fixture.now.addingTimeInterval(TimeInterval(seconds)))
    }

    /// The server's clock is another: both moments are over by the device's, and the token is good all the same.
    @Test func anExpiryInThePastIsAnotherClocks() async throws {
        let token = Fixture.idToken(["iat": 1_000_000_000, "exp": 1_000_003_600])
        let session = try await repository(answer("", idToken: token)).refresh(Fixture.session)
        #expect(session.expiresAt == Fixture.now.addingTimeInterval(3600))
        let backwards = Fixture.idToken(["iat": 1_000_003_600, "exp": 1_000_000_000])
        #expect(try await repository(answer("", idToken: backwards)).refresh(Fixture.session).expiresAt == nil)
    }

    @Test func theServersClockIsTold() async throws {
        let date: [HeaderName: String] = [.date: "Sun, 06 Nov 1994 08:49:37 GMT"]
        let session = try await repository(answer("", headers: date)).refresh(Fixture.session)
        #expect(session.issuedAt == Date(timeIntervalSince1970: 784_111_777))
        for headers in [[:], [.date: "yesterday"]] as [[HeaderName: String]] {
            #expect(try await repository(answer("", headers: headers)).refresh(Fixture.session).issuedAt == nil)
        }
    }

    @Test(arguments: ["", #","refresh_token":"""#, #","refresh_token":null"#])
    func withoutARefreshTokenTheOldOneGoesOn(more: String) async throws {
        let session = try await repository(answer(more)).refresh(Fixture.session)
        #expect(session.refreshToken == Fixture.session.refreshToken)
    }

    @Test(arguments: [#","refresh_token":7"#, #","refresh_token":"next\r\n""#])
    func aRefreshTokenThatIsNoTokenIsRefused(more: String) async throws {
        let error = await #expect(throws: AuthError.self) {
            try await repository(answer(more)).refresh(Fixture.session)
        }
        #expect(error?.code == .invalidResponse && error?.explanation.contains("'refresh_token'") == true)
    }

    @Test(arguments: [
        // Another user, by either of them.
        #"{"id_token":"\#(Fixture.idToken(of: "uid-2"))","user_id":"uid-2"}"#,
        #"{"id_token":"\#(Fixture.idToken())","user_id":"uid-2"}"#,
        #"{"id_token":"\#(Fixture.idToken(of: "uid-2"))","user_id":"uid-1"}"#,
        // An error in a success, with any other members.
        #"{"error":{"code":400,"message":"TOKEN_EXPIRED"}}"#, #"{"error":"invalid_grant"}"#,
        #"{"id_token":"\#(Fixture.idToken())","refresh_token":"next","error":{"message":"USER_DISABLED"}}"#,
        #"{"id_token":"opaque"}"#, #"{"refresh_token":"next"}"#, "{}",
    ])
    func anAnswerThatCannotBeIsNoSessionAndNoEnd(body: String) async throws {
        let repository = repository(.json(body))
        let error = try await failure { () throws(AuthError) in try await repository.refresh(Fixture.session) }
        #expect(error.code == .invalidResponse)
    }

    @Test func anErrorMemberThatIsNullIsNone() async throws {
        #expect(try await repository(answer(#","error":null"#)).refresh(Fixture.session).user.id == "uid-1")
    }

    @Test func aLostAnswerMayBeAskedForAgain() {
        #expect(repository(.json("{}")).refreshTokenRule == .reusable)
    }
}
