public import AuthStreams

extension FirebaseRepository {
    /// Creates a session from another SDK's refresh token, such as that of Firebase's SDK in an earlier version of the
    /// app.
    ///
    /// Two requests: a refresh, then a look-up of its user. Firebase's refresh tokens can be used any number of times,
    /// so nothing is lost if either fails: keep the token and call again. Other sessions with the same token stay
    /// valid.
    ///
    /// | `firebase.sign_in_provider` of the ID token | `AuthSession.provider` |
    /// | --- | --- |
    /// | `google.com`, `apple.com`, `password`, … | that |
    /// | `custom` | the custom claim `provider`, or the part of the uid before the colon (`kakao:1001`), if there is a route of that name; otherwise the first linked provider; otherwise `custom` |
    ///
    /// - Returns: The session, with the refresh token of the answer, or the given one if it had none.
    /// - Throws: `AuthError`: `invalidCredential` before any request for a token that is empty or has spaces or control
    ///   characters; `sessionExpired`, `userNotFound`, `userDisabled` if Firebase says that it is over; `misconfigured`
    ///   for another project's token; otherwise as ``refresh(_:)`` does.
    public func adopt(_ adoptable: AdoptableSession) async throws(AuthError) -> AuthSession {
        let refreshToken = adoptable.refreshToken
        guard !refreshToken.isEmpty, refreshToken.reveal().isPrintableASCII else {
            throw AuthError(
                .invalidCredential, "The refresh token is empty, or has spaces or control characters, so it is none.")
        }
        let tokens = try await toolkit.refresh(refreshToken)
        var session = try await session(of: tokens, from: .custom)
        session.refreshToken = tokens.refreshToken ?? refreshToken
        session.provider = provider(of: session)
        return try allowed(session)
    }

    private func provider(of session: AuthSession) -> ProviderID {
        let claims = FirebaseClaims(session.accessToken)
        if let name = claims.signInProvider, name != ProviderID.custom.rawValue { return ProviderID(rawValue: name) }
        let names = [claims.custom["provider"]?.text, session.user.id.split(separator: ":").first.map(String.init)]
        return names.compactMap(\.self).lazy.compactMap(route(named:)).first
            ?? session.user.providers.first?.id ?? .custom
    }
}

extension ProviderID {
    /// Firebase's name for a sign-in with a custom token.
    fileprivate static let custom: Self = "custom"
}
