import AuthStreams
import Foundation

/// A server in memory that speaks a small JSON, for the repositories that the contract is tried on.
final class SampleServer: AuthHTTPTransport {
    struct User {
        var id: String
        var isDisabled = false
        var isDeleted = false
        var isRecent = true
        /// The identities, by provider.
        var identities: [String: String] = [:]
        var name: AuthJSON?
        var photo: AuthJSON?
    }
    private struct State {
        var number = 0
        var users: [String: User] = [:]
        /// Of which user each token is.
        var accessTokens: [String: String] = [:]
        var refreshTokens: [String: String] = [:]
        var revoked: Set<String> = []
        /// The sign-ins that wait for a code, by token.
        var pending: [String: String] = [:]
        /// The persons whose access the provider has revoked.
        var withdrawn: Set<String> = []
    }
    private let state = Lock(State())

    /// A credential that it takes, of a person.
    func newCredential(of person: String = "mia", at provider: ProviderID = "sample") -> Credential {
        Credential(provider: provider, accessToken: Secret("good credential \(next()) of \(person)"), userID: person)
    }

    /// A credential whose sign-in waits for the code 123456.
    func askingCredential() -> Credential {
        Credential(provider: "sample", accessToken: Secret("asking credential \(next()) of mia"), userID: "mia")
    }

    /// Lets so much time pass that no sign-in is recent.
    func age() { state.withLock { state in for id in state.users.keys { state.users[id]?.isRecent = false } } }

    /// Whether the provider lets the app do anything for that person.
    func grants(_ person: String?) -> Bool { state.withLock { !$0.withdrawn.contains(person ?? "") } }

    func takes(_ accessToken: Secret) -> Bool { state.withLock { $0.accessTokens[accessToken.reveal()] != nil } }
    func revoke(_ user: String) { state.withLock { _ = $0.revoked.insert(user) } }
    func disable(_ user: String) { state.withLock { $0.users[user]?.isDisabled = true } }
    func rename(_ user: String, to name: String) { state.withLock { $0.users[user]?.name = .string(name) } }
    func delete(_ user: String) { state.withLock { $0.users[user]?.isDeleted = true } }

