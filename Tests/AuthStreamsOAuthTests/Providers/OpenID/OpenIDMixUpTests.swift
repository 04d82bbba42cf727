import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

/// Two issuers whose attempts wait at once, and a callback that mixes them up: RFC 9207 section 2.4, RFC 9700 section
/// 4.4.2, RFC 8252 section 8.10.
@MainActor
@Suite(.limitedParallelization) struct OpenIDMixUpTests {
    /// One issuer, and an attempt at it that waits for its callback.
    private struct Attempt {
        let issuer: String
        let redirectURI: String
        let transport: ScriptedTransport
        let task: Task<Credential, any Error>
        let state: String

        @MainActor
        init(realm: String, redirectURI: String, callbacks: CallbackRouter) async throws {
            (issuer, self.redirectURI) = ("https://id.example/realms/\(realm)", redirectURI)
            var fixture = OpenIDFixture()
            fixture.issuer = issuer
            fixture.metadataPath = "/realms/\(realm)/.well-known/openid-configuration"
            fixture.metadata = ["issuer": .string(issuer)]
            fixture.claims = ["iss": .string(issuer), "sub": .string("person of \(realm)")]
            fixture.redirect = .redirect(try url(redirectURI))
            let (transport, opener) = (fixture.transport, ScriptedOpener())
            let provider = fixture.provider(
                agent: SystemBrowser(opener: opener, callbacks: callbacks), transport: transport)
            self.transport = transport
            task = Task { try await provider.authenticate().value }
            let page = try #require(
                await opener.first.value()?.query(percentEncoded: true).flatMap { FormCoding.decode($0) })
            state = try #require(page.first { $0.name == "state" }?.value)
        }

        /// A callback to this attempt's redirect URI.
        func callback(state: String, issuer: String) throws -> URL {
            let fields = FormCoding.encode([("code", "c"), ("state", state), ("iss", issuer)])
            return try url("\(redirectURI)?\(fields)")
        }

        var hasRedeemed: Bool { transport.requests.contains { $0.method == .post } }
    }

    /// The issuer that the request went to is kept with the attempt: no code of one reaches the other's token endpoint.
    @Test func callbackThatNamesTheOtherIssuerEndsTheAttempt() async throws {
        let callbacks = CallbackRouter()
        let place = "com.example.app:/callback"
        let one = try await Attempt(realm: "one", redirectURI: place, callbacks: callbacks)
        let two = try await Attempt(realm: "two", redirectURI: place, callbacks: callbacks)
        for (attempt, other) in [(one, two), (two, one)] {
            #expect(callbacks.handle(try attempt.callback(state: attempt.state, issuer: other.issuer)))
            let error = await #expect(throws: AuthError.self) { try await attempt.task.value }
            #expect(error?.code == .issuerMismatch && !attempt.hasRedeemed)
        }
    }

    /// With a redirect URI of its own for each issuer, the other's callback is no answer, whatever it names.
    @Test func callbackWithTheOtherStateIsNoAnswer() async throws {
        let callbacks = CallbackRouter()
        let one = try await Attempt(realm: "one", redirectURI: "com.example.app:/one", callbacks: callbacks)
        let two = try await Attempt(realm: "two", redirectURI: "com.example.app:/two", callbacks: callbacks)
        for (attempt, other) in [(one, two), (two, one)] {
            for issuer in [attempt.issuer, other.issuer] {
                #expect(!callbacks.handle(try attempt.callback(state: other.state, issuer: issuer)))
            }
            #expect(!attempt.hasRedeemed)
        }
        for (attempt, person) in [(one, "person of one"), (two, "person of two")] {
            #expect(callbacks.handle(try attempt.callback(state: attempt.state, issuer: attempt.issuer)))
            #expect(try await attempt.task.value.userID == person)
        }
    }
}
