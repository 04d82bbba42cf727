import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams
@testable import LoopbackHTTP

/// The same over sockets: what a server really gets to see.
@Suite(.limitedParallelization) struct AuthorizedWireTests {
    private func service(at servers: URL...) async throws -> AuthService {
        let auth = AuthService(
            repository: CountingRepository(nil), providers: [ScriptedProvider(.kakao, userID: "1")],
            store: MemorySessionStore(), callbacks: CallbackRouter(),
            api: APIAccess(to: servers, over: URLSessionTransport.untimed()))
        _ = try await auth.signIn(with: .kakao).value
        return auth
    }

    @Test(arguments: ["GET", "POST", "PUT"]) func aRefusedRequestArrivesTwiceAndTheSecondTimeWithTheNewToken(
        method: String
    ) async throws {
        let seen = Lock<[String]>([])
        let server = try LoopbackServer.start { request in
            let token = request.header("Authorization") ?? "none"
            seen.withLock { $0.append("\(token) \(String(decoding: request.body, as: UTF8.self))") }
            guard token == "Bearer kakao:1-2" else {
                return LoopbackResponse(
                    status: 401, headers: [("WWW-Authenticate", #"Bearer error="invalid_token""#)], body: Data())
            }
            return LoopbackResponse(status: 200, headers: [], body: Data("yes".utf8))
        }
        let auth = try await service(at: server.url("/"))
        let body = method == "GET" ? nil : Data("x=1".utf8)
        let request = AuthHTTPRequest(AuthHTTPRequest.Method(rawValue: method), server.url("/notes"), body: body)
        let answer = try await auth.data(for: request)
        #expect(answer.status == 200 && answer.body == Data("yes".utf8))
        let sent = body == nil ? "" : "x=1"
        #expect(seen.withLock { $0 } == ["Bearer kakao:1-1 \(sent)", "Bearer kakao:1-2 \(sent)"])
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectTakesTheTokenNowhere(status: Int) async throws {
        let strayed = Lock(0)
        let elsewhere = try LoopbackServer.start { _ in
            strayed.withLock { $0 += 1 }
            return LoopbackResponse(status: 200)
        }
        let target = elsewhere.url("/steal").absoluteString
        let server = try LoopbackServer.start { _ in
            LoopbackResponse(status: status, headers: [("Location", target)], body: Data())
        }
        let auth = try await service(at: server.url("/"))
        #expect(try await auth.data(for: AuthHTTPRequest(.get, server.url("/"))).status == status)
        await #expect {
            try await auth.data(for: AuthHTTPRequest(.get, elsewhere.url("/steal")))
        } throws: { ($0 as? AuthError)?.code == .misconfigured }
        #expect(strayed.withLock { $0 } == 0)
    }
}
