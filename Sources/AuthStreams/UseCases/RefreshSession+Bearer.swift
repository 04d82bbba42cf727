extension RefreshSession: BearerSource {
    func bearer() async throws(AuthError) -> Bearer {
        let user = try await keeper.known()?.user.id
        while true {
            let token = try await accessToken()
            // What was written to be sent as one person is not sent as the next.
            guard keeper.session?.user.id == user else { throw .superseded }
            // Where it was replaced between the two looks, the next one is asked for.
            if let bearer = keeper.bearer(with: token) { return bearer }
        }
    }

    func bearer(replacing refused: Bearer) async throws(AuthError) -> Bearer? {
        while keeper.isPresent(refused.session) {
            let token: Secret
            do throws(AuthError) { token = try await accessToken(replacing: refused.token) } catch {
                // Without a refresh token there is no other one, which ends nothing.
                let isTheOnlyOne = error.code == .sessionExpired && keeper.isPresent(refused.session)
                guard error.code == .superseded || isTheOnlyOne else { throw error }
                return nil
            }
            guard let bearer = keeper.bearer(with: token) else { continue }
            return bearer.session == refused.session ? bearer : nil
        }
        return nil
    }

    var clock: AuthClock { keeper.clock }

    func publish(_ event: AuthEvent) { keeper.publish(event) }
}

extension SessionKeeper {
    /// The token with the generation it belongs to, in one look; `nil` when it is not the present one.
    fileprivate func bearer(with token: Secret) -> Bearer? {
        look { $0.session?.accessToken == token ? Bearer(token: token, session: $0.generation) : nil }
    }

    fileprivate func isPresent(_ generation: UInt64) -> Bool {
        look { $0.generation == generation && $0.session != nil }
    }
}
