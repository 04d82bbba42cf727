import AuthStreams
import Foundation
import LoopbackHTTP

/// The app's own server, with the contract of `ServerRepository`.
struct EmulatedAPI: EmulatorService {
    let hosts = [EmulatorConfiguration.Server.host]
    let state: Lock<ServerState>

    func sessions(at now: Date) -> [SessionCount] {
        state.withLock { state in
            state.accounts.all.map { SessionCount("Server", $0.email ?? $0.id, state.sessions.count(of: $0.id)) }
        }
    }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        if request.path == "/auth/page" { return request.taking("GET") { page(request, in: context) } }
        guard let operations = operations(at: request.path, request.itemID) else { return nil }
        guard let operation = operations[request.method] else {
            return .methodNotAllowed(operations.keys.sorted().joined(separator: ", "))
        }
        do throws(ServerProblem) {
            if let error = request.requestedError { throw ServerProblem(requested: error) }
            let answer = try await operation.run(request, context)
            return answer.map { .json($0) } ?? LoopbackResponse(status: 204)
        } catch {
            return error.response
        }
    }

    /// An operation. It returns `nil` if it has no result.
    private struct Operation {
        let run: (EmulatorRequest, EmulatorContext) async throws(ServerProblem) -> AuthJSON?
    }

    /// Returns the operations at a path, by their methods.
    private func operations(at path: String, _ id: String) -> [String: Operation]? {
        switch path {
        case "/auth/sign-in": ["POST": .init(run: signIn)]
        case "/auth/anonymous": ["POST": .init(run: signInAnonymously)]
        case "/auth/refresh": ["POST": .init(run: refresh)]
        case "/auth/sign-out": ["POST": noContent(signOut)]
        case "/auth/sign-out-everywhere": ["POST": noContent(signOutEverywhere)]
        case "/auth/links": ["POST": .init(run: link)]
        case "/auth/links/\(id)" where !id.isEmpty: ["DELETE": .init(run: unlink)]
        case "/auth/reauthenticate": ["POST": .init(run: reauthenticate)]
        case "/auth/revoke-access": ["POST": noContent(revokeAccess)]
        case "/auth/account": ["DELETE": noContent(deleteAccount)]
        case "/auth/user": ["GET": .init(run: user), "PATCH": .init(run: updateProfile)]
        case "/auth/password": ["POST": .init(run: signInByPassword), "PUT": noContent(changePassword)]
        case "/auth/password/reset": ["POST": noContent(sendPasswordReset)]
        case "/auth/sign-up": ["POST": .init(run: signUp)]
        case "/auth/email-verification": ["POST": noContent(sendEmailVerification)]
        case "/auth/code": ["POST": .init(run: sendCode)]
        case "/auth/email-link": ["POST": noContent(sendLink)]
        case "/auth/challenge": ["POST": .init(run: answer(_:in:))]
        case "/auth/factors": ["GET": .init(run: factors), "POST": .init(run: enroll)]
        case "/auth/factors/\(id)" where !id.isEmpty: ["DELETE": .init(run: removeFactor)]
        case "/auth/passkeys": ["GET": .init(run: passkeys)]
        case "/auth/passkeys/sign-in/options": ["POST": .init(run: passkeyAssertion)]
        case "/auth/passkeys/sign-in/verify": ["POST": .init(run: signInByPasskey)]
        case "/auth/passkeys/registration/options": ["POST": .init(run: passkeyRegistration)]
        case "/auth/passkeys/registration/verify": ["POST": .init(run: registerPasskey)]
        case "/auth/passkeys/\(id)" where !id.isEmpty: ["DELETE": .init(run: removePasskey)]
        default: nil
        }
    }

    private func noContent(
        _ operation: @escaping (EmulatorRequest, EmulatorContext) async throws(ServerProblem) -> Void
    ) -> Operation {
        Operation { request, context throws(ServerProblem) in
            try await operation(request, context)
            return nil
        }
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

extension EmulatedAPI {
    /// `POST /auth/refresh`: returns the next tokens for a refresh token, which is consumed.
    func refresh(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let refreshToken = try ServerBody(request).required("refreshToken")
        let (now, rules) = (context.now, context.configuration.server)
        return try state.withLock { (state) throws(ServerProblem) in
            let userID = state.sessions.family(ofRefreshToken: refreshToken)?.userID
            do throws(ServerProblem) {
                let family = try state.sessions.family(refreshToken: refreshToken, by: rules, now: now)
                let account = try state.accounts.active(family.userID)
                let next = state.sessions.renew(refreshToken, of: family, by: rules, now: now)
                state.refreshes.add(refreshToken, of: userID, next.isRepeated ? .repeated : .replaced)
                return .object(Self.answer(next.tokens, account, family.provider))
            } catch {
                state.refreshes.add(refreshToken, of: userID, .refused(error.word))
                throw error
            }
        }
    }

    /// `POST /auth/sign-out`: ends the family of the refresh token, even if the access token has expired; otherwise
    /// that of the access token.
    func signOut(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) {
        let refreshToken = try ServerBody(request).string("refreshToken")
        let (now, accessToken, rules) = (context.now, request.bearerToken, context.configuration.server)
        try state.withLock { (state) throws(ServerProblem) in
            let caller = state.sessions.family(accessToken: accessToken, now: now)
            guard caller != nil || accessToken == nil || !rules.checksAccessTokenAtSignOut else {
                throw ServerProblem("invalid-access-token", "The access token is expired, revoked or not known.")
            }
            guard let family = state.sessions.family(ofRefreshToken: refreshToken) ?? caller else {
                throw refreshToken == nil
                    ? ServerProblem("invalid-access-token", "The access token is of no session.")
                    : ServerProblem("session-expired", "Neither token is of a session.")
            }
            guard caller?.userID ?? family.userID == family.userID else {
                throw ServerProblem("access-denied", "The refresh token is another user's.")
            }
            state.sessions.end(family.id, .signedOut)
        }
    }

    /// `POST /auth/sign-out-everywhere`: ends every session of the user of the access token.
    func signOutEverywhere(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) {
        try state.withLock { (state) throws(ServerProblem) in
            let caller = try state.caller(request, now: context.now)
            state.sessions.end(caller.family.id, .signedOut)
            state.sessions.endAll(of: caller.account.id, .revoked)
        }
    }
}

extension ServerState {
    /// Returns the session and the user of a valid access token.
    mutating func caller(
        _ request: EmulatorRequest, now: Date
    ) throws(ServerProblem) -> (family: ServerSessions.Family, account: ServerAccount) {
        guard let family = sessions.family(accessToken: request.bearerToken, now: now) else {
            throw ServerProblem("invalid-access-token", "The access token is expired, revoked or not known.")
        }
        return (family, try accounts.active(family.userID))
    }

    /// Returns the session and the user of a valid access token, if the sign-in is recent.
    mutating func recentCaller(
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

extension EmulatorRequest {
    /// The identifier of one item of a list, as `ID` in `/auth/passkeys/ID`: what follows the second component of the path. It is
    /// empty if nothing does.
    var itemID: String {
        path.split(separator: "/", maxSplits: 2).dropFirst(2).first.map(String.init) ?? ""
    }
}

/// The state of the app's server: its users, their sessions, and the refreshes.
struct ServerState {
    var accounts = ServerAccounts()
    var sessions = ServerSessions()
    var refreshes = ServerRefreshLog()
    var challenges = ServerChallenges()
    /// The passwords by address, in lower case.
    var passwords: [String: String] = [:]
    /// The second factors by user.
    var factors: [String: [ServerFactor]] = [:]
    var passkeys = ServerPasskeys()
    /// The names of the steps that users have to take on a page.
    var steps: [String: String] = [:]
}
