import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Describes, dumps, interpolates and reflects everything that holds a secret, and finds none.
@Suite struct SecretsSuite {
    private static let mark = "S3CRET"
    private static let secret = Secret(mark)

    struct Holder: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () async throws -> any Sendable

        init(_ name: String, _ make: @escaping @Sendable () async throws -> any Sendable) {
            testDescription = name
            self.make = make
        }
    }

    private static let user = AuthUser(id: "u1", email: "kim@example.com", claims: ["role": "admin"])
    private static let session = Session(
        accessToken: secret, refreshToken: secret, expiresAt: Date(timeIntervalSince1970: 0), user: user,
        provider: .kakao)
    private static let credential = Credential(
        provider: .naver, idToken: secret, rawNonce: secret, accessToken: secret,
        authorizationCode: .init(
            code: secret, state: secret, redirectURI: URL(string: "app://cb"), codeVerifier: secret))

    private static func url() throws -> URL {
        try #require(URL(string: "https://me:\(mark)@id.example/token?code=\(mark)#id_token=\(mark)"))
    }

    static let holders = [
        Holder("Secret") { secret },
        Holder("an optional and a collection") { [secret: [secret as Secret?]] },
        Holder("Session") { session },
        Holder("Credential") { credential },
        Holder("a result") { Result<Credential, AuthError>.success(credential) },
        Holder("HTTPRequest") {
            HTTPRequest(.post, try url(), headers: [.authorization: "Bearer \(mark)"], body: Data(mark.utf8))
        },
        Holder("HTTPResponse") {
            HTTPResponse(status: 200, headers: ["set-cookie": mark], body: Data(mark.utf8))
        },
        Holder("JSONWebToken") {
            let claims = Base64URL.encode(Data(#"{"nonce": "\#(mark)"}"#.utf8))
            return try #require(JSONWebToken(Secret("e30.\(claims).\(mark)")))
        },
        Holder("what a server repository reads and throws") {
            let body = #"{"accessToken":"\#(mark)","refreshToken":"\#(mark)","user":{"id":"u1"}}"#
            let answer = HTTPResponse(status: 200, body: Data(body.utf8))
            let problem = HTTPResponse(
                status: 403, headers: [.contentType: "application/problem+json"],
                body: Data(#"{"type":"https://e.example/\#(mark)","detail":"\#(mark)"}"#.utf8))
            return [
                try ServerResponse(answer, by: ServerContract()),
                ServerErrorResponse(problem, to: .refresh, by: .init()),
                ServerErrorResponse(problem, to: .refresh, by: .init()).error, try #require(ProblemDetails(problem)),
            ] as [any Sendable]
        },
        Holder("MemorySessionStore") {
            let store = MemorySessionStore()
            try await store.write(Data(mark.utf8), for: .session)
            return store
        },
        Holder("CallbackExpectation that has its URL") {
            let router = CallbackRouter()
            let expectation = router.expect { _ in true }
            router.handle(try url())
            return expectation
        },
        Holder("Promise that has its value") {
            let shot = Promise<String>()
            shot.resolve(mark)
            return shot
        },
        Holder("AuthError over a URLError") {
            AuthError(
                wrapping: URLError(
                    .timedOut,
                    userInfo: [
                        NSURLErrorFailingURLErrorKey: try url(),
                        "NSErrorFailingURLStringKey": try url().absoluteString,
                        NSLocalizedDescriptionKey: mark,
                        NSUnderlyingErrorKey: NSError(domain: "below", code: 1, userInfo: ["t": mark]),
                    ]))
        },
        Holder("AuthError over a DecodingError") {
            do {
                _ = try JSONDecoder().decode([Int].self, from: Data(#"["\#(mark)"]"#.utf8))
                return secret
            } catch {
                let context = DecodingError.Context(codingPath: [], debugDescription: mark, underlyingError: error)
                return [AuthError(wrapping: error), AuthError(wrapping: DecodingError.dataCorrupted(context))]
            }
        },
        Holder("AuthError over an error that carries a token") {
            struct Leaky: LocalizedError {
                var token = mark
                var errorDescription: String? { token }
            }
            enum Telling: Error { case token(String) }
            return [
                AuthError(wrapping: Leaky()), AuthError(.server, "It failed.", cause: Telling.token(mark)),
                AuthError(.server, "It failed.", cause: NSError(domain: "d", code: 1, userInfo: ["token": mark])),
            ]
        },
    ]

    @Test(arguments: holders)
    func showsNoSecret(holder: Holder) async throws {
        let printed = everythingPrinted(of: try await holder.make())
        #expect(!printed.isEmpty)
        #expect(!printed.contains(Self.mark), "\(printed)")
    }

    /// The search is only worth something if it finds what is not hidden.
    @Test func searchFindsWhatIsNotHidden() {
        struct Careless {
            var inner = ["key": [Data("S3CRET".utf8) as Data?]]
        }
        #expect(everythingPrinted(of: Careless()).contains(Self.mark))
        #expect(everythingPrinted(of: NSError(domain: "d", code: 1, userInfo: ["t": Self.mark])).contains(Self.mark))
        #expect(everythingPrinted(of: [(1, Self.mark)]).contains(Self.mark))
    }
}
