import AuthStreams
import Foundation
import LoopbackHTTP

/// The app's own server, with the contract of `ServerRepository`.
struct EmulatedAPI: EmulatorService {
    let hosts = [EmulatorConfiguration.Server.host]
    let state: Lock<ServerState>

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard let endpoint = APIEndpoint(path: request.path) else { return nil }
        guard endpoint.methods.contains(request.method) else {
            return .methodNotAllowed(endpoint.methods.joined(separator: ", "))
        }
        do throws(ServerProblem) {
            if let error = request.requestedError { throw ServerProblem(requested: error) }
            let answer = try await answer(to: request, at: endpoint, in: context)
            return answer.map { .json($0) } ?? LoopbackResponse(status: 204)
        } catch {
            return error.response
        }
    }

    /// - Returns: `nil` for an operation without a result.
    private func answer(
        to request: EmulatorRequest, at endpoint: APIEndpoint, in context: EmulatorContext
    ) async throws(ServerProblem) -> AuthJSON? {
        switch endpoint {
        case .signIn: return try await signIn(request, in: context)
        case .anonymous: return try signInAnonymously(in: context)
        case .refresh: return try refresh(request, in: context)
        case .signOut: try signOut(request, in: context)
        case .signOutEverywhere: try signOutEverywhere(request, in: context)
        case .link: return try await link(request, in: context)
        case .unlink(let provider): return try unlink(provider, request, in: context)
        case .reauthenticate: return try await reauthenticate(request, in: context)
        case .revokeAccess: try await revokeAccess(request, in: context)
        case .account: try deleteAccount(request, in: context)
        case .user:
            return try request.method == "GET" ? user(request, in: context) : updateProfile(request, in: context)
        }
        return nil
    }

    static func answer(
        _ tokens: ServerSessions.Tokens, _ account: ServerAccount, _ provider: ProviderID
    ) -> [String: AuthJSON] {
        var members: [String: AuthJSON] = [
            "accessToken": .string(tokens.access), "expiresIn": .integer(tokens.lifetime.components.seconds),
            "user": account.json, "provider": .string(provider.rawValue),
        ]
        members.add("refreshToken", tokens.refresh)
        return members
    }
}

extension ServerState {
    /// Returns the session and the user of a valid access token.
    func caller(
        _ request: EmulatorRequest, now: Date
    ) throws(ServerProblem) -> (family: ServerSessions.Family, account: ServerAccount) {
        guard let family = sessions.family(accessToken: request.bearerToken, now: now) else {
            throw ServerProblem("invalid-access-token", "The access token is expired, revoked or not known.")
        }
        return (family, try accounts.active(family.userID))
    }

    /// Returns the session and the user of a valid access token, if the sign-in is recent.
    func recentCaller(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(ServerProblem) -> (family: ServerSessions.Family, account: ServerAccount) {
        let caller = try caller(request, now: context.now)
        let recent = context.configuration.server.recentSignIn / .seconds(1)
        guard context.now.timeIntervalSince(caller.family.signedInAt) <= recent else {
            throw ServerProblem("requires-recent-sign-in", "The last sign-in is too long ago.")
        }
        return caller
    }
}
