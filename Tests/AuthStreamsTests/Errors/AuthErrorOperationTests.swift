import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the service fails at is named in the error, so that the person is told that.
@Suite struct AuthErrorOperationTests {
    private let failing = AuthService.preview(.signedIn, failing: .server)

    private func error<Success>(_ attempt: () async throws -> Success) async -> AuthError? {
        do {
            _ = try await attempt()
            return nil
        } catch { return error as? AuthError }
    }

    @Test func eachAttemptNamesItsOperation() async throws {
        let auth = failing
        var errors: [(AuthOperation, AuthError?)] = []
        errors.append((.signIn, await error { try await auth.signIn(with: .kakao).value }))
        errors.append((.signIn, await error { try await auth.signIn(with: "unknown").value }))
        errors.append((.signIn, await error { try await auth.signIn(credential: Credential(provider: .kakao)).value }))
        errors.append((.signIn, await error { try await auth.signInAnonymously().value }))
        errors.append((.reload, await error { try await auth.reload().value }))
        errors.append((.profile, await error { try await auth.updateProfile(displayName: .set("Minji")).value }))
        errors.append((.link, await error { try await auth.link(with: .naver).value }))
        errors.append((.link, await error { try await auth.link(credential: Credential(provider: .naver)).value }))
        errors.append((.unlink, await error { try await auth.unlink(.naver).value }))
        errors.append((.reauthentication, await error { try await auth.reauthenticate().value }))
        errors.append(
            (
                .reauthentication,
                await error { try await auth.reauthenticate(credential: Credential(provider: .apple)).value }
            ))
        errors.append((.deletion, await error { try await auth.deleteAccount().value }))
        errors.append((.request, await error { try await auth.accessToken(forceRefresh: true) }))
        errors.append((.request, await error { try await auth.data(for: AuthHTTPRequest(.get, url)) }))
        errors.append((.request, await error { try await auth.data(for: URLRequest(url: url)) }))
        for (operation, error) in errors { #expect(error?.operation == operation) }
        let codes: [AuthError.Code] = [
            .server, .unsupportedProvider, .server, .server, .server, .server, .server, .misconfigured, .server,
            .server,
            .misconfigured, .server, .server, .server, .server,
        ]
        #expect(errors.map { $0.1?.code } == codes)
    }

    private let url = URL(literal: "https://api.example.com")

    @Test func withoutAUserTheOperationIsNamedToo() async throws {
        // Not repeated, as an adoption is that meets no network.
        let auth = AuthService.preview(.signedOut, failing: .unsupportedProvider)
        #expect(await error { try await auth.signOut(everywhere: true) }?.operation == .signOutEverywhere)
        #expect(await error { try await auth.withAccessToken { _ in } }?.operation == .request)
        #expect(await error { try await auth.adopt(refreshToken: Secret("r")).value }?.operation == .adoption)
    }

    @Test func signOutNamesItself() async throws {
        let store = FaultySessionStore()
        let auth = AuthService(
            repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao)], store: store,
            callbacks: CallbackRouter())
        _ = try await auth.signIn(with: .kakao).value
        for call in [FaultySessionStore.Call.write, .remove] { store.fail(call) }
        let error = await error { try await auth.signOut() }
        #expect(error?.code == .storage && error?.operation == .signOut)
    }

    /// Also where the chain is made by hand.
    @Test func useCaseNamesTheSignIn() async {
        let manager = SessionManager(store: MemorySessionStore())
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let error = await signIn(with: ScriptedProvider.failing(.kakao, with: .accessDenied)).result.error
        #expect(error?.code == .accessDenied && error?.operation == .signIn)
    }

    /// Such as one of the app's own repository, outside of an operation.
    @Test func errorWithoutAnOperationIsNoSignIn() {
        let error = AuthError(.network, "Scripted.")
        #expect(AuthErrorTexts.english.text(for: error)?.hasPrefix("It did not work.") == true)
        #expect(AuthErrorTexts.korean.text(for: error)?.hasPrefix("완료하지 못했습니다.") == true)
    }

    @Test func timeoutOfAnAttemptNamesItsOperation() async {
        let clock = ManualClock()
        let asked = Promise<Void>()
        let provider = ScriptedProvider(.naver) { _ in
            asked.resolve(())
            try await Task.sleep(for: .seconds(3600))
            return Credential(provider: .naver)
        }
        let auth = AuthService(
            repository: ScriptedRepository(), providers: [ScriptedProvider(.kakao), provider],
            store: MemorySessionStore(),
            callbacks: CallbackRouter())
        _ = await auth.signIn(with: .kakao).result
        let attempt = Task { await auth.link(with: .naver).timeout(.seconds(60), clock: clock).result }
        await asked.value()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(61))
        let error = await attempt.value.error
        #expect(error?.code == .timedOut && error?.operation == .link && error?.provider == .naver)
    }

    @Test func errorOfTheBodyIsTheCallersOwn() async throws {
        let auth = AuthService.preview(.signedIn)
        let own = AuthError(.server, "The feed is down.")
        #expect(await error { try await auth.withAccessToken { _ in throw own } } == own)
    }

    @Test func textAndCrashReportTellTheOperation() {
        var error = AuthError(.network, "Offline.", provider: .kakao)
        error.operation = .profile
        let sentence = AuthErrorTexts.preferred().operations[.profile]?.general ?? "none"
        #expect(error.errorDescription?.hasPrefix(sentence) == true)
        #expect((error as NSError).userInfo["operation"] as? String == "profile")
    }
}
