import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct AuthServiceTests {
    private func service(
        _ providers: [any AuthProvider] = [ScriptedProvider(.kakao)], store: any SessionStore = MemorySessionStore(),
        callbacks: CallbackRouter = CallbackRouter()
    ) -> AuthService {
        AuthService(repository: ScriptedRepository(), providers: providers, store: store, callbacks: callbacks)
    }

    @Test func signingInMakesAUserAndAState() async throws {
        let auth = service()
        let user = try await auth.signIn(with: .kakao).value.user
        #expect(user.id == "kakao:1001")
        #expect(auth.state == .signedIn(user, .verified))
    }

    @Test func theLoopOverTheStatesSeesTheWholeStory() async throws {
        let auth = service()
        var states = auth.states.makeAsyncIterator()
        while await states.next() != .signedOut(nil) {}
        let user = try await auth.signIn(with: .kakao).value.user
        try await auth.signOut()
        var story: [AuthState] = []
        while story.last != .signedOut(.user), let state = await states.next() { story.append(state) }
        #expect(
            story == [
                .signingIn(.kakao, .presenting), .signingIn(.kakao, .establishingSession), .signedIn(user, .verified),
                .signedOut(.user),
            ])
    }

    @Test func aCancelledTaskSignsOutAllTheSame() async throws {
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        await inCancelledTask { try? await auth.signOut() }
        #expect(auth.state == .signedOut(.user))
    }

    @Test func makingASignInStreamStartsNothing() async {
        let auth = service()
        var states = auth.states.makeAsyncIterator()
        while await states.next() != .signedOut(nil) {}
        _ = auth.signIn(with: .kakao)
        #expect(auth.state == .signedOut(nil))
    }

    /// Otherwise, of two taps the first could be the one that counts.
    @MainActor
    @Test func aSignInBeginsOnTheActorOfItsCaller() async {
        let answer = Promise<Credential>()
        let auth = service([
            ScriptedProvider(.kakao) { _ in
                guard let credential = await answer.value() else { throw CancellationError() }
                return credential
            }
        ])
        var states = auth.states.makeAsyncIterator()
        while await states.next() != .signedOut(nil) {}
        let signIn = Task { await auth.signIn(with: .kakao).result }
        #expect(await Task { auth.state }.value == .signingIn(.kakao, .presenting))
        signIn.cancel()
        _ = await signIn.value
    }

    @MainActor
    @Test func aChangeBeginsOnTheActorOfItsCaller() async throws {
        let auth = service([ScriptedProvider(.kakao), ScriptedProvider(.google)])
        _ = try await auth.signIn(with: .kakao).value
        for _ in 1...200 {
            var events = auth.events.makeAsyncIterator()
            let changes = [ProviderID.google, .kakao].map { id in Task { await auth.link(with: id).result } }
            var event = await events.next()
            while let present = event, present.kind != .changeStarted { event = await events.next() }
            #expect(event?.provider == .google)
            for change in changes { _ = await change.value }
        }
    }

    @Test func aProviderThatWasNotConfiguredIsNamed() async {
        let error = await outcome(of: service().signIn(with: .naver))?.error
        #expect(error?.code == .unsupportedProvider)
        #expect(error?.provider == .naver)
    }

    @Test func aSessionOutlivesTheService() async throws {
        let store = MemorySessionStore()
        _ = try await service(store: store).signIn(with: .kakao).value
        var states = service(store: store).states.makeAsyncIterator()
        _ = await states.next()
        // The second service is gone by now; its readers still get what it had decided.
        let later = service(store: store)
        var laterStates = later.states.makeAsyncIterator()
        while let state = await laterStates.next() {
            guard case .restoring = state else {
                #expect(state == .signedIn(AuthUser(id: "kakao:1001"), .cached))
                break
            }
        }
    }

    @Test func aURLNobodyWaitsForIsNotOursAndIsReported() async throws {
        let auth = service()
        var events = auth.events.makeAsyncIterator()
        #expect(try !auth.handle(#require(URL(string: "kakaoKEY://oauth?code=stray"))))
        while let event = await events.next(), event.kind != .callbackIgnored {}
    }

    @Test func aURLThatAnAttemptWaitsForIsOurs() async throws {
        let callbacks = CallbackRouter()
        let url = try #require(URL(string: "kakaoKEY://oauth?code=c"))
        let expectation = callbacks.expect { $0 == url }
        #expect(service(callbacks: callbacks).handle(url))
        #expect(await expectation.callback() == url)
    }

    // MARK: Lifetime

    @Test func aWaitingReaderDoesNotKeepTheServiceAlive() async {
        var auth: AuthService? = service()
        weak let gone = auth
        guard let states = auth?.states else { return }
        let reader = Task { for await _ in states {} }
        auth = nil
        #expect(gone == nil)
        await reader.value
    }

    @Test func aSignInUnderWayKeepsTheServiceAliveUntilItEnds() async {
        let (reached, gate) = (Promise<Void>(), Promise<Void>())
        let provider = ScriptedProvider(.kakao) { _ in
            reached.resolve(())
            _ = await gate.value()
            return Credential(provider: .kakao, userID: "1001")
        }
        var auth: AuthService? = service([provider])
        weak let gone = auth
        guard let stream = auth?.signIn(with: .kakao), var states = auth?.states.makeAsyncIterator() else { return }
        let signingIn = Task { await outcome(of: stream) }
        _ = await reached.value()
        auth = nil
        #expect(gone != nil, "It takes the callback, for one.")
        gate.resolve(())
        #expect(await signingIn.value?.error == nil)
        #expect(gone == nil, "The stream does not keep it, only the attempt.")
        withExtendedLifetime(stream) {}
        while await states.next() != nil {}
    }

    @Test func aServiceThatWaitsForALockedStoreIsReleased() async {
        let store = FaultySessionStore()
        store.lock()
        var auth: AuthService? = service(store: store)
        weak let gone = auth
        guard var states = auth?.states.makeAsyncIterator() else { return }
        while await states.next() != .restoring(.waitingForUnlock) {}
        auth = nil
        #expect(gone == nil)
        #expect(await states.next() == nil)
    }

    /// A store that stays locked, and says how the wait for it ended.
    private struct LockedStore: SessionStore {
        let wasCancelled = Promise<Bool>()

        func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
            throw AuthError(.storageLocked, "Locked.")
        }
        func write(
            _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
        ) async throws(AuthError) -> RecordVersion? {
            throw AuthError(.storageLocked, "Locked.")
        }
        func waitUntilUnlocked() async {
            _ = await Promise<Never>().value()
            wasCancelled.resolve(Task.isCancelled)
        }
    }

    @Test func releasingTheServiceEndsItsWaitForTheStore() async {
        let store = LockedStore()
        var auth: AuthService? = service(store: store)
        guard var states = auth?.states.makeAsyncIterator() else { return }
        while await states.next() != .restoring(.waitingForUnlock) {}
        auth = nil
        #expect(await store.wasCancelled.value() == true)
    }
}
