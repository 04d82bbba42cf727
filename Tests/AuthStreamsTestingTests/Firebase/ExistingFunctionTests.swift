import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// A function that was there before the library, end to end: its name, place and body are configuration.
@Suite struct ExistingFunctionTests {
    private static let format = SocialLoginFunction.Format.accessToken(
        providers: [.kakao: "KAKAO"], answer: .member("token"))
    private static let domain = "https://api.authstreams.example/v1/login"
    private static let whole = "https://login-abcdefghij-du.a.run.app"

    private func run(
        format: SocialLoginFunction.Format = format, _ body: (EmulatedBackend) async throws -> Void
    ) async throws {
        let change: (inout EmulatorConfiguration) -> Void = { configuration in
            configuration.firebase.function = "login"
            configuration.firebase.functionFormat = format
            configuration.firebase.functionURLs = [Self.domain, Self.whole]
        }
        try await EmulatedBackend.run(change, body)
    }

    private func repository(_ backend: EmulatedBackend, _ route: FirebaseRoute) -> FirebaseRepository {
        let emulator = backend.emulator
        return FirebaseRepository(
            project: emulator.configuration.firebase.client(at: emulator.baseURL),
            routes: [.kakao: route, .naver: route], transport: backend.transport,
            clock: emulator.configuration.clock)
    }

    private func kakao(_ backend: EmulatedBackend) async throws -> Credential {
        let key = backend.emulator.configuration.kakao.nativeAppKey
        // Both, as the library's own provider hands them over where there is OpenID Connect.
        return Credential(
            provider: .kakao, idToken: Secret(backend.kakaoToken(["nonce": "n"])), rawNonce: Secret("n"),
            accessToken: Secret(try await backend.kakaoAccessToken(ofKey: key)))
    }

    @Test func byNameAndRegionByDomainAndByURL() async throws {
        try await run { backend in
            let domain = backend.emulator.url(for: "https://api.authstreams.example/v1")
            let routes: [(FirebaseRoute, String)] = [
                (
                    .customToken(function: "login", region: .seoul, format: Self.format),
                    "asia-northeast3-authstreams-demo.cloudfunctions.net/login"
                ),
                (
                    .customToken(function: "login", at: .domain(domain), format: Self.format),
                    "api.authstreams.example/v1/login"
                ),
                (
                    .customToken(url: backend.emulator.url(for: Self.whole), format: Self.format),
                    "login-abcdefghij-du.a.run.app/"
                ),
            ]
            for (route, place) in routes {
                let session = try await repository(backend, route).signIn(with: try await kakao(backend))
                #expect(session.user.id == "kakao:1001")
                #expect(session.provider == .kakao)
                let calls = backend.emulator.journal.entries.map { $0.host + $0.path }
                #expect(calls.contains(place), "\(place)")
            }
            // The function asked Kakao which app each token is for.
            let asked = backend.emulator.journal.entries.filter { $0.path == "/v1/user/access_token_info" }
            #expect(asked.count == routes.count)
        }
    }

    @Test(arguments: [SocialLoginFunction.Format.Answer.string, .member("data", "customToken")])
    func theAnswerIsWhereTheFormatSays(answer: SocialLoginFunction.Format.Answer) async throws {
        let format = SocialLoginFunction.Format.accessToken(answer: answer)
        try await run(format: format) { backend in
            let route = FirebaseRoute.customToken(function: "login", region: .seoul, format: format)
            let session = try await repository(backend, route).signIn(with: try await kakao(backend))
            #expect(session.user.id == "kakao:1001")
        }
    }

