import AuthStreams
import Foundation
import Testing

/// A server's repository, its answers, and tokens with characters that show a wrong encoding.
enum ServerFixture {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let base = URL(string: "https://api.example.com/v1") ?? URL(filePath: "/")

    static let credential = Credential(
        provider: .google, idToken: Secret("provider+id/token=&."), rawNonce: Secret("raw+nonce/&="),
        accessToken: Secret("provider+access/token="),
        authorizationCode: .init(
            code: Secret("authorization+code/&"), state: Secret("state+1"), redirectURI: URL(string: "demo://cb?x=1"),
            codeVerifier: Secret("verifier~secret")),
        serverAuthCode: Secret("server+auth/code"), userID: "1001",
        profile: .init(name: PersonName(givenName: "길동", familyName: "홍 \"&\""), email: "gildong@example.com"))

    static let session = AuthSession(
        accessToken: Secret("old+access"), refreshToken: Secret("old+refresh"), expiresAt: now,
        user: AuthUser(id: "u1", displayName: "Kept", claims: ["old": true]), provider: .kakao, isNewUser: true)

    /// Everything secret in here.
    static let secrets = [
        "provider+id/token=&.", "raw+nonce/&=", "provider+access/token=", "authorization+code/&", "state+1",
        "verifier~secret", "server+auth/code", "old+access", "old+refresh",
    ]

    static func repository(
        _ transport: any AuthHTTPTransport, at base: URL = base, _ contract: ServerContract = ServerContract(),
        accepting providers: Set<ProviderID>? = nil,
        headers: (@Sendable () async throws -> [HeaderName: String])? = nil,
        clock: AuthClock = AuthClock(ContinuousClock()) { now }
    ) -> ServerRepository {
        ServerRepository(
            at: base, contract: contract, accepting: providers, headers: headers, transport: transport,
            clock: clock)
    }

    static let signedIn = AuthHTTPResponse.json(#"{"accessToken":"at","refreshToken":"rt","user":{"id":"u1"}}"#)
}

/// What a repository can be asked for.
enum ServerOperation: String, CaseIterable, CustomTestStringConvertible {
    case signIn, refresh, adopt, signOut, delete

    var testDescription: String { rawValue }

    func run(_ repository: ServerRepository) async throws(AuthError) {
        switch self {
        case .signIn: _ = try await repository.signIn(with: ServerFixture.credential)
        case .refresh: _ = try await repository.refresh(ServerFixture.session)
        case .adopt: _ = try await repository.adopt(refreshToken: Secret("old+refresh"))
        case .signOut: try await repository.signOut(ServerFixture.session)
        case .delete: try await repository.deleteAccount(ServerFixture.session)
        }
    }

    /// The error that it ends with when the server answers so.
    func error(after answer: AuthHTTPResponse, _ contract: ServerContract = ServerContract()) async throws -> AuthError?
    {
        let repository = ServerFixture.repository(AnsweringTransport([answer], toReload: .page(status: 502)), contract)
        do throws(AuthError) { try await run(repository) } catch { return error }
        return nil
    }
}

/// Answers requests from a list, remembers them, and records an issue for one too many.
final class AnsweringTransport: AuthHTTPTransport {
    private let answers: Lock<[AuthHTTPResponse]>
    private let log = Lock<[AuthHTTPRequest]>([])

    private let reloaded: AuthHTTPResponse?

    /// - Parameter reloaded: Answers the question for the user that follows the listed answers, if it comes.
    init(_ answers: [AuthHTTPResponse], toReload reloaded: AuthHTTPResponse? = nil) {
        self.answers = Lock(answers)
        self.reloaded = reloaded
    }

    var requests: [AuthHTTPRequest] { log.withLock { $0 } }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        log.withLock { $0.append(request) }
        let next = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let answer = next ?? (request.method == .get ? reloaded : nil) else {
            Issue.record("An unexpected request: \(request)")
            throw AuthError(.network, "There is no answer left.")
        }
        return answer
    }
}

extension AuthHTTPRequest {
    /// Method and whole URL, as on the wire.
    var line: String { "\(method.rawValue) \(url.absoluteString)" }
    var json: AuthJSON? { body.flatMap { try? JSONDecoder().decode(AuthJSON.self, from: $0) } }
}

extension AuthHTTPResponse {
    static func json(_ text: String, status: Int = 200, headers: [HeaderName: String] = [:]) -> Self {
        Self(
            status: status, headers: headers.merging([.contentType: "application/json"]) { given, _ in given },
            body: Data(text.utf8))
    }

    /// Problem details of that type; without one when it is `nil`.
    static func problem(_ type: String?, status: Int, headers: [HeaderName: String] = [:]) -> Self {
        let type = type.map { #""type":"\#($0)","# } ?? ""
        let all = headers.merging([.contentType: "application/problem+json; charset=utf-8"]) { given, _ in given }
        return .json(#"{\#(type)"title":"No.","status":\#(status)}"#, status: status, headers: all)
    }

    static func page(status: Int) -> Self {
        .json("<!doctype html><title>Sign in to Wi-Fi</title>", status: status, headers: [.contentType: "text/html"])
    }
}

/// The error of an attempt that has to fail.
func serverFailure<Value>(
    of attempt: () async throws(AuthError) -> Value, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> AuthError {
    do throws(AuthError) { _ = try await attempt() } catch { return error }
    Issue.record("It succeeded.", sourceLocation: sourceLocation)
    throw AuthError(.unexpected, "It succeeded.")
}
