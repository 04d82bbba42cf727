import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

/// A service that is made of factories and a platform.
@Suite struct AuthPlatformTests {
    @Test func urlOfTheAppReachesTheProviderThatWaitsForIt() async throws {
        let isWaiting = Promise<Void>()
        let waiting = AuthProviderFactory { platform in
            ScriptedProvider(.kakao) { _ in
                let expectation = platform.callbacks.expect { $0.scheme == "kakaokey" }
                isWaiting.resolve(())
                let url = await expectation.callback()
                return Credential(provider: .kakao, accessToken: Secret("token"), userID: url?.host())
            }
        }
        let auth = AuthService(
            .repository(ScriptedRepository()), providers: [waiting], platform: .isolated())
        let attempt = Task { await auth.signIn(with: .kakao).result }
        _ = await isWaiting.value()
        let isAnswer = auth.handle(URL(literal: "kakaokey://oauth"))
        if !isAnswer { attempt.cancel() }
        let signIn = try await attempt.value.get()
        #expect(isAnswer && signIn.user.id == "kakao:oauth")
    }

    @Test func copiesHaveOneRouterAndOtherPlatformsAnother() {
        let one = AuthPlatform.isolated()
        var copy = one
        copy.clock = AuthClock(ContinuousClock()) { .distantPast }
        #expect(copy.callbacks === one.callbacks)
        #expect(AuthPlatform.isolated().callbacks !== one.callbacks)
    }

    @Test func browserIsMadeOfThePartsThatThePlatformHasByThen() {
        let seen = Lock<[Date]>([])
        var platform = AuthPlatform(
            store: MemorySessionStore(), opener: AuthPlatform.isolated().opener, redirect: .appURL
        ) { platform in
            #expect(platform.opener is OtherOpener)
            seen.withLock { $0.append(platform.clock.date) }
            return Pages()
        }
        platform.opener = OtherOpener()
        platform.clock = AuthClock(ContinuousClock()) { .distantPast }
        #expect(platform.userAgent is Pages)
        #expect(seen.withLock { $0 } == [.distantPast])
    }

    @Test func sessionIsInThePlatformsStore() async throws {
        let store = MemorySessionStore()
        let auth = AuthService(
            .repository(ScriptedRepository()), providers: [.provider(ScriptedProvider(.kakao))],
            platform: .isolated(store: store))
        _ = try await auth.signIn(with: .kakao).value
        let record = try await store.read(.session)
        #expect(record.data != nil)
    }

    @Test func adoptionAndSinksReachTheService() async throws {
        let received = Promise<AuthEvent.Kind>()
        let auth = AuthService(
            .repository(ScriptedRepository()), providers: [], platform: .isolated(),
            adoption: SessionAdoption { AdoptableSession(refreshToken: Secret("left")) },
            sinks: [AuthEventSink { received.resolve($0.kind) }])
        _ = await auth.states.prefix(through: { $0.user != nil })
        #expect(auth.user?.id == "kakao:1001")
        #expect(await received.value() != nil)
    }

    @Test func twoProvidersOfOneIdentifierAreAMisconfiguration() async {
        let kakao = AuthProviderFactory { _ in ScriptedProvider(.kakao) }
        let auth = AuthService(.repository(ScriptedRepository()), providers: [kakao, kakao], platform: .isolated())
        #expect(auth.providers == [.kakao])
        let error = await outcome(of: auth.signIn(with: .kakao))?.error
        #expect(error?.code == .misconfigured && error?.isUserCancellation == false)
    }

    @Test func ownServerIsAskedOverThePlatformsTransport() async throws {
        let network = AnsweringTransport([AuthHTTPResponse(status: 404)])
        let auth = AuthService(
            .server(URL(literal: "https://api.example.com/v1")), providers: [.provider(ScriptedProvider(.naver))],
            platform: .isolated(transport: network))
        #expect(await outcome(of: auth.signIn(with: .naver))?.error?.code == .misconfigured)
        #expect(network.requests.first?.url.absoluteString == "https://api.example.com/v1/auth/sign-in")
    }

    @Test func serverWithoutEncryptionIsAMisconfigurationAndNothingIsSent() async {
        let network = AnsweringTransport([])
        let auth = AuthService(
            .server(URL(literal: "http://api.example.com")), providers: [.provider(ScriptedProvider(.naver))],
            platform: .isolated(transport: network))
        #expect(await outcome(of: auth.signIn(with: .naver))?.error?.code == .misconfigured)
        #expect(network.requests.isEmpty)
    }

    @Test func accessTokenGoesToTheNamedServersOverThePlatformsTransport() async throws {
        let network = AnsweringTransport([AuthHTTPResponse(status: 204)])
        let server = URL(literal: "https://api.example.com")
        let repository = ScriptedRepository(establish: {
            AuthSession(
                accessToken: Secret("token-1"), refreshToken: nil, expiresAt: nil, user: AuthUser(id: "1"),
                provider: $0.provider)
        })
        let auth = AuthService(
            .repository(repository), providers: [.provider(ScriptedProvider(.kakao))],
            platform: .isolated(transport: network), api: ["https://api.example.com", "not a server"])
        _ = try await auth.signIn(with: .kakao).value
        #expect(try await auth.data(for: AuthHTTPRequest(.get, server.appending(path: "notes"))).status == 204)
        #expect(network.requests.map { $0.headers[.authorization] } == ["Bearer token-1"])
        let elsewhere = AuthHTTPRequest(.get, URL(literal: "https://other.example.com"))
        await #expect { try await auth.data(for: elsewhere) } throws: { ($0 as? AuthError)?.code == .misconfigured }
    }
}

private struct OtherOpener: ApplicationOpener {
    func canOpen(_ url: URL) -> Bool { false }
    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? { nil }
}

private struct Pages: UserAgent {
    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        throw AuthError(.misconfigured, "The test shows no page.")
    }
}
