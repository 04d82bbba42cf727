import AuthStreamsTesting
import Foundation

@testable import AuthStreams

/// A server in memory that takes each refresh token once, as strictly as one can: a second use revokes the session.
///
/// What it is asked and what becomes of the answers is as the test says; it says 'yes' otherwise.
final class RotatingServer: AuthRepository {
    enum Turn: Sendable {
        /// The request does not arrive.
        case unsent(AuthError)
        /// The request is answered, and the answer is lost on the way.
        case lost(AuthError)
        /// The server says so, and does nothing.
        case says(AuthError)
        /// The request waits there, before it is answered; with that error, if there is one, and then nothing is done.
        case held(by: Promise<Void>, reached: Promise<Void>, saying: AuthError? = nil)
        /// The answer is another user's.
        case anothers
    }

    private struct State {
        var turns: [Turn] = []
        var live: [String: String] = [:]
        var used: Set<String> = []
        var revoked: Set<String> = []
        var count = 0
        var sent: [String] = []
        var underWay = 0
        var mostAtOnce = 0
        var signedOut: [String] = []
    }
    private let state = Lock(State())
    let clock: AuthClock
    let lifetime: TimeInterval
    let refreshTokenRule: RefreshTokenRule

    init(clock: AuthClock, lifetime: TimeInterval = 3600, rule: RefreshTokenRule = .singleUse) {
        self.clock = clock
        self.lifetime = lifetime
        refreshTokenRule = rule
    }

    /// What happens to the next refreshes, one each.
    func next(_ turns: Turn...) { state.withLock { $0.turns += turns } }

    func revoke(_ user: String) { _ = state.withLock { $0.revoked.insert(user) } }
    /// What `revoke(_:)` ended may begin anew.
    func allow(_ user: String) { _ = state.withLock { $0.revoked.remove(user) } }

    /// The refresh tokens that arrived or were sent, in order.
    var sent: [String] { state.withLock { $0.sent } }
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }
    var signedOut: [String] { state.withLock { $0.signedOut } }

    func accepts(_ provider: ProviderID) -> Bool { true }

    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        session(of: credential.userID ?? "ada")
    }

    func session(of user: String) -> AuthSession {
        state.withLock { state in
            state.count += 1
            let refresh = "r\(state.count)"
            state.live[refresh] = user
            return AuthSession(
                accessToken: Secret("a\(state.count)"), refreshToken: Secret(refresh),
                expiresAt: clock.date.addingTimeInterval(lifetime), user: AuthUser(id: user), provider: .kakao)
        }
    }

    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        guard let token = session.refreshToken?.reveal() else {
            throw AuthError(.sessionExpired, "Without a refresh token.")
        }
        let turn = state.withLock { state in
            state.sent.append(token)
            state.underWay += 1
            state.mostAtOnce = max(state.mostAtOnce, state.underWay)
            return state.turns.isEmpty ? nil : state.turns.removeFirst()
        }
        defer { state.withLock { $0.underWay -= 1 } }
        switch turn {
        case .unsent(let error), .says(let error): throw error
        case .lost(let error):
            _ = try answer(to: token)
            throw error
        case .held(let gate, let reached, let error):
            reached.resolve(())
            _ = await gate.value()
            if Task.isCancelled { throw .cancelled }
            if let error { throw error }
            return try answer(to: token)
        case .anothers: return self.session(of: "mallory")
        case nil: return try answer(to: token)
        }
    }

    private func answer(to token: String) throws(AuthError) -> AuthSession {
        if refreshTokenRule == .singleUse {
            let user = state.withLock { state -> String? in
                guard state.used.insert(token).inserted, let user = state.live.removeValue(forKey: token),
                    !state.revoked.contains(user)
                else {
                    if let user = state.live[token] { state.revoked.insert(user) }
                    return nil
                }
                return user
            }
            guard let user else { throw AuthError(.sessionExpired, "Scripted.") }
            return session(of: user)
        }
        guard let user = state.withLock({ $0.live[token] }), !state.withLock({ $0.revoked.contains(user) }) else {
            throw AuthError(.sessionExpired, "Scripted.")
        }
        var next = session(of: user)
        next.refreshToken = Secret(token)
        return next
    }

    func signOut(_ session: AuthSession) async throws(AuthError) {
        state.withLock { $0.signedOut.append(session.accessToken.reveal()) }
    }

    func deleteAccount(_ session: AuthSession) async throws(AuthError) {}
}
