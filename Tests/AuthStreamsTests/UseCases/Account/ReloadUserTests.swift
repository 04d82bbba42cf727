import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// What changed at the server is shown, and what the person changes is changed there.
@Suite struct ReloadUserTests: AccountSuite {
    private static let picture = URL(literal: "https://pictures.example/1.jpg")

    /// An account whose server has verified the address and given a claim.
    private func verifying(_ change: @escaping @Sendable (inout AuthSession) -> Void = { _ in }) -> ScriptedAccount {
        var account = ScriptedAccount()
        account.reload = { session in
            var session = session
            session.user.isEmailVerified = true
            session.user.claims = ["role": "admin"]
            change(&session)
            return session
        }
        return account
    }

    @Test func statesAndUsersShowWhatTheServerHas() async throws {
        let store = MemorySessionStore()
        let (auth, repository) = try await signedIn(verifying(), store: store)
        var users = auth.states.users.makeAsyncIterator()
        #expect(await users.next()??.isEmailVerified == false)
        let user = try await auth.reload().value
        #expect(user.isEmailVerified && user.claims == ["role": "admin"])
        #expect(auth.state == .signedIn(user, .verified))
        #expect(await users.next() == user)
        #expect(later(repository) == [.reload("kakao:1001")])
        // The next launch shows it, too.
        let next = service(store: store).auth
        #expect(await next.states.first { $0.user != nil }?.user == user)
    }

    @Test func theChangeIsTold() async throws {
        let (auth, _) = try await signedIn(verifying())
        var events = auth.events.makeAsyncIterator()
        _ = try await auth.reload().value
        let started = await events.next()
        #expect(started?.kind == .changeStarted && started?.attempt?.operation == .reload && started?.provider == nil)
        #expect(await events.next()?.kind == .changeSucceeded)
        _ = try await auth.updateProfile(displayName: .set("민지")).value
        #expect(await events.next()?.attempt?.operation == .profile)
    }

    @Test func withoutAUserNothingIsAsked() async throws {
        let (auth, repository) = service()
        #expect(await auth.reload().result.error?.code == .notSignedIn)
        #expect(await auth.updateProfile(displayName: .remove).result.error?.code == .notSignedIn)
        #expect(repository.calls.isEmpty)
    }

    @Test func anAnswerOfAnotherUserChangesNothing() async throws {
        let (auth, _) = try await signedIn(verifying { $0.user.id = "kakao:2" })
        let before = auth.state
        #expect(await auth.reload().result.error?.code == .invalidResponse)
        #expect(auth.state == before)
        #expect(try await auth.accessToken() == Secret("scripted-access-token"))
    }

    @Test func aTokenThatIsRefusedIsRefreshedOnceAndTheRequestRepeatedOnce() async throws {
        var account = ScriptedAccount()
        account.refresh = { session in
            var session = session
            session.accessToken = Secret("next")
            return session
        }
        account.reload = { session in
            guard session.accessToken == Secret("next") else { throw AuthError(.invalidCredential, "Over.") }
            return session
        }
        let (auth, repository) = try await signedIn(account)
        _ = try await auth.reload().value
        #expect(later(repository) == [.reload("kakao:1001"), .refresh("kakao:1001"), .reload("kakao:1001")])
    }

    @Test(arguments: [
        (AuthError.Code.userNotFound, SignOutReason.deleted), (.userDisabled, .disabled), (.sessionExpired, .expired),
    ])
    func aUserWhoIsGoneIsSignedOutOnceARefreshSaysSo(code: AuthError.Code, reason: SignOutReason) async throws {
        var account = ScriptedAccount()
        account.reload = { _ in throw AuthError(code, "Scripted.") }
        account.refresh = { _ in throw AuthError(code, "Scripted.") }
        let (auth, repository) = try await signedIn(account)
        #expect(await auth.reload().result.error?.code == code)
        #expect(auth.state == .signedOut(reason))
        #expect(later(repository) == [.reload("kakao:1001"), .refresh("kakao:1001")])
    }

    /// The refresh decides: a server may say of an access token what it says of a session.
    @Test func aUserWhomTheRefreshKnowsStaysSignedIn() async throws {
        var account = ScriptedAccount()
        account.reload = { _ in throw AuthError(.sessionExpired, "Scripted.") }
        let (auth, repository) = try await signedIn(account)
        #expect(await auth.reload().result.error?.code == .sessionExpired)
        #expect(auth.user?.id == "kakao:1001")
        #expect(later(repository) == [.reload("kakao:1001"), .refresh("kakao:1001")])
    }

    @Test(arguments: [AuthError.Code.network, .server, .rateLimited, .timedOut, .invalidResponse, .accessDenied])
    func anyOtherErrorLeavesTheSession(code: AuthError.Code) async throws {
        var account = ScriptedAccount()
        account.reload = { _ in throw AuthError(code, "Scripted.") }
        account.updateProfile = { _, _ in throw AuthError(code, "Scripted.") }
        let (auth, repository) = try await signedIn(account)
        let before = auth.state
        #expect(await auth.reload().result.error?.code == code)
        #expect(await auth.updateProfile(photoURL: .remove).result.error?.code == code)
        #expect(auth.state == before)
        #expect(later(repository).count == 2)
    }

    @Test func aReloadThatASignOutOvertookIsDropped() async throws {
        let standstill = Standstill()
        var account = verifying()
        account.reload = { [reload = account.reload] session in
            await standstill.pass()
            return try await reload(session)
        }
        let (auth, _) = try await signedIn(account)
        async let result = auth.reload().result
        _ = await standstill.reached.value()
        try await auth.signOut()
        #expect(auth.state == .signedOut(.user))
        standstill.gate.resolve(())
        #expect(await result.error?.code == .superseded)
        #expect(auth.state == .signedOut(.user))
    }

    // MARK: The profile

    @Test func whatIsGivenChangesAndTheRestStays() async throws {
        let (auth, repository) = try await signedIn()
        let both = try await auth.updateProfile(displayName: .set("민지"), photoURL: .set(Self.picture)).value
        #expect(both.displayName == "민지" && both.photoURL == Self.picture)
        let one = try await auth.updateProfile(photoURL: .remove).value
        #expect(one.displayName == "민지" && one.photoURL == nil)
        #expect(auth.state == .signedIn(one, .verified))
        #expect(
            later(repository) == [
                .updateProfile(ProfileChanges(displayName: .set("민지"), photoURL: .set(Self.picture))),
                .updateProfile(ProfileChanges(photoURL: .remove)),
            ])
    }

    @Test func nothingToChangeIsNotSent() async throws {
        let (auth, repository) = try await signedIn()
        let user = auth.user
        #expect(try await auth.updateProfile().value == user)
        #expect(later(repository).isEmpty)
    }

    @Test func aRepositoryNeedHaveNeither() async throws {
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
        _ = try await auth.signIn(credential: Credential(provider: .kakao, userID: "1001")).value
        #expect(await auth.reload().result.error?.code == .unsupportedProvider)
        #expect(await auth.updateProfile(displayName: .set("x")).result.error?.code == .unsupportedProvider)
        #expect(auth.user != nil)
    }
}
