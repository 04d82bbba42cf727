import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// A session whose store fails at launch, or whose device's clock is set back: the service recovers without a call of the
/// app.
@Suite struct AuthServiceLaunchTests {
    private static let ada = AuthSession.sample(user: "ada")
    private let clock = ManualClock()
    private let store = FaultySessionStore()
    /// How far the device's clock was moved by hand.
    private let shift = Lock<TimeInterval>(0)

    private var time: AuthClock {
        AuthClock(clock) { [clock, shift] in
            RefreshScene.noon.addingTimeInterval(clock.now.offset / .seconds(1) + shift.withLock { $0 })
        }
    }

    private func service(_ repository: any AuthRepository, adoption: SessionAdoption? = nil) -> AuthService {
        AuthService(
            repository: repository, providers: [ScriptedProvider(.kakao)], store: store, callbacks: CallbackRouter(),
            clock: time,
            adoption: adoption)
    }

    // MARK: A store that fails

    @Test func aStoreThatFailsTwiceAtLaunchSignsInByItself() async throws {
        try await store.write(SessionRecord(Self.ada).data(), for: .session)
        store.fail(.read, times: 2)
        let auth = service(ScriptedRepository())
        #expect(try await story(of: auth) == [.restoring(.reading), .signedIn(Self.ada.user, .cached)])
    }

    @Test func storeThatFailsTwiceAtLaunchKeepsNothingFromBeingAdopted() async throws {
        store.fail(.read, times: 2)
        let repository = ScriptedRepository(adopt: { _ in Self.ada })
        let adoptable = AdoptableSession(refreshToken: Secret("old"))
        let auth = service(repository, adoption: SessionAdoption(find: { adoptable }))
        let story = try await story(of: auth)
        #expect(story == [.restoring(.reading), .restoring(.adopting), .signedIn(Self.ada.user, .verified)])
        #expect(repository.calls == [.adopt])
    }

    @Test func whoAsksForATokenDuringAHitchShowsNobodyTheWayToSignIn() async throws {
        try await store.write(SessionRecord(Self.ada).data(), for: .session)
        store.fail(.read, times: 2)
        let auth = service(ScriptedRepository())
        await clock.waitForSleepers(count: 1)
        await #expect(throws: AuthError.self) { try await auth.accessToken() }
        #expect(auth.state == .restoring(.reading))
    }

    @Test func aHitchWhileTheMarkIsReadShowsNobodyTheWayToSignIn() async throws {
        let hold = store.hold(.read)
        let adoptable = AdoptableSession(refreshToken: Secret("old"))
        let auth = service(ScriptedRepository(adopt: { _ in Self.ada }), adoption: SessionAdoption(find: { adoptable }))
        var states = auth.states.makeAsyncIterator()
        await hold.reached()
        let second = store.hold(.read)
        hold.release()
        await second.reached()
        store.fail(.read, times: 1)
        second.release()
        await clock.waitForSleepers(count: 1)
        clock.advanceToNextSleeper()
        var story: [AuthState] = []
        while story.last?.user == nil, let state = await states.next() { story.append(state) }
        #expect(!story.contains { $0.isSignedOut })
    }

    /// What a screen shows until a user is signed in, after two failures.
    private func story(of auth: AuthService) async throws -> [AuthState] {
        var states = auth.states.makeAsyncIterator()
        for _ in 0..<2 {
            await clock.waitForSleepers(count: 1)
            try #require(clock.advanceToNextSleeper() != nil)
        }
        var story: [AuthState] = []
        while story.last?.user == nil, let state = await states.next() { story.append(state) }
        return story
    }

    // MARK: A device's clock that is set back

    @Test func aClockThatIsSetBackMeanwhileChangesNothing() async throws {
        let server = RotatingServer(clock: time)
        let auth = service(server)
        let user = try await auth.signIn(with: .kakao).value.user
        shift.withLock { $0 = -86_400 }
        #expect(try await auth.accessToken() == Secret("a1"))
        clock.advance(by: .seconds(3600))
        #expect(try await auth.accessToken() == Secret("a2"))
        #expect(server.sent == ["r1"])
        #expect(auth.state == .signedIn(user, .verified))
    }

    @Test func aTokenThatIsFromTheFutureAtLaunchIsRefreshedOnce() async throws {
        let server = RotatingServer(clock: time)
        let user = try await service(server).signIn(with: .kakao).value.user
        shift.withLock { $0 = -86_400 }
        do {
            let auth = service(server)
            #expect(try await auth.accessToken() == Secret("a2"))
            #expect(auth.user == user)
        }
        // The record that the wrong clock wrote is consistent until the clock is corrected.
        #expect(try await service(server).accessToken() == Secret("a2"))
        shift.withLock { $0 = 0 }
        let auth = service(server)
        #expect(try await auth.accessToken() == Secret("a3"))
        #expect(auth.user == user)
        #expect(server.sent == ["r1", "r2"])
    }
}
