import AuthStreams
import AuthStreamsTesting
import Testing

/// Failures that end nothing, and that an engineer wants to know of: an event each.
@Suite struct WarningEventTests {
    private let server = GrudgingServer()
    private let store = FaultySessionStore()

    private func service(_ provider: ScriptedProvider = ScriptedProvider(.kakao)) -> AuthService {
        AuthService(repository: server, providers: [provider], store: store, callbacks: CallbackRouter())
    }

    private func next(_ kind: AuthEvent.Kind, in events: inout AuthEvents.AsyncIterator) async -> AuthEvent? {
        while let event = await events.next() { if event.kind == kind { return event } }
        return nil
    }

    /// A session that the server no longer knows needs no revocation.
    @Test(arguments: [AuthError.Code.network, .server, .sessionExpired])
    func signOutThatTheServerDidNotHear(code: AuthError.Code) async throws {
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        server.refusal.withLock { $0 = AuthError(code, "Scripted.") }
        var events = auth.events.makeAsyncIterator()
        try await auth.signOut()
        await auth.finish()
        _ = try await auth.signIn(with: .kakao).value
        var failures: [AuthError.Code?] = []
        while let event = await events.next(), event.kind != .signInStarted {
            if event.kind == .revocationFailed { failures.append(event.failure?.code) }
        }
        #expect(failures == (code == .sessionExpired ? [] : [code]))
    }

    @Test func storeThatFailsIsReportedBeforeThePersonIsAsked() async throws {
        let callsBefore = Promise<[FaultySessionStore.Operation]>()
        let auth = service(
            ScriptedProvider(.kakao) { [store] _ in
                callsBefore.resolve(store.operations)
                return Credential(provider: .kakao, idToken: Secret("token"), userID: "1001")
            })
        _ = await auth.states.prefix { $0 == .signedOut(nil) }
        store.fail(.write)
        var events = auth.events.makeAsyncIterator()
        let attempt = Task { try await auth.signIn(with: .kakao).value }
        let event = await next(.storageFailed, in: &events)
        #expect(
            event?.details == .attempt(AuthEvent.Attempt(1, .signIn, step: .presenting)) && event?.provider == .kakao)
        #expect(event?.failure?.code == .storage)
        // It ends nothing.
        #expect(try await attempt.value.user.id == "ada")
        #expect(callsBefore.current?.contains(.init(.write, SessionStoreKey(rawValue: "trial"))) == true)
    }

    @Test func refreshReportsWhatDidNotEndIt() async throws {
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        var events = auth.events.makeAsyncIterator()
        #expect(try await auth.accessToken(forceRefresh: true) == Secret("next"))
        let event = await next(.providerWarning, in: &events)
        #expect(event?.failure?.code == .invalidIDToken && event?.provider == .kakao)
    }
}

/// A server that answers each refresh with a warning, and each sign-out as the test says.
private struct GrudgingServer: AuthRepository {
    let refusal = Lock<AuthError?>(nil)

    func accepts(_ provider: ProviderID) -> Bool { true }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        AuthSession(
            accessToken: Secret("first"), refreshToken: Secret("refresh"), expiresAt: nil, user: AuthUser(id: "ada"),
            provider: credential.provider)
    }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        var next = session
        next.accessToken = Secret("next")
        return next
    }

    func refresh(
        _ session: AuthSession, onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        onWarning(AuthError(.invalidIDToken, "Scripted."))
        return try await refresh(session)
    }

    func signOut(_ session: AuthSession) async throws(AuthError) {
        if let error = refusal.withLock({ $0 }) { throw error }
    }

    func deleteAccount(_ session: AuthSession) async throws(AuthError) {}
}
