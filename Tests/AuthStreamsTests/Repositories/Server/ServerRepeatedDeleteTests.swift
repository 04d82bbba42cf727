import AuthStreams
import Foundation
import Testing

/// A DELETE that arrives twice, because the system has repeated it: the answer is that to the second copy.
@Suite struct ServerRepeatedDeleteTests {
    private typealias Fixture = ServerFixture

    /// What servers answer that find nothing to delete.
    private static let nothing: [AuthHTTPResponse] = [
        .page(status: 404), .json("{}", status: 410), .problem(nil, status: 404),
    ]
    private static let isUnlinked = AuthHTTPResponse.json(#"{"user":{"id":"u1","providers":[{"id":"google.com"}]}}"#)
    private static let isLinked = AuthHTTPResponse.json(#"{"user":{"id":"u1","providers":[{"id":"kakao"}]}}"#)

    @Test(arguments: nothing) func anIdentityThatIsGoneWasUnlinked(answer: AuthHTTPResponse) async throws {
        let transport = AnsweringTransport([answer, Self.isUnlinked])
        let session = try await Fixture.repository(transport).unlink(.kakao, from: Fixture.session)
        #expect(session.user.providers.map(\.id) == [.google])
        #expect(session.accessToken == Fixture.session.accessToken)
        #expect(transport.requests.last?.line == "GET https://api.example.com/v1/auth/user")
    }

    @Test(arguments: nothing, [isLinked, Fixture.signedIn, .page(status: 404), .problem("server-error", status: 500)])
    func anIdentityThatIsThereWasNot(answer: AuthHTTPResponse, user: AuthHTTPResponse) async throws {
        let repository = Fixture.repository(AnsweringTransport([answer, user]))
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.unlink(.kakao, from: Fixture.session)
        }
        #expect([.misconfigured, .invalidResponse].contains(error.code))
    }

    @Test(arguments: nothing) func aUserWhoIsGoneWasDeleted(answer: AuthHTTPResponse) async throws {
        let gone = AuthHTTPResponse.problem("user-not-found", status: 404)
        let repository = Fixture.repository(AnsweringTransport([answer, gone]))
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.deleteAccount(Fixture.session)
        }
        #expect(error.code == .userNotFound)
    }

    @Test(arguments: nothing) func aUserWhoIsThereWasNot(answer: AuthHTTPResponse) async throws {
        let repository = Fixture.repository(AnsweringTransport([answer, Self.isLinked]))
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.deleteAccount(Fixture.session)
        }
        #expect([.misconfigured, .invalidResponse].contains(error.code))
    }

    @Test func aServerThatCannotReadTheUserIsNotAsked() async throws {
        var contract = ServerContract()
        contract.reload = nil
        let transport = AnsweringTransport([.page(status: 404)])
        let repository = Fixture.repository(transport, contract)
        _ = try await serverFailure { () throws(AuthError) in try await repository.deleteAccount(Fixture.session) }
        #expect(transport.requests.count == 1)
    }
}
