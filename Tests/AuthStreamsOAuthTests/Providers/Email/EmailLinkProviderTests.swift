import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Sign-in by a link in a mail: opened here, after a launch, on another device, twice, late.
@Suite struct EmailLinkProviderTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let continueURL = URL(literal: "https://app.example/signed-in")
    private static let link = URL(literal: "https://app.example/signed-in?mode=signIn&oobCode=S3CRET-1&lang=ko")

    /// An app, whose process ends and begins anew.
    private struct App: Sendable {
        let clock = ManualClock()
        let store = MemorySessionStore()
        let credentials = Lock([Credential]())
        let sent = Lock([Preparation]())
        var failure: AuthError?

        func launch() -> AuthService {
            var account = ScriptedAccount()
            account.prepare = { [sent] preparation, session in
                if let failure { throw failure }
                sent.withLock { $0.append(preparation) }
                return .null
            }
            account.link = { [credentials] credential, session in
                credentials.withLock { $0.append(credential) }
                return session
            }
            let repository = ScriptedRepository(
                establish: { [credentials] credential in
                    credentials.withLock { $0.append(credential) }
                    guard credential.authorizationCode?.code == Secret("S3CRET-1") else {
                        return ScriptedRepository.session(of: credential)
                    }
                    var session = ScriptedRepository.session(of: credential)
                    session.user = AuthUser(id: credential.address ?? "?", providers: [.init(id: .emailLink)])
                    return session
                }, account: account)
            let callbacks = CallbackRouter()
            let authClock = clock.authClock(startingAt: EmailLinkProviderTests.start)
            return AuthService(
                repository: repository,
                providers: [
                    EmailLinkProvider(continueURL: continueURL, callbacks: callbacks, clock: authClock),
                    ScriptedProvider(.kakao),
                ],
                store: store, callbacks: callbacks, clock: authClock)
        }

        /// The stored address; `nil` if there is none.
        func storedLink() async throws -> String? {
            struct Record: Decodable {
                let address: String
            }
            let record: Record? = Notes(try await store.read(.notes).data).part(.link)
            return record?.address
        }
    }

    private func signIn(_ auth: AuthService) -> Task<AuthUser, any Error> {
        Task { try await auth.signIn(with: .emailLink, AuthRequest(loginHint: "ada@example.com")).value.user }
    }

    private func event(_ kind: AuthEvent.Kind, of events: inout AuthEvents.AsyncIterator) async {
        while let event = await events.next(), event.kind != kind {}
    }

    @Test func theLinkContinuesTheAttempt() async throws {
        let app = App()
        let auth = app.launch()
        var view = PromptView(auth)
        let attempt = signIn(auth)
        let prompt = try #require(await view.prompt())
        #expect(prompt.link?.address == "ada@example.com" && prompt.kind == .link)
        #expect(auth.state == .signingIn(.emailLink, .waitingForAnswer))
        #expect(try await app.storedLink() == "ada@example.com")
        #expect(!auth.handle(URL(literal: "https://app.example/other?oobCode=1")))
        #expect(auth.handle(Self.link))
        #expect(try await attempt.value.id == "ada@example.com")
        let credential = try #require(app.credentials.withLock { $0.first })
        #expect(credential.authorizationCode?.code == Secret("S3CRET-1") && credential.isBound)
        #expect(app.sent.withLock { $0 } == [.emailLink(to: "ada@example.com", continueURL: Self.continueURL)])
        #expect(try await app.storedLink() == nil, "It is used once.")
        #expect(!"\(credential)\(String(reflecting: credential))".contains("S3CRET"))
    }

    @Test func itNeedsNoPresenter() async throws {
        let app = App()
        let auth = app.launch()
        var states = auth.states.makeAsyncIterator()
        let attempt = signIn(auth)
        while let state = await states.next(), state != .signingIn(.emailLink, .waitingForAnswer) {}
        await app.clock.waitForSleepers(count: 3)
        app.clock.advance(by: .seconds(5))
        #expect(auth.handle(Self.link))
        #expect(try await attempt.value.id == "ada@example.com")
    }

    /// Firebase's link opens the app by another URL, which has the link in its query.
    @Test func theCodeStandsInTheLinkInTheQuery() async throws {
        let callbacks = CallbackRouter()
        let domain = URL(literal: "https://app.web.app/__/auth/links")
        let provider = EmailLinkProvider(continueURL: Self.continueURL, linkURL: domain, callbacks: callbacks)
        let auth = AuthService(
            repository: ScriptedRepository(), providers: [provider], store: MemorySessionStore(), callbacks: callbacks)
        var view = PromptView(auth)
        let attempt = signIn(auth)
        _ = await view.prompt()
        #expect(!callbacks.handle(domain), "Without a code it is no answer.")
        let inner = "https%3A%2F%2Fapp.firebaseapp.com%2F__%2Fauth%2Faction%3Fmode%3DsignIn%26oobCode%3DA1"
        #expect(auth.handle(try #require(URL(string: "https://app.web.app/__/auth/links?link=\(inner)"))))
        _ = try await attempt.value
    }

    @Test func withoutAnAddressThePersonIsAskedForIt() async throws {
        let app = App()
        let auth = app.launch()
        var view = PromptView(auth)
        let attempt = Task { try await auth.signIn(with: .emailLink).value.user }
        let prompt = try #require(await view.prompt())
        prompt.address?.submit("no address")
        let again = try #require(await view.prompt())
        #expect(again.kind == .address && again.failure?.code == .invalidInput)
        again.address?.submit(" ada@example.com ")
        #expect(try #require(await view.prompt()).link?.address == "ada@example.com")
        auth.handle(Self.link)
        #expect(try await attempt.value.id == "ada@example.com")
    }

    @Test func anotherMailIsSentAfterAMinute() async throws {
        let app = App()
        let auth = app.launch()
        var view = PromptView(auth)
        let attempt = signIn(auth)
        let first = try #require(await view.prompt())
        #expect(first.resendableAt == Self.start.addingTimeInterval(60))
        first.link?.resend()
        let early = try #require(await view.prompt())
        #expect(early.failure?.code == .rateLimited)
        app.clock.advance(by: .seconds(60))
        early.link?.resend()
        let second = try #require(await view.prompt())
        #expect(second.failure == nil && app.sent.withLock { $0.count } == 2)
        auth.handle(Self.link)
        _ = try await attempt.value
    }

    @Test func thePersonsCancelForgetsTheAddress() async throws {
        let app = App()
        let auth = app.launch()
        var view = PromptView(auth)
        let attempt = signIn(auth)
        try #require(await view.prompt()).cancel()
        let error = await #expect(throws: AuthError.self) { try await attempt.value }
        #expect(error?.code == .cancelled)
        #expect(try await app.storedLink() == nil)
    }

    @Test func aMailThatCannotBeSentEndsTheAttempt() async throws {
        var app = App()
        app.failure = AuthError(.misconfigured, "The continue URL is not allowed.")
        let auth = app.launch()
        let error = await #expect(throws: AuthError.self) { try await signIn(auth).value }
        #expect(error?.code == .misconfigured && error?.provider == .emailLink)
        #expect(try await app.storedLink() == nil)
    }

    @Test func afterADayTheAttemptEnds() async throws {
        let app = App()
        let auth = app.launch()
        var view = PromptView(auth)
        let attempt = signIn(auth)
        _ = await view.prompt()
        await app.clock.waitForSleepers(count: 2)
        app.clock.advance(by: .seconds(86_400))
        let error = await #expect(throws: AuthError.self) { try await attempt.value }
        #expect(error?.code == .timedOut)
    }

    /// The app was opened at the same place without a code, or by a mail for something else.
    @Test(arguments: ["", "?mode=resetPassword&oobCode=S3CRET-1", "?oobCode="])
    func anotherURLAtItsPlaceLeavesTheAttemptAlone(query: String) async throws {
        let app = App()
        let auth = app.launch()
        _ = try await auth.signIn(with: .kakao).value
        var view = PromptView(auth)
        let attempt = Task { try await auth.link(with: .emailLink, AuthRequest(loginHint: "ada@example.com")).value }
        _ = await view.prompt()
        var events = auth.events.makeAsyncIterator()
        #expect(auth.handle(try #require(URL(string: Self.continueURL.absoluteString + query))))
        await event(.callbackIgnored, of: &events)
        #expect(try await app.storedLink() == "ada@example.com")
        #expect(auth.handle(Self.link))
        #expect(try await attempt.value.id == "kakao:1001")
    }

    // MARK: After the app was ended

    /// A link of one user's account is resumed for that user alone.
    @Test(arguments: [true, false]) func aResumedLinkIsAddedToItsUserAlone(isSame: Bool) async throws {
        let app = App()
        var auth: AuthService? = app.launch()
        _ = try await auth?.signIn(with: .kakao).value
        var steps = auth?.events.makeAsyncIterator()
        let linking = Task { [auth] in
            try await auth?.link(with: .emailLink, AuthRequest(loginHint: "ada@example.com")).value
        }
        while let event = await steps?.next(), event.attempt?.step != .waitingForAnswer {}
        let notes = try await app.store.read(.notes)
        linking.cancel()
        _ = await linking.result
        if !isSame { try await auth?.signOut() }
        auth = nil
        let now = try await app.store.read(.notes)
        _ = try await app.store.write(notes.data, for: .notes, replacing: now.version)
        let next = app.launch()
        var events = next.events.makeAsyncIterator()
        #expect(next.handle(Self.link))
        await event(isSame ? .changeSucceeded : .attemptAbandoned, of: &events)
        #expect((app.credentials.withLock { $0.last?.provider } == .emailLink) == isSame)
        #expect(next.user?.id == (isSame ? "kakao:1001" : nil))
    }

    /// The process ends while the person reads the mail.
    private func endWhileWaiting(_ app: App) async throws {
        var auth: AuthService? = app.launch()
        let attempt = signIn(try #require(auth))
        var states = try #require(auth).states.makeAsyncIterator()
        while let state = await states.next(), state != .signingIn(.emailLink, .waitingForAnswer) {}
        let notes = try await app.store.read(.notes)
        attempt.cancel()
        _ = await attempt.result
        auth = nil
        // As the process left it.
        let now = try await app.store.read(.notes)
        _ = try await app.store.write(notes.data, for: .notes, replacing: now.version)
    }

    @Test func theLinkThatLaunchesTheAppSignsIn() async throws {
        let app = App()
        try await endWhileWaiting(app)
        let auth = app.launch()
        #expect(auth.handle(Self.link))
        var users = auth.states.users.makeAsyncIterator()
        while let user = await users.next(), user == nil {}
        #expect(auth.user?.id == "ada@example.com")
        #expect(app.credentials.withLock { $0.last?.isBound } == true)
        #expect(try await app.storedLink() == nil)
    }

    @Test func aLinkOfTheDayBeforeAsksForTheAddress() async throws {
        let app = App()
        try await endWhileWaiting(app)
        app.clock.advance(by: .seconds(86_401))
        let auth = app.launch()
        var view = PromptView(auth)
        #expect(auth.handle(Self.link))
        #expect(try #require(await view.prompt()).kind == .address)
    }

    @Test func onAnotherDeviceThePersonIsAskedForTheAddress() async throws {
        let app = App()
        let auth = app.launch()
        var view = PromptView(auth)
        #expect(auth.handle(Self.link))
        let prompt = try #require(await view.prompt())
        prompt.address?.submit("ada@example.com")
        var users = auth.states.users.makeAsyncIterator()
        while let user = await users.next(), user == nil {}
        #expect(auth.user?.id == "ada@example.com")
        #expect(app.credentials.withLock { $0.last?.isBound } == false, "It may be another person's link.")
    }

    @Test func aSecondTimeItIsIgnoredWhileAUserIsSignedIn() async throws {
        let app = App()
        let auth = app.launch()
        var view = PromptView(auth)
        let attempt = signIn(auth)
        _ = await view.prompt()
        auth.handle(Self.link)
        _ = try await attempt.value
        var events = auth.events.makeAsyncIterator()
        #expect(auth.handle(Self.link))
        await event(.callbackIgnored, of: &events)
        #expect(auth.user?.id == "ada@example.com" && app.credentials.withLock { $0.count } == 1)
    }

    /// The person has signed in otherwise since.
    @Test func aSignInTakesThePlaceOfTheLink() async throws {
        let app = App()
        try await endWhileWaiting(app)
        let auth = app.launch()
        _ = try await auth.signIn(with: .kakao).value
        #expect(try await app.storedLink() == nil)
        var events = auth.events.makeAsyncIterator()
        #expect(auth.handle(Self.link))
        await event(.callbackIgnored, of: &events)
        #expect(auth.user?.id == "kakao:1001")
    }

    @Test func aLinkIsAddedToTheUser() async throws {
        let app = App()
        let auth = app.launch()
        _ = try await auth.signIn(with: .kakao).value
        var view = PromptView(auth)
        let attempt = Task { try await auth.link(with: .emailLink, AuthRequest(loginHint: "ada@example.com")).value }
        _ = await view.prompt()
        #expect(auth.handle(Self.link))
        #expect(try await attempt.value.id == "kakao:1001")
        #expect(app.credentials.withLock { $0.last?.address } == "ada@example.com")
    }
}
