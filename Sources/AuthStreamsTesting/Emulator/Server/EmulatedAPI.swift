import AuthStreams
import AuthStreamsOAuth
import Foundation

/// The app's own server, as the contract of `ServerRepository` describes one.
struct EmulatedAPI: EmulatorService {
    let hosts = [EmulatorConfiguration.Server.host]
    let state: Lock<ServerState>

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        let methods = [
            "/auth/sign-in": "POST", "/auth/refresh": "POST", "/auth/sign-out": "POST", "/auth/account": "DELETE",
        ]
        guard let method = methods[request.path] else { return nil }
        guard request.method == method else { return .methodNotAllowed(method) }
        do throws(ServerProblem) {
            if let error = request.requestedError { throw ServerProblem(requested: error) }
            switch request.path {
            case "/auth/sign-in": return .json(try await signIn(request, in: context))
            case "/auth/refresh": return .json(try refresh(request, in: context))
            case "/auth/sign-out": try signOut(request, in: context)
            default: try deleteAccount(request, in: context)
            }
            return LoopbackResponse(status: 204)
        } catch {
            return error.response
        }
    }
}

extension EmulatedAPI {
    /// `POST /auth/refresh`: the next tokens for a refresh token, which is used up.
    private func refresh(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> JSONValue {
        let refreshToken = try ServerBody(request).required("refreshToken")
        let (now, rules) = (context.now, context.configuration.server)
        return try state.withLock { (state) throws(ServerProblem) in
            let family = try state.sessions.family(refreshToken: refreshToken, now: now)
            let account = try state.accounts.active(family.userID)
            state.sessions.use(refreshToken)
            let tokens = state.sessions.issue(for: family, by: rules, now: now)
            return .object(Self.answer(tokens, account, family.provider))
        }
    }

    /// `POST /auth/sign-out`: ends the family of the refresh token, else of the access token.
    private func signOut(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) {
        let refreshToken = try ServerBody(request).string("refreshToken")
        let (now, accessToken) = (context.now, request.bearerToken)
        try state.withLock { (state) throws(ServerProblem) in
            let sessions = state.sessions
            let caller = sessions.family(accessToken: accessToken, now: now)
            guard let family = sessions.family(ofRefreshToken: refreshToken) ?? caller else {
                throw ServerProblem("invalid-access-token", "Neither token is of a session.")
            }
            guard caller?.userID ?? family.userID == family.userID else {
                throw ServerProblem("access-denied", "The refresh token is another user's.")
            }
            state.sessions.revoke(family.id)
        }
    }

    /// `DELETE /auth/account`: deletes the user of the access token, if they signed in not long ago.
    private func deleteAccount(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) {
        let (now, accessToken) = (context.now, request.bearerToken)
        let recent = context.configuration.server.recentSignIn / .seconds(1)
        try state.withLock { (state) throws(ServerProblem) in
            guard let family = state.sessions.family(accessToken: accessToken, now: now) else {
                throw ServerProblem("invalid-access-token", "The access token is expired, revoked or not known.")
            }
            _ = try state.accounts.active(family.userID)
            guard now.timeIntervalSince(family.signedInAt) <= recent else {
                throw ServerProblem("requires-recent-sign-in", "The last sign-in is too long ago.")
            }
            _ = state.accounts.remove(family.userID)
        }
    }

    static func answer(
        _ tokens: ServerSessions.Tokens, _ account: ServerAccount, _ provider: ProviderID
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "accessToken": .string(tokens.access), "expiresIn": .integer(tokens.lifetime.components.seconds),
            "user": account.json, "provider": .string(provider.rawValue),
        ]
        members.add("refreshToken", tokens.refresh)
        return members
    }
}
