import AuthStreams
import Foundation

/// A server in memory that speaks a small JSON, for the repositories that the contract is tried on.
final class SampleServer: HTTPTransport {
    struct User {
        var id: String
        var isDisabled = false
        var isDeleted = false
    }
    private struct State {
        var number = 0
        var users: [String: User] = [:]
        /// Of which user each token is.
        var accessTokens: [String: String] = [:]
        var refreshTokens: [String: String] = [:]
        var revoked: Set<String> = []
    }
    private let state = Lock(State())

    /// A credential that it takes, of a person.
    func newCredential() -> Credential {
        Credential(provider: "sample", accessToken: Secret("good credential \(next())"), userID: "mia")
    }

    func takes(_ accessToken: Secret) -> Bool { state.withLock { $0.accessTokens[accessToken.reveal()] != nil } }
    func revoke(_ user: String) { state.withLock { _ = $0.revoked.insert(user) } }
    func disable(_ user: String) { state.withLock { $0.users[user]?.isDisabled = true } }
    func delete(_ user: String) { state.withLock { $0.users[user]?.isDeleted = true } }

    private func next() -> Int {
        state.withLock { state in
            state.number += 1
            return state.number
        }
    }

    func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        let members = (try? JSONDecoder().decode(JSONValue.self, from: request.body ?? Data())) ?? .null
        switch request.url.lastPathComponent {
        case "sign-in":
            guard members["credential"]?.string?.hasPrefix("good credential") == true else {
                return answer(401, ["error": "bad-credential"])
            }
            return session(of: members["person"]?.string ?? "mia")
        case "refresh":
            let token = members["refreshToken"]?.string ?? ""
            guard let id = state.withLock({ $0.refreshTokens[token] }) else { return answer(401, ["error": "expired"]) }
            let (user, isRevoked) = state.withLock { ($0.users[id], $0.revoked.contains(id)) }
            if isRevoked { return answer(401, ["error": "revoked"]) }
            if user?.isDeleted != false { return answer(401, ["error": "no-user"]) }
            if user?.isDisabled == true { return answer(401, ["error": "disabled"]) }
            state.withLock { $0.refreshTokens[token] = nil }
            return session(of: id)
        case "sign-out":
            state.withLock { $0.refreshTokens[members["refreshToken"]?.string ?? ""] = nil }
            return answer(200, ["done": true])
        case "account":
            let token = request.headers[.authorization] ?? ""
            guard let user = state.withLock({ $0.accessTokens[token] }) else { return answer(401, [:]) }
            delete(user)
            return answer(200, ["done": true])
        case "note": return answer(200, ["done": true])
        default: return answer(404, [:])
        }
    }

    private func session(of user: String) -> HTTPResponse {
        let number = next()
        state.withLock { state in
            if state.users[user]?.isDeleted != false { state.users[user] = User(id: user) }
            state.accessTokens["access token \(number)"] = user
            state.refreshTokens["refresh token \(number)"] = user
        }
        return answer(
            200,
            [
                "accessToken": .string("access token \(number)"), "refreshToken": .string("refresh token \(number)"),
                "user": .string(user),
            ])
    }

    private func answer(_ status: Int, _ members: [String: JSONValue]) -> HTTPResponse {
        HTTPResponse(status: status, body: (try? JSONEncoder().encode(JSONValue.object(members))) ?? Data())
    }
}
