import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// Requests that a server answers only after another or a more recent authentication (RFC 9470).
@Suite struct StepUpTests {
    private static let server = URL(literal: "https://api.example.com")
    private static let requirement =
        #"Bearer error="insufficient_user_authentication", error_description="A different level", acr_values="myACR other", max_age="5""#
    private var request: AuthHTTPRequest { AuthHTTPRequest(.get, Self.server.appending(path: "transfer")) }

    /// A server that wants a token which a step-up gave, and a service whose person is asked by the test.
    private struct Scene: Sendable {
        let auth: AuthService
        let asked = Lock([AuthRequest]())
        /// How many requests arrived.
        let arrived = ProgressCount()
        let tokens = Lock([String]())
        let answer: Promise<AuthError?>
        /// Opens for the answer to the second request.
        let gate = Promise<Void>()

        init(
            user: String = "1", providers: Bool = true, isStillRefused: Bool = false, everyone: Int = 1,
            holdsSecond: Bool = false,
            expiredFirst: Bool = false
        ) {
            let (asked, answer, arrived, tokens, gate) = (asked, Promise<AuthError?>(), arrived, tokens, gate)
            self.answer = answer
            let number = Lock(0)
            var account = ScriptedAccount()
            account.refresh = { session in
                var session = session
                session.accessToken = Secret("refreshed")
                return session
            }
            account.reauthenticate = { session, _ in
                var session = session
                let count = number.withLock { number in
                    number += 1
                    return number
                }
                session.accessToken = Secret("proven-\(count)")
                return session
            }
            let kakao = ScriptedProvider(.kakao) { request in
                if request.purpose == .reauthenticate {
                    asked.withLock { $0.append(request) }
                    request.onStep(.presenting)
                    if let error = await answer.value() ?? nil { throw error }
                }
                return Credential(provider: .kakao, idToken: Secret("token"), userID: user, isBound: true)
            }
            let api = TokenGuard { request in
                let token = request.headers[.authorization] ?? ""
                let number = tokens.withLock { tokens in
                    tokens.append(token)
                    return tokens.count
                }
                arrived.add()
                if expiredFirst, number == 1 { return AuthHTTPResponse(status: 401) }
                if token.contains("proven"), !isStillRefused { return AuthHTTPResponse(status: 200) }
                // All of them are on their way before the first is refused.
                await arrived.wait(for: everyone)
                if holdsSecond, number == 2 { _ = await gate.value() }
                return AuthHTTPResponse(status: 401, headers: ["WWW-Authenticate": StepUpTests.requirement])
            }
            auth = AuthService(
                repository: ScriptedRepository(account: account),
                providers: providers ? [kakao] : [ScriptedProvider(.naver)], store: MemorySessionStore(),
                callbacks: CallbackRouter(), api: APIAccess(to: [StepUpTests.server], over: api))
        }

        func signIn() async throws {
            let credential = Credential(provider: .kakao, idToken: Secret("token"), userID: "1", isBound: true)
            _ = try await auth.signIn(credential: credential).value
        }
    }

    @Test func thePersonIsAskedAsTheServerWantsAndTheRequestRepeated() async throws {
        let scene = Scene()
        try await scene.signIn()
        scene.answer.resolve(nil)
        var events = scene.auth.events.makeAsyncIterator()
        #expect(try await scene.auth.data(for: request).status == 200)
        let asked = try #require(scene.asked.withLock { $0.first })
        #expect(asked.acrValues == ["myACR", "other"] && asked.maximumAge == .seconds(5))
        #expect(asked.purpose == .reauthenticate)
        #expect(scene.tokens.withLock { $0 } == ["Bearer scripted-access-token", "Bearer proven-1"])
        #expect(await events.next()?.kind == .changeStarted)
    }

