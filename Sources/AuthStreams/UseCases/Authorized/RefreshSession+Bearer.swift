extension RefreshSession: BearerSource {
    func bearer() async throws(AuthError) -> Bearer {
        let user = try await presentSession()?.user.id
        while true {
            let token = try await accessToken()
            // A request that began for one user is not sent for the next.
            guard manager.user?.id == user else { throw .superseded }
            // Where it was replaced between the two looks, the next one is asked for.
            if let bearer = manager.bearer(with: token) { return bearer }
        }
    }

    func bearer(replacing refused: Bearer) async throws(AuthError) -> Bearer? {
        while manager.isPresent(refused.session) {
            let token: Secret
            do throws(AuthError) { token = try await accessToken(replacing: refused.token) } catch {
                // Without a refresh token there is no other one, which ends nothing.
                let isTheOnlyOne = error.code == .sessionExpired && manager.isPresent(refused.session)
                guard error.code == .superseded || isTheOnlyOne else { throw error }
                return nil
            }
            guard let bearer = manager.bearer(with: token) else { continue }
            return bearer.session == refused.session ? bearer : nil
        }
        return nil
    }

    var clock: AuthClock { manager.clock }

    func publish(_ event: AuthEvent) { manager.emit(event) }
}

extension SessionManager {
    /// The token with the session it belongs to, in one look; `nil` when it is not the present one.
    fileprivate func bearer(with token: Secret) -> Bearer? {
        read { machine in
            guard let active = machine.active, active.session?.accessToken == token else { return nil }
            return Bearer(token: token, session: active.stage.id)
        }
    }
}
