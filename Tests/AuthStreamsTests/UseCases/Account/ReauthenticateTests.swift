import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

@Suite struct ReauthenticateTests: AccountSuite {
    private func recording(_ id: ProviderID, _ asked: Lock<[AuthRequest]>) -> ScriptedProvider {
        ScriptedProvider(id) { request in
            asked.withLock { $0.append(request) }
            return Credential(provider: id, idToken: Secret("token"), userID: "1001", isBound: true)
        }
    }

    @Test func whoSignedInIsAskedThereAgain() async throws {
        let asked = Lock<[AuthRequest]>([])
        let (auth, repository) = try await signedIn(providers: [unaskedProvider(.naver), recording(.kakao, asked)])
        let user = try await auth.reauthenticate().value
        #expect(user.id == "kakao:1001")
        #expect(asked.withLock { $0.map(\.purpose) } == [.reauthenticate])
        #expect(asked.withLock { $0.map(\.loginHint) } == ["ada@kakao"], "The address that they have there.")
        #expect(later(repository) == [.reauthenticate(.kakao)])
        #expect(auth.state == .signedIn(user, .verified))
    }

    @Test func hintOfTheRequestComesFirst() async throws {
        let asked = Lock<[AuthRequest]>([])
        let (auth, _) = try await signedIn(providers: [recording(.kakao, asked)])
        _ = try await auth.reauthenticate(AuthRequest(loginHint: "bob@example.com")).value
        #expect(asked.withLock { $0.map(\.loginHint) } == ["bob@example.com"])
    }

    @Test func anotherIdentityOfTheirsIsAskedWhereTheFirstIsNotConfigured() async throws {
        let asked = Lock<[AuthRequest]>([])
        var account = ScriptedAccount()
        account.refresh = { session in
            var session = session
            session.user.providers.append(AuthUser.LinkedProvider(id: .naver))
            return session
        }
        let (auth, repository) = try await signedIn(account, providers: [recording(.naver, asked)])
        #expect(await auth.reauthenticate().result.error?.code == .unsupportedProvider)
        _ = try await auth.accessToken(forceRefresh: true)
        _ = try await auth.reauthenticate().value
        #expect(repository.calls.last == .reauthenticate(.naver))
    }

    @Test func namedProviderIsAskedAndNoOther() async throws {
        let asked = Lock<[AuthRequest]>([])
        let (auth, repository) = try await signedIn(providers: [unaskedProvider(.kakao), recording(.naver, asked)])
        _ = try await auth.reauthenticate(with: .naver).value
        #expect(later(repository) == [.reauthenticate(.naver)])
        #expect(await auth.reauthenticate(with: .apple).result.error?.code == .unsupportedProvider)
    }

    /// A provider whose answer any app can imitate, such as one of the app's own that is not bound either.
    @Test func answerThatIsNotBoundProvesNothingAndLinksNothing() async throws {
        func unbound(_ id: ProviderID) -> ScriptedProvider {
            ScriptedProvider(id) { _ in
                Credential(provider: id, idToken: Secret("token"), userID: "1001", isBound: false)
            }
        }
        let (auth, repository) = try await signedIn(providers: [unbound(.kakao), unbound(.naver)])
        for change in [auth.reauthenticate(), auth.link(with: .naver)] {
            #expect(await change.result.error?.code == .misconfigured)
        }
        #expect(later(repository).isEmpty, "Nothing is sent.")
    }

    @Test func anonymousUserHasNothingToProve() async throws {
        let (auth, repository) = service(providers: [unaskedProvider(.kakao)])
        _ = try await auth.signInAnonymously().value
        let error = await auth.reauthenticate().result.error
        #expect(error?.code == .unsupportedProvider)
        #expect(error?.explanation.contains("anonymous") == true)
        #expect(later(repository).isEmpty)
    }

    @Test func credentialOfAnotherUserIsRefusedAndEndsNothing() async throws {
        var account = ScriptedAccount()
        account.reauthenticate = { _, _ in throw AuthError(.credentialInUse, "Another's.") }
        let (auth, _) = try await signedIn(account)
        #expect(await auth.reauthenticate().result.error?.code == .credentialInUse)
        #expect(auth.user?.id == "kakao:1001")
    }

    @Test func credentialAtHandIsEnough() async throws {
        let (auth, repository) = try await signedIn()
        let user = try await ScriptedProvider(.kakao).authenticate().flatMap(auth.reauthenticate(credential:)).value
        #expect(user.id == "kakao:1001")
        #expect(later(repository) == [.reauthenticate(.kakao)])
    }

    /// What is proven may take minutes, so the token that it goes with is looked at afterwards.
    @Test func nameThatAppleTellsOnceIsKeptUntilItIsSent() async throws {
        let profile = Credential.Profile(name: PersonName(givenName: "Ada"))
        let received = Lock<[Credential.Profile?]>([])
        var account = ScriptedAccount()
        account.reauthenticate = { session, credential in
            let isFirst = received.withLock {
                $0.append(credential.profile)
                return $0.count == 1
            }
            if isFirst { throw AuthError(.network, "Offline.") }
            return session
        }
        let told = Lock(profile as Credential.Profile?)
        let apple = ScriptedProvider(.apple) { _ in
            Credential(provider: .apple, userID: "001.ada", profile: told.withLock { $0.take() }, isBound: true)
        }
        let store = MemorySessionStore()
        let (auth, _) = try await signedIn(account, providers: [apple], store: store)
        #expect(await auth.reauthenticate(with: .apple).result.error?.code == .network)
        _ = try await auth.reauthenticate(with: .apple).value
        #expect(received.withLock { $0 } == [profile, profile])
        #expect(try await store.note(.profiles) == nil)
    }

    @Test func tokenThatIsOverIsRefreshedBeforeTheProofIsSent() async throws {
        let clock = ManualClock()
        let begin = Date(timeIntervalSince1970: 1_000_000)
        let (used, kakao) = (Lock<[Secret]>([]), StandingProvider(id: .kakao))
        var account = ScriptedAccount()
        account.refresh = { session in
            var session = session
            session.accessToken = Secret("next")
            session.expiresAt = nil
            return session
        }
        account.reauthenticate = { session, _ in
            used.withLock { $0.append(session.accessToken) }
            return session
        }
        let (auth, _) = try await signedIn(
            account, providers: [kakao], clock: clock.authClock(startingAt: begin),
            expiresAt: begin.addingTimeInterval(3600))
        let proving = Task { await auth.reauthenticate().result }
        _ = await kakao.reached.value()
        clock.advance(by: .seconds(7200))
        kakao.gate.resolve(())
        #expect(await proving.value.error == nil)
        #expect(used.withLock { $0 } == [Secret("next")])
    }
}