    @Test func theStandardFormatSpeaksPastIt() async throws {
        try await run { backend in
            let route = FirebaseRoute.customToken(function: "login", region: .seoul)
            let credential = try await kakao(backend)
            await #expect {
                _ = try await repository(backend, route).signIn(with: credential)
            } throws: { ($0 as? AuthError)?.code == .misconfigured }
        }
    }

    @Test func theFunctionNamesItsFieldsToWhoeverSendsAnother() async throws {
        try await run { backend in
            let data: AuthJSON = ["data": ["provider": "KAKAO", "accessToken": "t", "access-token-secret": "t"]]
            let answer = try await backend.post(Self.domain, try JSONEncoder().encode(data))
            #expect(answer.status == 400)
            #expect(answer.message == "The data has to be an object of: provider, accessToken.")
        }
    }

    @Test func aNaverCodeNeverReachesIt() async throws {
        try await run { backend in
            let code = Credential.AuthorizationCode(code: Secret("c"), state: Secret("s"))
            let route = FirebaseRoute.customToken(function: "login", region: .seoul, format: Self.format)
            await #expect {
                _ = try await repository(backend, route)
                    .signIn(with: Credential(provider: .naver, authorizationCode: code))
            } throws: { ($0 as? AuthError)?.code == .invalidCredential }
            #expect(backend.emulator.journal.entries.isEmpty)
        }
    }

    /// The other shape that functions have: `onRequest`, plain JSON in and out, errors by HTTP status.
    private static let plain: [SocialLoginFunction.Format] = [
        .accessToken(providers: [.kakao: "KAKAO"], answer: .member("token"), framing: .plain),
        .accessToken(answer: .string, framing: .plain),
    ]

    @Test(arguments: plain) func plainHTTPFunctionSignsIn(format: SocialLoginFunction.Format) async throws {
        try await run(format: format) { backend in
            let route = FirebaseRoute.customToken(url: backend.emulator.url(for: Self.whole), format: format)
            let session = try await repository(backend, route).signIn(with: try await kakao(backend))
            #expect(session.user.id == "kakao:1001")
        }
    }

    @Test(arguments: [
        (400, AuthError.Code.misconfigured), (401, .invalidCredential), (403, .accessDenied), (404, .misconfigured),
        (429, .rateLimited), (500, .server), (503, .server), (302, .invalidResponse),
    ])
    func statusOfAPlainHTTPFunctionIsItsError(status: Int, code: AuthError.Code) async throws {
        let functions = CallableFunctions(
            project: FirebaseProject(id: "my-app", apiKey: "key"),
            transport: OneAnswer(status: status, "<html>no</html>"))
        let error = await #expect(throws: AuthError.self) { try await functions.call("login", framing: .plain) }
        #expect(error?.code == code && error?.serverCode == nil)
    }

    @Test(arguments: [
        (#"{"token":"a"}"#, #"{"token":"a"}"#), (" e30.e30.c2ln\n", #""e30.e30.c2ln""#), (#""a""#, #""a""#),
    ])
    func answerOfAPlainHTTPFunctionIsJSONOrText(body: String, result: String) async throws {
        let functions = CallableFunctions(
            project: FirebaseProject(id: "my-app", apiKey: "key"), transport: OneAnswer(status: 200, body))
        let answer = try await functions.call("login", framing: .plain)
        #expect(answer == AuthJSON(json: Data(result.utf8)))
    }

    @Test func plainHTTPFunctionTellsASecondFactorByItsReason() async throws {
        let functions = CallableFunctions(
            project: FirebaseProject(id: "my-app", apiKey: "key"),
            transport: OneAnswer(status: 412, #"{"reason":"SECOND_FACTOR_REQUIRED"}"#))
        let error = await #expect(throws: AuthError.self) { try await functions.call("login", framing: .plain) }
        #expect(error?.code == .secondFactorRequired)
    }

    @Test func emptyAnswerOfAPlainHTTPFunctionIsNone() async throws {
        let functions = CallableFunctions(
            project: FirebaseProject(id: "my-app", apiKey: "key"), transport: OneAnswer(status: 200, ""))
        let error = await #expect(throws: AuthError.self) { try await functions.call("login", framing: .plain) }
        #expect(error?.code == .invalidResponse)
    }
}

private struct OneAnswer: AuthHTTPTransport {
    let response: AuthHTTPResponse

    init(status: Int, _ body: String) {
        response = AuthHTTPResponse(status: status, body: Data(body.utf8))
    }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse { response }
}
