import AuthStreams
import Foundation
import TestSupport
import Testing

/// The server's refusal of a change, and what is needed to continue.
@Suite struct ServerConflictTests {
    private func problem(_ type: String, _ members: String = "", status: Int = 409) -> AuthHTTPResponse {
        .json(
            #"{"type":"https://e.example/p/\#(type)","status":\#(status)\#(members)}"#, status: status,
            headers: [.contentType: "application/problem+json"])
    }

    @Test(arguments: ["account-exists", "credential-in-use"])
    func aConflictCarriesWhatTheServerSaysAndWhatCanStillBeUsed(type: String) async throws {
        let members = #","email":"a@b.example","providers":["kakao",7,"","line"]"#
        let error = try #require(await ServerChange.link.error(after: problem(type, members)))
        #expect(error.serverCode == type)
        let conflict = try #require(error.conflict)
        #expect(conflict.email == "a@b.example")
        #expect(conflict.providers == [.kakao, "line"])
        // Its codes have been redeemed; the ID token is good for minutes.
        var expected = ServerFixture.credential
        (expected.authorizationCode, expected.serverAuthCode) = (nil, nil)
        #expect(conflict.credential == expected)
        #expect(try await ServerOperation.signIn.error(after: problem(type, members))?.conflict == conflict)
    }

    @Test func whatWasACodeAloneCannotBeUsedAgain() async throws {
        let naver = Credential(provider: .naver, authorizationCode: .init(code: Secret("c"), state: Secret("s")))
        let repository = ServerFixture.repository(AnsweringTransport([problem("account-exists")]))
        let error = try await serverFailure { () throws(AuthError) in try await repository.signIn(with: naver) }
        #expect(error.conflict == AuthConflict())
    }

    @Test(arguments: ["", #","email":7,"providers":"kakao""#]) func membersThatMakeNoSenseAreLeftOut(
        members: String
    ) async throws {
        let conflict = await ServerChange.link.error(after: problem("credential-in-use", members))?.conflict
        #expect(conflict?.email == nil && conflict?.providers == [])
        #expect(conflict?.credential != nil)
    }

    @Test func theirNamesAreConfiguration() async throws {
        var contract = ServerContract()
        (contract.conflict.email, contract.conflict.providers) = ("mail", "ways")
        let answer = problem("account-exists", #","mail":"a@b.example","ways":["naver"]"#)
        let conflict = try await ServerOperation.signIn.error(after: answer, contract)?.conflict
        #expect(conflict?.email == "a@b.example" && conflict?.providers == [.naver])
    }

    @Test func noOtherErrorHasAConflict() async throws {
        for type in ["invalid-credential", "last-provider", "requires-recent-sign-in", "user-disabled"] {
            let error = try #require(await ServerChange.link.error(after: problem(type, #","email":"a@b.example""#)))
            #expect(error.conflict == nil)
        }
    }

    @Test(arguments: [
        ("last-provider", AuthError.Code.lastProvider), ("requires-recent-sign-in", .requiresRecentSignIn),
        ("user-not-found", .userNotFound), ("session-revoked", .sessionExpired), ("access-denied", .accessDenied),
    ])
    func aTypeMeansTheSameAtEveryChange(type: String, code: AuthError.Code) async throws {
        for change in ServerChange.allCases { #expect(await change.error(after: problem(type))?.code == code) }
    }

    @Test(arguments: ServerChange.allCases) func theStatusOfAnUntypedProblemDecides(change: ServerChange) async throws {
        let untyped = { (status: Int) in await change.error(after: .problem(nil, status: status))?.code }
        let conflicts: [ServerChange] = [.link, .reauthenticate]
        #expect(await untyped(409) == (conflicts.contains(change) ? .credentialInUse : .invalidResponse))
        #expect(await untyped(401) == .invalidCredential)
        #expect(await untyped(403) == .accessDenied)
        #expect(await untyped(404) == .misconfigured)
        #expect(await untyped(410) == .invalidResponse)
        #expect(await untyped(429) == .rateLimited)
        #expect(await untyped(503) == .server)
    }

    /// Only the server ends a session, and an expired access token does not.
    @Test(arguments: ServerChange.allCases, ServerProblemTests.strangers.indices)
    func onlyTheServersOwnWordEndsASession(change: ServerChange, index: Int) async throws {
        for status in Array(300...599) {
            guard let error = await change.error(after: ServerProblemTests.strangers[index].1(status)) else { continue }
            #expect(!ServerProblemTests.definite.contains(error.code), "\(status)")
        }
    }

    /// It is not asked again, and says what to do.
    @Test(arguments: ServerChange.allCases.filter { $0 != .anonymous })
    func a401ForEverIsOneRequestEach(change: ServerChange) async throws {
        let answer = problem("invalid-access-token", status: 401)
        let transport = AnsweringTransport([answer, answer])
        let repository = ServerFixture.repository(transport)
        for count in 1...2 {
            let error = try await serverFailure { () throws(AuthError) in try await change.run(repository) }
            #expect(error.code == .invalidCredential)
            #expect(error.serverCode == "invalid-access-token")
            #expect(transport.requests.count == count)
        }
    }

    @Test(arguments: ServerChange.allCases) func noErrorPrintsAConflictOrASecret(change: ServerChange) async throws {
        let members = #","email":"minji@private.example","providers":["old+access"],"detail":"old+refresh""#
        for type in ["credential-in-use", "account-exists"] {
            let error = try #require(await change.error(after: problem(type, members)))
            let printed = everythingPrinted(of: error)
            for secret in ServerFixture.secrets + ["minji@private.example"] { #expect(!printed.contains(secret)) }
        }
    }
}
