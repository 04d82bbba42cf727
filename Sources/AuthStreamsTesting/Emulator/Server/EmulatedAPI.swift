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
        guard let endpoint = APIEndpoint(path: request.path) else { return nil }
        guard endpoint.methods.contains(request.method) else {
            return .methodNotAllowed(endpoint.methods.joined(separator: ", "))
        }
        if endpoint == .page { return page(request, in: context) }
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
        case .password where request.method == "PUT": try changePassword(request, in: context)
        case .password: return try signInByPassword(request, in: context)
        case .signUp: return try signUp(request, in: context)
        case .passwordReset: try sendMail(.passwordReset, request, in: context)
        case .emailVerification: try sendMail(.emailVerification, request, in: context)
        case .code: return try sendCode(request, in: context)
        case .emailLink: try sendLink(request, in: context)
        case .challenge: return try self.answer(request, in: context)
        case .factors where request.method == "GET": return try factors(request, in: context)
        case .factors: return try enroll(request, in: context)
        case .factor(let id): return try removeFactor(id, request, in: context)
        case .passkeyAssertion: return try passkeyAssertion(request, in: context)
        case .passkeySignIn: return try signInByPasskey(request, in: context)
        case .passkeyRegistration: return try passkeyRegistration(request, in: context)
        case .passkeyAddition: return try registerPasskey(request, in: context)
        case .passkeys: return try passkeys(request, in: context)
        case .passkey(let id): return try removePasskey(id, request, in: context)
        case .page: break
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

/// The endpoints of the app's server.
enum APIEndpoint: Hashable, Sendable {
    case signIn, anonymous, refresh, signOut, signOutEverywhere, link, reauthenticate, revokeAccess, account
    case user
    case unlink(ProviderID)
    case password, signUp, passwordReset, emailVerification, code, emailLink, challenge, factors, page
    case passkeyAssertion, passkeySignIn, passkeyRegistration, passkeyAddition, passkeys
    case factor(String)
    case passkey(String)

    /// Finds the endpoint of a path.
    init?(path: String) {
        let (links, factors, passkeys) = ("/auth/links/", "/auth/factors/", "/auth/passkeys/")
        switch path {
        case "/auth/sign-in": self = .signIn
        case "/auth/anonymous": self = .anonymous
        case "/auth/refresh": self = .refresh
        case "/auth/sign-out": self = .signOut
        case "/auth/sign-out-everywhere": self = .signOutEverywhere
        case "/auth/links": self = .link
        case "/auth/reauthenticate": self = .reauthenticate
        case "/auth/revoke-access": self = .revokeAccess
        case "/auth/account": self = .account
        case "/auth/user": self = .user
        case "/auth/password": self = .password
        case "/auth/sign-up": self = .signUp
        case "/auth/password/reset": self = .passwordReset
        case "/auth/email-verification": self = .emailVerification
        case "/auth/code": self = .code
        case "/auth/email-link": self = .emailLink
        case "/auth/challenge": self = .challenge
        case "/auth/factors": self = .factors
        case "/auth/page": self = .page
        case "/auth/passkeys/sign-in/options": self = .passkeyAssertion
        case "/auth/passkeys/sign-in/verify": self = .passkeySignIn
        case "/auth/passkeys/registration/options": self = .passkeyRegistration
        case "/auth/passkeys/registration/verify": self = .passkeyAddition
        case "/auth/passkeys": self = .passkeys
        case _ where path.hasPrefix(passkeys) && path != passkeys:
            self = .passkey(String(path.dropFirst(passkeys.count)))
        case _ where path.hasPrefix(factors) && path != factors:
            self = .factor(String(path.dropFirst(factors.count)))
        case _ where path.hasPrefix(links) && path != links:
            self = .unlink(ProviderID(rawValue: String(path.dropFirst(links.count))))
        default: return nil
        }
    }

    /// The methods of the endpoint.
    var methods: [String] {
        switch self {
        case .account, .unlink, .factor, .passkey: ["DELETE"]
        case .user: ["GET", "PATCH"]
        case .password: ["POST", "PUT"]
        case .factors: ["GET", "POST"]
        case .page, .passkeys: ["GET"]
        default: ["POST"]
        }
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
