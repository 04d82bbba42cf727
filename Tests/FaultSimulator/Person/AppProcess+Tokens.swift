import AuthStreams
import Foundation

extension AppProcess {
    /// Asks for an access token.
    func token(force: Bool) {
        guard let service else { return }
        ask(.token(isForced: force)) { [self] call in
            call.began(in: self)
            let result: Result<Secret, AuthError>
            do throws(AuthError) { result = .success(try await service.accessToken(forceRefresh: force)) } catch {
                result = .failure(error)
            }
            switch result {
            case .success(let token): handedOut(token, to: call)
            case .failure(let error): world.ledger.told(error, to: call, in: self)
            }
            call.resulted(result.story, in: self)
        }
    }

    /// Does something at the server with an access token, once more when the first is refused.
    func use() {
        guard let service else { return }
        ask(.use) { [self] call in
            call.began(in: self)
            do {
                try await service.withAccessToken { token in
                    handedOut(token, to: call)
                    let url = URL(literal: "https://server.test/api/use")
                    let request = AuthHTTPRequest(.post, url, headers: [.authorization: "Bearer \(token.reveal())"])
                    let response = try await NetworkLine(self).send(request)
                    if response.status == 401 { throw AccessTokenRefused() }
                    call.hasSucceeded = response.isSuccess
                }
                call.resulted("success", in: self)
            } catch {
                call.resulted((error as? AuthError)?.code.rawValue ?? "\(error)", in: self)
            }
        }
    }

    /// Checks a token that a caller was given: whose it is, and whether it would be lost by a crash now.
    private func handedOut(_ token: Secret, to call: Call) {
        guard let name = TokenName(token.reveal()) else {
            return world.broke(.tokensKeepToTheirUser, "\(call.name) is given a token that was never issued.")
        }
        world.note(self, "\(call.name) is given \(name)")
        if isChangeAsking(since: call.time) { world.met(.token) }
        // The state may have changed in the job that gives it out.
        conduct.observe(self)
        let owner = world.server.user(of: name.family)
        if let user = call.user, user != owner {
            world.broke(.tokensKeepToTheirUser, "\(name), which is user \(owner)'s, is given to user \(user).")
        }
        if !conduct.hadUser(owner, since: call.begin) {
            world.broke(.tokensKeepToTheirUser, "\(name) is given out, and user \(owner) is not signed in.")
        }
        lookAtStored(name, user: owner)
        world.ledger.lookAtLife(of: name, for: call, in: self)
    }

    /// A token that is given out was stored. It may not have been where the store failed since it came, unless the store
    /// holds the refresh token that was used up for it.
    private func lookAtStored(_ name: TokenName, user: Int) {
        guard !world.ledger.isKept(name) else { return }
        let mayBeUnstored = conduct.lastSessionFailure > world.ledger.arrivals[name]?.mark ?? 0
        if !mayBeUnstored || world.plan.rule == .singleUse && isUsedUpTokenStored(of: name) {
            world.broke(.storedBeforeHandedOut, "\(name) is given out, and was never stored.")
        }
    }

    private func isUsedUpTokenStored(of name: TokenName) -> Bool {
        guard let stored = world.disk.token, stored.family == name.family else { return false }
        return world.ledger.uses[stored]?.reader == id
    }
}
