import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// The client on a real manager: whose token a request gets, and what a refused one costs.
@Suite struct AuthorizedSessionTests {
    private let server = URL(literal: "https://api.example.com")
    private var request: AuthHTTPRequest { AuthHTTPRequest(.get, server.appending(path: "notes")) }

    /// Gives each user tokens `ID-1`, `ID-2`, …
    private func repository(_ refresh: (@Sendable (AuthSession) async throws -> AuthSession)? = nil)
        -> CountingRepository
    {
        CountingRepository(refresh)
    }

    private func service(
        _ repository: CountingRepository, _ api: any AuthHTTPTransport, sinks: [AuthEventSink] = []
    ) -> AuthService {
        AuthService(
            repository: repository,
            providers: [
                ScriptedProvider(.kakao, userID: "1"), ScriptedProvider(.naver, userID: "2"), ScriptedProvider(.google),
            ],
            store: MemorySessionStore(), callbacks: CallbackRouter(), sinks: sinks,
            api: APIAccess(to: [server], over: api))
    }

    @Test func aRefusedTokenIsRefreshedAndTheRequestRepeated() async throws {
        let (repository, api) = (repository(), TokenGuard(taking: "kakao:1-2"))
        let auth = service(repository, api)
        _ = try await auth.signIn(with: .kakao).value
        #expect(try await auth.data(for: request).status == 200)
        #expect(try await auth.data(for: request).status == 200)
        #expect(api.tokens == ["Bearer kakao:1-1", "Bearer kakao:1-2", "Bearer kakao:1-2"])
        #expect(repository.refreshes == 1)
    }

    @Test func withoutServersNothingIsSent() async throws {
        let auth = AuthService(
            repository: repository(), providers: [], store: MemorySessionStore(), callbacks: CallbackRouter())
        await #expect { try await auth.data(for: request) } throws: { ($0 as? AuthError)?.code == .misconfigured }
    }

    @Test func nobodySignedInIsSaidBeforeAnyRequest() async throws {
        let api = TokenGuard(taking: "any")
        let auth = service(repository(), api)
        _ = await auth.states.prefix(through: \.isSignedOut)
        await #expect { try await auth.data(for: request) } throws: { ($0 as? AuthError)?.code == .notSignedIn }
        #expect(api.requests.isEmpty)
    }

    @Test(arguments: [false, true]) func aChangeOfUserWhileTheServerDecidesRepeatsNothing(toTheSame: Bool) async throws
    {
        let repository = repository()
        let change = Lock<(@Sendable () async throws -> Void)?>(nil)
        let api = TokenGuard { _ in
            try await change.withLock { $0 }?()
            return AuthHTTPResponse(status: 401)
        }
        let auth = service(repository, api)
        _ = try await auth.signIn(with: .kakao).value
        change.withLock {
            $0 = { [weak auth] in
                try await auth?.signOut()
                _ = try await auth?.signIn(with: toTheSame ? .kakao : .naver).value
            }
        }
        #expect(try await auth.data(for: request).status == 401)
        #expect(api.tokens == ["Bearer kakao:1-1"])
        #expect(repository.refreshes == 0)
    }

    @Test func aChangeOfUserWhileTheTokenIsRefreshedRepeatsNothing() async throws {
        let (isAsked, mayAnswer) = (Promise<Void>(), Promise<Void>())
        let repository = repository { session in
            isAsked.resolve(())
            await mayAnswer.value()
            return session
        }
        let api = TokenGuard(taking: "naver:2-1")
        let auth = service(repository, api)
        _ = try await auth.signIn(with: .kakao).value
        async let answer = auth.data(for: request)
        await isAsked.value()
        _ = try await auth.signIn(with: .naver).value
        mayAnswer.resolve(())
        #expect(try await answer.status == 401)
        #expect(api.tokens == ["Bearer kakao:1-1"])
    }