    private func next() -> Int {
        state.withLock { state in
            state.number += 1
            return state.number
        }
    }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        let members = (try? JSONDecoder().decode(AuthJSON.self, from: request.body ?? Data())) ?? .null
        let caller = state.withLock { $0.accessTokens[request.headers[.authorization] ?? ""] }
        switch request.url.lastPathComponent {
        case "sign-in":
            if members["credential"]?.string?.hasPrefix("asking") == true { return challenge(403, "challenge", "mia") }
            guard let identity = identity(in: members) else { return answer(401, ["error": "bad-credential"]) }
            return session(of: owner(of: identity) ?? newUser(identity))
        case "anonymous": return session(of: newUser(nil))
        case "refresh": return refresh(members["refreshToken"]?.string ?? "")
        case "sign-out":
            state.withLock { $0.refreshTokens[members["refreshToken"]?.string ?? ""] = nil }
            return answer(200, ["done": true])
        case "answer":
            guard let person = state.withLock({ $0.pending.removeValue(forKey: members["token"]?.string ?? "") }) else {
                return answer(401, ["error": "no-challenge"])
            }
            guard members["code"] == "123456" else { return challenge(400, "wrong-code", person) }
            return session(of: owner(of: ("sample", person)) ?? newUser(("sample", person)))
        case "note": return answer(200, ["done": true])
        default:
            guard let caller else { return answer(401, ["error": "bad-token"]) }
            return change(request.url.lastPathComponent, members, of: caller)
        }
    }

    private func challenge(_ status: Int, _ error: AuthJSON, _ person: String) -> AuthHTTPResponse {
        let token = "pending token \(next())"
        state.withLock { $0.pending[token] = person }
        return answer(status, ["error": error, "token": .string(token)])
    }

    private func refresh(_ token: String) -> AuthHTTPResponse {
        guard let id = state.withLock({ $0.refreshTokens[token] }) else { return answer(401, ["error": "expired"]) }
        let (user, isRevoked) = state.withLock { ($0.users[id], $0.revoked.contains(id)) }
        if isRevoked { return answer(401, ["error": "revoked"]) }
        if user?.isDeleted != false { return answer(401, ["error": "no-user"]) }
        if user?.isDisabled == true { return answer(401, ["error": "disabled"]) }
        state.withLock { $0.refreshTokens[token] = nil }
        return session(of: id)
    }

    /// What takes an access token.
    private func change(_ name: String, _ members: AuthJSON, of caller: String) -> AuthHTTPResponse {
        let user = state.withLock { $0.users[caller] } ?? User(id: caller)
        switch name {
        case "user", "profile": return profile(name == "user" ? .null : members, of: user)
        case "account":
            guard user.isRecent else { return answer(403, ["error": "too-old"]) }
            if members["keep"] == nil { delete(caller) }
        case "everywhere":
            state.withLock { state in state.refreshTokens = state.refreshTokens.filter { $0.value != caller } }
        case "unlink": state.withLock { $0.users[caller]?.identities[members["provider"]?.string ?? ""] = nil }
        default:
            guard let identity = identity(in: members) else { return answer(401, ["error": "bad-credential"]) }
            guard owner(of: identity) ?? caller == caller, name == "link" || owner(of: identity) == caller else {
                return answer(409, ["error": name == "revoke" ? "not-yours" : "in-use"])
            }
            state.withLock { state in
                switch name {
                case "link": state.users[caller]?.identities[identity.provider] = identity.person
                case "revoke": state.withdrawn.insert(identity.person)
                default: state.users[caller]?.isRecent = true
                }
            }
        }
        return session(of: caller)
    }

    private func profile(_ changes: AuthJSON, of user: User) -> AuthHTTPResponse {
        if user.isDeleted { return answer(401, ["error": "no-user"]) }
        if user.isDisabled { return answer(401, ["error": "disabled"]) }
        var next = user
        next.name = changes["name"] ?? user.name
        next.photo = changes["photo"] ?? user.photo
        let changed = next
        state.withLock { $0.users[user.id] = changed }
        return answer(200, ["name": changed.name ?? .null, "photo": changed.photo ?? .null])
    }

    private func identity(in members: AuthJSON) -> (provider: String, person: String)? {
        guard let credential = members["credential"]?.string, credential.hasPrefix("good credential"),
            let person = credential.split(separator: " ").last
        else { return nil }
        return (members["provider"]?.string ?? "sample", String(person))
    }

    private func owner(of identity: (provider: String, person: String)) -> String? {
        state.withLock { state in
            state.users.values.first { !$0.isDeleted && $0.identities[identity.provider] == identity.person }?.id
        }
    }

    private func newUser(_ identity: (provider: String, person: String)?) -> String {
        let number = next()
        return state.withLock { state in
            var user = User(id: "user \(number)")
            if let identity { user.identities[identity.provider] = identity.person }
            state.users[user.id] = user
            return user.id
        }
    }

    private func session(of user: String) -> AuthHTTPResponse {
        let number = next()
        let identities = state.withLock { state in
            state.accessTokens["access token \(number)"] = user
            state.refreshTokens["refresh token \(number)"] = user
            return state.users[user]?.identities.keys.sorted() ?? []
        }
        return answer(
            200,
            [
                "accessToken": .string("access token \(number)"), "refreshToken": .string("refresh token \(number)"),
                "user": .string(user), "providers": .array(identities.map(AuthJSON.string)),
            ])
    }

    private func answer(_ status: Int, _ members: [String: AuthJSON]) -> AuthHTTPResponse {
        AuthHTTPResponse(status: status, body: (try? JSONEncoder().encode(AuthJSON.object(members))) ?? Data())
    }
}
