import AuthStreams
import Testing

/// What a repository can be asked for beside signing in, refreshing and leaving.
enum ServerChange: String, CaseIterable, CustomTestStringConvertible {
    case link, unlink, reauthenticate, anonymous, everywhere, revokeAccess

    var testDescription: String { rawValue }

    @discardableResult
    func run(_ repository: ServerRepository) async throws(AuthError) -> AuthSession? {
        let (session, credential) = (ServerFixture.session, ServerFixture.credential)
        switch self {
        case .link: return try await repository.link(credential, to: session)
        case .unlink: return try await repository.unlink(.kakao, from: session)
        case .reauthenticate: return try await repository.reauthenticate(session, with: credential)
        case .anonymous: return try await repository.signInAnonymously()
        case .everywhere: try await repository.signOutEverywhere(session)
        case .revokeAccess: try await repository.revokeAccess(with: credential, of: session)
        }
        return nil
    }

    /// The session that comes of an answer.
    func session(after answer: AuthHTTPResponse) async throws(AuthError) -> AuthSession? {
        try await run(ServerFixture.repository(AnsweringTransport([answer], toReload: .page(status: 502))))
    }

    /// The error that it ends with when the server answers so.
    func error(after answer: AuthHTTPResponse) async -> AuthError? {
        do throws(AuthError) { _ = try await session(after: answer) } catch { return error }
        return nil
    }
}
