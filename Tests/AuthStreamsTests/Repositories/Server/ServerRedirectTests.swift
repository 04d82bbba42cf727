import AuthStreams
import AuthStreamsTesting
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

/// A redirect is never followed: its target gets no token.
@Suite(.limitedParallelization) struct ServerRedirectTests {
    private static let answer = Data(#"{"accessToken":"at","refreshToken":"rt","user":{"id":"u1"}}"#.utf8)

    @Test(arguments: ServerOperation.allCases, [301, 302, 303, 307, 308])
    func noTokenFollowsARedirectToAnotherOrigin(operation: ServerOperation, status: Int) async throws {
        let visits = Lock(0)
        let elsewhere = try LoopbackServer.start { _ in
            visits.withLock { $0 += 1 }
            return .json(Self.answer)
        }
        let paths = Lock<[String]>([])
        let server = try LoopbackServer.start { request in
            paths.withLock { $0.append(request.path) }
            return .redirect(to: "http://127.0.0.1:\(elsewhere.port)\(request.path)", status: status)
        }
        let base = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1"))
        let repository = ServerFixture.repository(URLSessionTransport.untimed(), at: base)
        let error = try await serverFailure { () throws(AuthError) in try await operation.run(repository) }
        #expect(error.code == .invalidResponse)
        #expect(error.explanation.contains("redirect (\(status))"))
        #expect(error.explanation.contains("base URL"))
        #expect(visits.withLock { $0 } == 0)
        #expect(paths.withLock { $0.count } == 1)
    }
}