    /// The token of the user before is there, and another user signs in before the caller has continued.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func requestOfOneUserIsNotSentForTheNext() async throws {
        let scene = try await RefreshScene()
        let api = TokenGuard { _ in AuthHTTPResponse(status: 200) }
        let client = AuthorizedClient(APIAccess(to: [server], over: api), bearers: scene.refreshing)
        scene.clock.advance(by: .seconds(3600))
        let (gate, reached) = (Promise<Void>(), Promise<Void>())
        scene.server.next(.held(by: gate, reached: reached))
        let executor = ManualExecutor()
        let caller = Task(executorPreference: executor) { [request] in try await client.data(for: request) }
        executor.run()
        _ = await reached.value()
        gate.resolve(())
        #expect(try await scene.refreshing.accessToken() == Secret("a2"))
        try await scene.signIn("tom")
        executor.start()
        await #expect { try await caller.value } throws: { ($0 as? AuthError)?.code == .superseded }
        #expect(api.requests.isEmpty)
    }

    /// The token that took the place of the refused one is over by now, too.
    @Test func requestIsNotRepeatedWithATokenThatHasExpired() async throws {
        let scene = try await RefreshScene()
        let api = TokenGuard { request in
            guard request.headers[.authorization] == "Bearer a1" else { return AuthHTTPResponse(status: 200) }
            _ = try await scene.refreshing.accessToken(forceRefresh: true)
            scene.clock.advance(by: .seconds(3600))
            return AuthHTTPResponse(status: 401)
        }
        let client = AuthorizedClient(APIAccess(to: [server], over: api), bearers: scene.refreshing)
        #expect(try await client.data(for: request).status == 200)
        #expect(api.tokens == ["Bearer a1", "Bearer a3"])
    }

    @Test func aSessionWithoutRefreshTokenLeavesThe401AsItIsAndStays() async throws {
        let (repository, api) = (repository(), TokenGuard(taking: "none"))
        let auth = service(repository, api)
        let user = try await auth.signIn(with: .google).value.user
        #expect(try await auth.data(for: request).status == 401)
        #expect(api.requests.count == 1)
        #expect(auth.user == user && repository.refreshes == 0)
    }

    @Test func aClosureIsNotRepeatedInAnotherPersonsNameEither() async throws {
        let auth = service(repository(), TokenGuard(taking: "none"))
        _ = try await auth.signIn(with: .kakao).value
        let tokens = Lock<[Secret]>([])
        await #expect {
            try await auth.withAccessToken { token in
                tokens.withLock { $0.append(token) }
                _ = try await auth.signIn(with: .naver).value
                throw AccessTokenRefused()
            }
        } throws: { ($0 as? AuthError)?.code == .superseded }
        #expect(tokens.withLock { $0 } == [Secret("kakao:1-1")])
    }

    @Test func tenThousandCallersWhoAreRefusedForEverCostOneRefresh() async throws {
        let (repository, api) = (repository(), TokenGuard(taking: "none"))
        let auth = service(repository, api)
        _ = try await auth.signIn(with: .kakao).value
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10_000 { group.addTask { try await auth.data(for: request).status } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(statuses == [401])
        #expect(repository.refreshes == 1)
        #expect(auth.user != nil)
    }

    @Test func tenThousandCallersWhileTheNetworkDiesAllHearOfItAndNobodyIsSignedOut() async throws {
        let dead = AuthError(.network, "The network is gone.")
        let (isAsked, mayFail) = (Promise<Void>(), Promise<Void>())
        let repository = repository { _ in
            isAsked.resolve(())
            await mayFail.value()
            throw dead
        }
        let api = TokenGuard(taking: "none")
        let auth = service(repository, api)
        let user = try await auth.signIn(with: .kakao).value.user
        let codes = await withTaskGroup(of: AuthError.Code?.self) { group in
            for _ in 0..<10_000 {
                group.addTask {
                    do throws(AuthError) { _ = try await auth.data(for: request) } catch { return error.code }
                    return nil
                }
            }
            // All of them have been refused, and wait for the one refresh or come to it later.
            await isAsked.value()
            mayFail.resolve(())
            return await group.reduce(into: Set<AuthError.Code?>()) { $0.insert($1) }
        }
        #expect(codes == [.network])
        #expect(auth.user == user)
        // No caller got a token again that was refused.
        #expect(api.requests.count == 10_000)
    }

    @Test func aCancelledCallerLeavesAndTheRefreshGoesOn() async throws {
        let (isAsked, mayAnswer, isAnswered) = (Promise<Void>(), Promise<Void>(), Promise<Void>())
        let repository = repository { session in
            isAsked.resolve(())
            await mayAnswer.value()
            var session = session
            session.accessToken = Secret("kakao:1-2")
            return session
        }
        let api = TokenGuard(taking: "kakao:1-2")
        let auth = service(
            repository, api, sinks: [AuthEventSink { if $0.kind == .refreshSucceeded { isAnswered.resolve(()) } }])
        _ = try await auth.signIn(with: .kakao).value
        let caller = Task { try await auth.data(for: request) }
        await isAsked.value()
        caller.cancel()
        await #expect { _ = try await caller.value } throws: { ($0 as? AuthError)?.code == .cancelled }
        mayAnswer.resolve(())
        await isAnswered.value()
        #expect(try await auth.data(for: request).status == 200)
        #expect(repository.refreshes == 1)
    }

    /// The first request after the update that replaces another SDK waits for the server's answer, and goes out with its token.
    @Test(arguments: [nil, AuthUser(id: "ada")]) func requestWaitsForTheAdoption(user: AuthUser?) async throws {
        let session = AuthSession(
            accessToken: Secret("new"), refreshToken: Secret("next"), expiresAt: nil, user: AuthUser(id: "ada"),
            provider: .kakao)
        let api = TokenGuard(taking: "new")
        let auth = AuthService(
            repository: ScriptedRepository(adopt: { _ in session }), providers: [], store: MemorySessionStore(),
            callbacks: CallbackRouter(),
            adoption: SessionAdoption(find: { AdoptableSession(refreshToken: Secret("old"), user: user) }),
            api: APIAccess(to: [server], over: api))
        #expect(try await auth.data(for: request).status == 200)
        #expect(api.tokens == ["Bearer new"])
    }

    @Test(arguments: [nil, AuthUser(id: "ada")], [AuthError.Code.network, .userDisabled])
    func requestFailsAsTheAdoptionFails(user: AuthUser?, code: AuthError.Code) async throws {
        let api = TokenGuard(taking: "none")
        let auth = AuthService(
            repository: ScriptedRepository(adopt: { _ in throw AuthError(code, "Scripted.") }), providers: [],
            store: MemorySessionStore(), callbacks: CallbackRouter(), refreshPolicy: .onDemand,
            adoption: SessionAdoption(find: { AdoptableSession(refreshToken: Secret("old"), user: user) }),
            api: APIAccess(to: [server], over: api))
        let error = await #expect(throws: AuthError.self) { try await auth.data(for: request) }
        #expect(error?.code == code)
        #expect(api.tokens.isEmpty)
    }
}

/// A repository whose tokens say whose they are, and count. With Google it gives no refresh token.
final class CountingRepository: AuthRepository {
    private let count = Lock(0)
    private let script: (@Sendable (AuthSession) async throws -> AuthSession)?

    init(_ script: (@Sendable (AuthSession) async throws -> AuthSession)?) { self.script = script }

    var refreshes: Int { count.withLock { $0 } }

    func accepts(_ provider: ProviderID) -> Bool { true }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        var session = ScriptedRepository.session(of: credential)
        session.accessToken = Secret("\(session.user.id)-1")
        if credential.provider == .google { session.refreshToken = nil }
        return session
    }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        let number = count.withLock { count in
            count += 1
            return count + 1
        }
        if let script { return try await AuthError.wrapping { try await script(session) } }
        var session = session
        session.accessToken = Secret("\(session.user.id)-\(number)")
        return session
    }

    func signOut(_ session: AuthSession) async throws(AuthError) {}
    func deleteAccount(_ session: AuthSession) async throws(AuthError) {}
}
