import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// A session whose tokens are bound to a key: what the core asks of the repository that proves it.
@Suite struct BoundTokenTests {
    private let server = URL(literal: "https://api.example.com")
    private var request: AuthHTTPRequest { AuthHTTPRequest(.get, server.appending(path: "notes")) }

    private func service(
        _ repository: BindingRepository, _ api: any AuthHTTPTransport, store: any SessionStore = MemorySessionStore()
    ) async -> AuthService {
        let auth = AuthService(
            repository: repository, providers: [ScriptedProvider(.kakao, userID: "1")], store: store,
            callbacks: CallbackRouter(), refreshPolicy: .onDemand, api: APIAccess(to: [server], over: api))
        // The launch checks the key of a session that it finds, which would be that of a sign-in before it.
        await auth.background?.launch.value
        return auth
    }

    @Test func boundTokenIsSentByItsRepository() async throws {
        let repository = BindingRepository()
        // A bearer token, which the service would send itself, is refused.
        let api = TokenGuard { AuthHTTPResponse(status: $0.headers[.authorization] == "DPoP t1" ? 200 : 401) }
        let auth = await service(repository, api)
        _ = try await auth.signIn(with: .kakao).value
        #expect(try await auth.data(for: request).status == 200)
        #expect(repository.log == ["send t1, k1"] && api.tokens == ["DPoP t1"])
    }

    @Test func refusedTokenIsRefreshedUnderTheLock() async throws {
        let repository = BindingRepository()
        let auth = await service(
            repository,
            TokenGuard { AuthHTTPResponse(status: $0.headers[.authorization] == "DPoP t1" ? 401 : 200) })
        _ = try await auth.signIn(with: .kakao).value
        #expect(try await auth.data(for: request).status == 200)
        #expect(repository.log == ["send t1, k1", "refresh, lock held", "send t2, k1"])
    }

    @Test func fieldOfAProofIsNotForTheCaller() async throws {
        let repository = BindingRepository()
        let auth = await service(repository, TokenGuard { _ in AuthHTTPResponse(status: 200) })
        _ = try await auth.signIn(with: .kakao).value
        var request = request
        request.headers["DPoP"] = "proof"
        let sent = request
        await #expect { try await auth.data(for: sent) } throws: { ($0 as? AuthError)?.code == .misconfigured }
        #expect(repository.log.isEmpty)
    }

    /// Also without a refresh token, where nothing could be asked.
    @Test(arguments: [true, false]) func keyThatIsLostEndsTheSession(hasRefreshToken: Bool) async throws {
        let repository = BindingRepository(hasRefreshToken: hasRefreshToken)
        let store = MemorySessionStore()
        let auth = await service(repository, TokenGuard { _ in AuthHTTPResponse(status: 200) }, store: store)
        _ = try await auth.signIn(with: .kakao).value
        repository.state.withLock { $0.failure = .keyLost }
        await #expect { try await auth.data(for: request) } throws: { ($0 as? AuthError)?.code == .sessionExpired }
        #expect(auth.state == .signedOut(.keyLost))
        let found = RecordSnapshot(try await store.read(.session))
        #expect(found.session == nil)
        #expect(repository.log.filter { $0.hasPrefix("refresh") || $0.hasPrefix("signOut") }.isEmpty)
    }

    @Test func keyThatCannotBeReadEndsNothing() async throws {
        let repository = BindingRepository()
        let auth = await service(repository, TokenGuard { _ in AuthHTTPResponse(status: 200) })
        _ = try await auth.signIn(with: .kakao).value
        repository.state.withLock { $0.failure = AuthError(.storageLocked, "The test locked it.") }
        await #expect { try await auth.data(for: request) } throws: { ($0 as? AuthError)?.code == .storageLocked }
        #expect(auth.user != nil)
    }

    /// Another process lost the key, too, and signed in with a new one.
    @Test func sessionOfAnotherProcessIsTakenOver() async throws {
        let store = MemorySessionStore()
        let (first, second) = (BindingRepository(), BindingRepository(thumbprint: "k2"))
        let auth = await service(first, TokenGuard { _ in AuthHTTPResponse(status: 200) }, store: store)
        _ = try await auth.signIn(with: .kakao).value
        _ = try await service(second, TokenGuard { _ in AuthHTTPResponse(status: 200) }, store: store)
            .signIn(with: .kakao).value
        first.state.withLock { $0.failure = .keyLost }
        // It may have taken over that session before.
        _ = try? await auth.data(for: request)
        #expect(auth.manager.session?.keyThumbprint == "k2" && auth.user != nil)
    }

    @Test func keyIsCheckedAtTheLaunch() async throws {
        let store = MemorySessionStore()
        let api = TokenGuard { _ in AuthHTTPResponse(status: 200) }
        _ = try await service(BindingRepository(), api, store: store).signIn(with: .kakao).value
        let repository = BindingRepository()
        repository.state.withLock { $0.failure = .keyLost }
        let auth = await service(repository, api, store: store)
        await auth.background?.launch.value
        #expect(auth.state == .signedOut(.keyLost) && repository.log == ["require k1"])
    }
}

extension AuthError {
    fileprivate static let keyLost = AuthError(.sessionExpired, "The key is lost.", endsSession: .keyLost)
}

/// Sessions with tokens `t1`, `t2`, … that are bound to a key.
private struct BindingRepository: SenderConstrainedRepository {
    struct State {
        var log: [String] = []
        var number = 1
        var failure: AuthError?
    }
    let state = Lock(State())
    var hasRefreshToken = true
    var thumbprint = "k1"

    var log: [String] { state.withLock { $0.log } }

    private func note(_ text: String) throws(AuthError) {
        let failure = state.withLock { state in
            state.log.append(text)
            return state.failure
        }
        if let failure { throw failure }
    }

    private func session(_ number: Int) -> AuthSession {
        AuthSession(
            accessToken: Secret("t\(number)"), refreshToken: hasRefreshToken ? Secret("r\(number)") : nil,
            expiresAt: nil, user: AuthUser(id: "ada"), provider: .kakao, keyThumbprint: thumbprint)
    }

    func accepts(_ provider: ProviderID) -> Bool { true }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession { session(1) }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        Issue.record("A bound session is refreshed with the lock.")
        return session
    }

    func refresh(
        _ session: AuthSession, holding lock: SessionStoreLock?, onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession {
        try note("refresh, lock \(lock?.isHeld == true ? "held" : "missing")")
        return self.session(
            state.withLock { state in
                state.number += 1
                return state.number
            })
    }

    func adopt(
        _ adoptable: AdoptableSession, holding lock: SessionStoreLock?,
        onWarning: @escaping @Sendable (AuthError) -> Void
    ) async throws(AuthError) -> AuthSession { try await adopt(adoptable) }

    func send(
        _ request: AuthHTTPRequest, proving token: Secret, boundTo thumbprint: String,
        over transport: any AuthHTTPTransport
    ) async throws(AuthError) -> AuthHTTPResponse {
        #expect(request.headers[.authorization] == nil)
        if thumbprint == self.thumbprint { try note("send \(token.reveal()), \(thumbprint)") }
        return try await transport.send(request.authorized(with: token, scheme: "DPoP"))
    }

    func requireKey(_ thumbprint: String) async throws(AuthError) { try note("require \(thumbprint)") }

    func signOut(_ session: AuthSession) async throws(AuthError) { try note("signOut") }

    func deleteAccount(_ session: AuthSession) async throws(AuthError) {}
}
