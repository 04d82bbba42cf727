import AuthStreams
import Foundation
import Testing

/// Mails with a link that a server of your own sends: before a sign-in, and for a change of an account.
@Suite struct ServerMailTests {
    private static let link = Preparation.emailLink(
        to: "minji@example.com", continueURL: URL(literal: "https://example.com/open"))

    private func repository(_ transport: AnsweringTransport) -> ServerRepository {
        ServerFixture.repository(transport, ServerContract(offering: [.emailLinks]))
    }

    /// The app does not tell who has an account.
    @Test func withoutASessionAnUnknownAddressIsNoError() async throws {
        let transport = AnsweringTransport([.problem("/p/user-not-found", status: 404)])
        #expect(try await repository(transport).prepare(Self.link, in: nil) == .null)
        let request = try #require(transport.requests.first)
        #expect(request.line == "POST https://api.example.com/v1/auth/email-link")
        #expect(request.headers[.authorization] == nil)
    }

    /// The person adds an address to their account, and the server mails it for them alone.
    @Test func inASessionItsAccessTokenIsSent() async throws {
        let transport = AnsweringTransport([AuthHTTPResponse(status: 204)])
        #expect(try await repository(transport).prepare(Self.link, in: ServerFixture.session) == .null)
        let request = try #require(transport.requests.first)
        #expect(request.headers[.authorization] == "Bearer old+access")
        #expect(request.json == ["email": "minji@example.com", "continueURL": "https://example.com/open"])
    }

    /// The user of the session is gone.
    @Test func inASessionAnUnknownUserIsAnError() async throws {
        let transport = AnsweringTransport([.problem("/p/user-not-found", status: 404)])
        let repository = repository(transport)
        let error = try await serverFailure { () throws(AuthError) in
            _ = try await repository.prepare(Self.link, in: ServerFixture.session)
        }
        #expect(error.code == .userNotFound && error.provider == .emailLink)
    }
}