    @Test func tenRequestsAtOnceAskOnceAndEachIsRepeatedOnce() async throws {
        let scene = Scene(everyone: 10)
        try await scene.signIn()
        let request = request
        let requests = (0..<10).map { _ in Task { try await scene.auth.data(for: request).status } }
        await scene.arrived.wait(for: 10)
        scene.answer.resolve(nil)
        for request in requests { #expect(try await request.value == 200) }
        #expect(scene.asked.withLock { $0.count } == 1)
        #expect(scene.tokens.withLock { $0.count } == 20)
    }

    /// Its answer comes when the step-up of another request is over.
    @Test(arguments: [AuthError?.none, AuthError(.cancelled, "The person closed the page.")])
    func aLateRefusalCountsAsAnsweredWithTheOthers(outcome: AuthError?) async throws {
        let scene = Scene(everyone: 2, holdsSecond: true)
        try await scene.signIn()
        scene.answer.resolve(outcome)
        let request = request
        let first = Task { try await scene.auth.data(for: request).status }
        let second = Task { try await scene.auth.data(for: request).status }
        let end = await first.result
        scene.gate.resolve(())
        let late = await second.result
        #expect(scene.asked.withLock { $0.count } == 1)
        for end in [end, late] {
            switch end {
            case .success(let status): #expect(status == 200 && outcome == nil)
            case .failure(let error): #expect((error as? AuthError)?.code == .cancelled && outcome != nil)
            }
        }
    }

    @Test func afterAnExpiredTokenThePersonIsAskedToo() async throws {
        let scene = Scene(expiredFirst: true)
        try await scene.signIn()
        scene.answer.resolve(nil)
        #expect(try await scene.auth.data(for: request).status == 200)
        #expect(scene.asked.withLock { $0.count } == 1)
        #expect(
            scene.tokens.withLock { $0 } == ["Bearer scripted-access-token", "Bearer refreshed", "Bearer proven-1"])
    }

    @Test func aServerThatStillRefusesIsAskedTwiceAlone() async throws {
        let scene = Scene(isStillRefused: true)
        try await scene.signIn()
        scene.answer.resolve(nil)
        #expect(try await scene.auth.data(for: request).status == 401)
        #expect(scene.asked.withLock { $0.count } == 1 && scene.tokens.withLock { $0.count } == 2)
    }

    @Test func thePersonsCancelEndsAllRequests() async throws {
        let scene = Scene(everyone: 3)
        try await scene.signIn()
        let request = request
        let requests = (0..<3).map { _ in Task { try await scene.auth.data(for: request).status } }
        await scene.arrived.wait(for: 3)
        scene.answer.resolve(AuthError(.cancelled, "The person closed the page."))
        for request in requests {
            let error = await #expect(throws: AuthError.self) { try await request.value }
            #expect(error?.code == .cancelled && error?.operation == .reauthentication)
        }
        #expect(scene.asked.withLock { $0.count } == 1 && scene.auth.user != nil)
    }

    @Test func withoutTheProviderNothingIsAsked() async throws {
        let scene = Scene(providers: false)
        try await scene.signIn()
        let error = await #expect(throws: AuthError.self) { try await scene.auth.data(for: request) }
        #expect(error?.code == .unsupportedProvider && scene.tokens.withLock { $0.count } == 1)
    }

    @Test(arguments: [
        (#"Bearer error="invalid_token""#, 401), (#"Bearer realm="a", error="insufficient_scope""#, 401),
        (#"Bearer error="insufficient_user_authentication""#, 403),
        (#"Bearer realm="error=\"insufficient_user_authentication\"""#, 401), ("", 401),
    ]) func noOtherAnswerIsARequirement(field: String, status: Int) {
        let response = AuthHTTPResponse(status: status, headers: ["WWW-Authenticate": field])
        #expect(StepUpRequirement(response) == nil)
    }

    @Test func aRequirementMayNameNothing() {
        let field = "Basic realm=\"x, y\", DPoP algs=\"ES256\", error=\"insufficient_user_authentication\", max_age=x"
        let response = AuthHTTPResponse(status: 401, headers: ["WWW-Authenticate": field])
        #expect(StepUpRequirement(response) == StepUpRequirement())
    }
}

/// A count that tests wait for.
private final class ProgressCount: Sendable {
    private let state = Lock((count: 0, waiting: [(Int, Promise<Void>)]()))

    func add() {
        let due = state.withLock { state in
            state.count += 1
            return state.waiting.filter { $0.0 <= state.count }.map(\.1)
        }
        for promise in due { promise.resolve(()) }
    }

    func wait(for count: Int) async {
        let promise = state.withLock { state -> Promise<Void>? in
            if state.count >= count { return nil }
            let promise = Promise<Void>()
            state.waiting.append((count, promise))
            return promise
        }
        _ = await promise?.value()
    }
}
