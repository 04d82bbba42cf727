import AuthStreams
import Foundation

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
            let sessions = state.sessions
            let caller = sessions.family(accessToken: accessToken, now: now)
            guard caller != nil || accessToken == nil || !rules.checksAccessTokenAtSignOut else {
                throw ServerProblem("invalid-access-token", "The access token is expired, revoked or not known.")
            }
            guard let family = sessions.family(ofRefreshToken: refreshToken) ?? caller else {
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
