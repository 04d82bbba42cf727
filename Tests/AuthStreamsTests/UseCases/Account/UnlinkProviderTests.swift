import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

@Suite struct UnlinkProviderTests: AccountSuite {
    @Test func unlinkingTakesTheIdentityAway() async throws {
        let (auth, repository) = try await signedIn()
        _ = try await auth.link(with: .naver).value
        let user = try await auth.unlink(.kakao).value
        #expect(user.providers.map(\.id) == [.naver])
        #expect(auth.state == .signedIn(user, .verified))
        #expect(later(repository) == [.link(.naver), .unlink(.kakao)])
    }

    @Test func lastWayInIsNeverTaken() async throws {
        let (auth, repository) = try await signedIn()
        let error = await auth.unlink(.kakao).result.error
        #expect(error?.code == .lastProvider)
        #expect(error?.provider == .kakao)
        #expect(later(repository).isEmpty, "Not even asked.")
    }

    @Test func severalIdentitiesOfOneProviderAreOneWayIn() async throws {
        var account = ScriptedAccount()
        account.link = { credential, session in
            var session = session
            session.user.providers.append(AuthUser.LinkedProvider(id: credential.provider, userID: "2"))
            return session
        }
        let (auth, _) = try await signedIn(account)
        _ = try await auth.link(with: .kakao).value
        #expect(await auth.unlink(.kakao).result.error?.code == .lastProvider)
    }

    @Test func identityThatTheyHaveNotIsSaidBeforeAnyRequest() async throws {
        let (auth, repository) = try await signedIn()
        #expect(await auth.unlink(.apple).result.error?.code == .unsupportedProvider)
        #expect(later(repository).isEmpty)
        try await auth.signOut()
        _ = try await auth.signInAnonymously().value
        let before = repository.calls
        #expect(await auth.unlink(.kakao).result.error?.code == .unsupportedProvider)
        #expect(repository.calls == before)
    }

    @Test func identitiesThatTheServerTellsMeanwhileCount() async throws {
        let clock = ManualClock()
        let begin = Date(timeIntervalSince1970: 1_000_000)
        var account = ScriptedAccount()
        account.refresh = { session in
            // Elsewhere they unlinked the other one.
            var session = session
            session.user.providers.removeAll { $0.id == .naver }
            session.accessToken = Secret("next")
            session.expiresAt = nil
            return session
        }
        let (auth, repository) = try await signedIn(
            account, clock: clock.authClock(startingAt: begin), expiresAt: begin.addingTimeInterval(60))
        _ = try await auth.link(with: .naver).value
        clock.advance(by: .seconds(120))
        #expect(await auth.unlink(.kakao).result.error?.code == .lastProvider)
        #expect(!repository.calls.contains(.unlink(.kakao)))
    }

    /// The request shows nothing but the access token, so only that can be what was refused.
    @Test func tokenThatTheServerRefusesIsRefreshedOnceAndTheRequestRepeatedOnce() async throws {
        var account = ScriptedAccount()
        account.refresh = { session in
            var session = session
            session.accessToken = Secret("next")
            return session
        }
        account.unlink = { provider, session in
            guard session.accessToken == Secret("next") else { throw AuthError(.invalidCredential, "Over.") }
            var session = session
            session.user.providers.removeAll { $0.id == provider }
            return session
        }
        let (auth, repository) = try await signedIn(account)
        _ = try await auth.link(with: .naver).value
        #expect(try await auth.unlink(.naver).value.providers.map(\.id) == [.kakao])
        #expect(
            later(repository) == [.link(.naver), .unlink(.naver), .refresh("kakao:1001"), .unlink(.naver)])
    }

    @Test func tokenThatIsRefusedForEverIsNotTriedForEver() async throws {
        var account = ScriptedAccount()
        account.unlink = { _, _ in throw AuthError(.invalidCredential, "Over.") }
        let (auth, repository) = try await signedIn(account)
        _ = try await auth.link(with: .naver).value
        #expect(await auth.unlink(.naver).result.error?.code == .invalidCredential)
        #expect(repository.calls.count { $0 == .unlink(.naver) } == 2)
        #expect(auth.user != nil)
    }

    @Test func serverThatWantsAFreshSignInGetsOneAndThenTheSameAgain() async throws {
        let isRecent = Lock(false)
        var account = ScriptedAccount()
        account.unlink = { _, session in
            guard isRecent.withLock({ $0 }) else { throw AuthError(.requiresRecentSignIn, "Too long ago.") }
            return session
        }
        account.reauthenticate = { session, _ in
            isRecent.withLock { $0 = true }
            return session
        }
        let (auth, _) = try await signedIn(account)
        _ = try await auth.link(with: .naver).value
        #expect(await auth.unlink(.naver).result.error?.code == .requiresRecentSignIn)
        _ = try await auth.reauthenticate().value
        #expect(await auth.unlink(.naver).result.error == nil)
    }
}
