import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

@Suite struct SignInAnonymouslyTests: AccountSuite {
    @Test func attemptShowsItsStepAndEndsWithAUser() async throws {
        let (auth, _) = service()
        var states = auth.states.makeAsyncIterator()
        while await states.next() != .signedOut(nil) {}
        let user = try await auth.signInAnonymously().value.user
        #expect(user.isAnonymous)
        #expect(await states.next() == .signingIn(.anonymous, .establishingSession))
        #expect(await states.next() == .signedIn(user, .verified))
    }

    @Test func itSupersedesTheSignInUnderWay() async throws {
        let kakao = StandingProvider(id: .kakao)
        let (auth, _) = service(providers: [kakao])
        let signingIn = Task { await auth.signIn(with: .kakao).result }
        _ = await kakao.reached.value()
        #expect(await auth.signInAnonymously().result.error == nil)
        #expect(await signingIn.value.error?.code == .superseded)
    }

    /// There would be no way to sign in as them again.
    @Test func anonymousUserIsNotReplacedByAnother() async throws {
        var account = ScriptedAccount()
        account.signInAnonymously = {
            var session = ScriptedRepository.session(of: Credential(provider: .anonymous, userID: "1"))
            session.user.isAnonymous = true
            session.isNewUser = true
            return session
        }
        let (auth, repository) = service(account)
        let first = try await auth.signInAnonymously().value
        let again = try await auth.signInAnonymously().value
        #expect(first.isNewUser && again.user == first.user && !again.isNewUser)
        #expect(repository.calls == [.signInAnonymously])
    }

    @Test func anonymousUserOfTheLastLaunchIsWaitedFor() async throws {
        let store = FaultySessionStore()
        let user = try await service(store: store).auth.signInAnonymously().value.user
        let hold = store.hold(.read)
        let (auth, repository) = service(store: store)
        let signingIn = Task { await auth.signInAnonymously().result }
        await hold.reached()
        hold.release()
        #expect(try await signingIn.value.get().user == user)
        #expect(repository.calls.isEmpty)
    }

    @Test func lastingUserOfTheLastLaunchIsReplacedOnlyOnceKnown() async throws {
        let store = FaultySessionStore()
        _ = try await signedIn(store: store)
        store.fail(.read)
        let (auth, repository) = service(store: store)
        #expect(await auth.signInAnonymously().result.error?.code == .storage)
        #expect(repository.calls.isEmpty)
        store.heal()
        #expect(try await auth.signInAnonymously().value.user.isAnonymous)
    }

    @Test func repositoryWithoutAWaySaysSo() async throws {
        struct Plain: AuthRepository {
            func accepts(_ provider: ProviderID) -> Bool { true }
            func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
                ScriptedRepository.session(of: credential)
            }
            func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession { session }
            func signOut(_ session: AuthSession) async throws(AuthError) {}
            func deleteAccount(_ session: AuthSession) async throws(AuthError) {}
        }
        let auth = AuthService(
            repository: Plain(), providers: [], store: MemorySessionStore(), callbacks: CallbackRouter())
        #expect(await auth.signInAnonymously().result.error?.code == .unsupportedProvider)
        var states = auth.states.makeAsyncIterator()
        while await states.next() == .restoring(.reading) {}
        #expect(auth.state == .signedOut(nil))
    }
}
