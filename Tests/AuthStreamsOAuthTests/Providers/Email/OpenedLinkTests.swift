import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Links in mails that open the app one after another, and mails that the server does not send yet.
@Suite struct OpenedLinkTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let continueURL = URL(literal: "https://app.example/signed-in")

    private let clock = ManualClock()
    private let store = FaultySessionStore()
    private let credentials = Lock([Credential]())

    /// A service whose server sends mails as the test says.
    private func service(
        sending prepare: @escaping @Sendable () throws -> Void = {}
    ) -> (auth: AuthService, repository: ScriptedRepository) {
        var account = ScriptedAccount()
        account.prepare = { _, _ in
            try prepare()
            return .null
        }
        let repository = ScriptedRepository(
            establish: { [credentials] credential in
                credentials.withLock { $0.append(credential) }
                var session = ScriptedRepository.session(of: credential)
                session.user = AuthUser(id: credential.address ?? "?", providers: [.init(id: .emailLink)])
                return session
            }, account: account)
        let (callbacks, authClock) = (CallbackRouter(), clock.authClock(startingAt: Self.start))
        let auth = AuthService(
            repository: repository,
            providers: [EmailLinkProvider(continueURL: Self.continueURL, callbacks: callbacks, clock: authClock)],
            store: store, callbacks: callbacks, clock: authClock)
        return (auth, repository)
    }

    private func signIn(_ auth: AuthService) -> Task<AuthUser, any Error> {
        Task { try await auth.signIn(with: .emailLink, AuthRequest(loginHint: "ada@example.com")).value.user }
    }

    private func link(_ code: String) -> URL {
        Self.continueURL.appending(queryItems: [.init(name: "code", value: code)])
    }

    /// The next event of one of these kinds.
    private func next(
        _ kinds: AuthEvent.Kind..., of events: inout AuthEvents.AsyncIterator
    ) async -> AuthEvent.Kind? {
        while let event = await events.next() {
            if kinds.contains(event.kind) { return event.kind }
        }
        return nil
    }

    /// The address is of an attempt that does not wait any more, and names no user.
    @Test func aRecordThatStaysBehindBlocksNoLaterLink() async throws {
        let (auth, _) = service()
        var view = PromptView(auth)
        let attempt = signIn(auth)
        let prompt = try #require(await view.prompt())
        store.fail(.remove, of: .notes)
        store.fail(.write, of: .notes)
        prompt.cancel()
        let error = await #expect(throws: AuthError.self) { try await attempt.value }
        #expect(error?.code == .cancelled)
        store.heal()
        #expect(Notes(try await store.read(.notes).data).part(.link, as: AuthJSON.self) != nil, "It stays behind.")
        var events = auth.events.makeAsyncIterator()
        #expect(auth.handle(link("1")))
        #expect(await next(.callbackIgnored, .signInStarted, of: &events) == .signInStarted)
        let question = try #require(await view.prompt())
        #expect(question.kind == .address)
        #expect(Notes(try await store.read(.notes).data).part(.link, as: AuthJSON.self) == nil)
        question.address?.submit("ada@example.com")
        #expect(await next(.signInSucceeded, .signInFailed, of: &events) == .signInSucceeded)
        #expect(credentials.withLock { $0.map(\.isBound) } == [false], "The person may have been sent it.")
    }

    /// The person opens the newest mail while the app asks for the address of an earlier one.
    @Test func aLaterLinkTakesThePlaceOfTheOneThatAsks() async throws {
        let (auth, repository) = service()
        var view = PromptView(auth)
        #expect(auth.handle(link("1")))
        let first = try #require(await view.prompt())
        #expect(first.kind == .address)
        var events = auth.events.makeAsyncIterator()
        #expect(auth.handle(link("2")))
        #expect(await next(.callbackIgnored, .signInStarted, .attemptAbandoned, of: &events) == .signInStarted)
        let second = try #require(await view.prompt())
        #expect(await next(.signInSucceeded, .signInFailed, of: &events) == .signInFailed, "The first is superseded.")
        #expect(second.kind == .address && second.id != first.id && !first.isOpen && second.isOpen)
        first.address?.submit("eve@example.com")
        second.address?.submit("ada@example.com")
        #expect(await next(.signInSucceeded, .signInFailed, of: &events) == .signInSucceeded)
        #expect(auth.user?.id == "ada@example.com" && repository.calls == [.signIn(.emailLink)])
        #expect(credentials.withLock { $0.map { $0.authorizationCode?.code } } == [Secret("2")])
    }

    @Test func aMailThatIsNotSentYetIsOfferedAfterTheServersPause() async throws {
        let sent = Lock(0)
        let (auth, repository) = service {
            let number = sent.withLock { sent in
                sent += 1
                return sent
            }
            if number == 2 { throw AuthError(.rateLimited, "Later.", retryAfter: .seconds(20)) }
        }
        var view = PromptView(auth)
        let attempt = signIn(auth)
        let first = try #require(await view.prompt())
        #expect(first.resendableAt == Self.start.addingTimeInterval(60))
        clock.advance(by: .seconds(60))
        first.link?.resend()
        let again = try #require(await view.prompt())
        #expect(again.kind == .link && again.id == first.id && again.failure?.code == .rateLimited)
        #expect(again.resendableAt == Self.start.addingTimeInterval(80))
        clock.advance(by: .seconds(20))
        again.link?.resend()
        let third = try #require(await view.prompt())
        #expect(third.failure == nil && third.resendableAt == Self.start.addingTimeInterval(140))
        #expect(sent.withLock { $0 } == 3)
        #expect(auth.handle(link("3")))
        #expect(try await attempt.value.id == "ada@example.com")
        #expect(repository.calls.filter { $0 == .signIn(.emailLink) }.count == 1)
    }
}
