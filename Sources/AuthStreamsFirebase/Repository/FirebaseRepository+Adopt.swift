public import AuthStreams

extension FirebaseRepository {
    /// Makes a session of a refresh token that somebody else left, such as Firebase's SDK in an earlier version of the app.
    ///
    /// Two requests: a refresh, then a look-up of the user it is of. Firebase's refresh tokens stay good however often they
    /// are used, so nothing is lost when either fails: keep the token and call again. Sign-ins elsewhere with the same
    /// token go on as well.
    ///
    /// | `firebase.sign_in_provider` of the ID token | `Session.provider` |
    /// | --- | --- |
    /// | `google.com`, `apple.com`, `password`, … | that |
    /// | `custom` | the custom claim `provider`, or what precedes the colon of the uid (`kakao:1001`), where there is a route of that name; else the first linked provider; else `custom` |
    ///
    /// - Returns: The session, with the refresh token of the answer, or the given one when it had none.
    /// - Throws: `AuthError`: `invalidCredential` before any request for a token that is empty or has spaces or control
    ///   characters; `sessionExpired`, `userNotFound`, `userDisabled` when Firebase says that it is over; `misconfigured` for
    ///   another project's token; else as ``refresh(_:)`` does.
    public func adopt(_ left: LegacySession) async throws(AuthError) -> Session {
        let refreshToken = left.refreshToken
        guard !refreshToken.isEmpty, refreshToken.reveal().isPrintableASCII else {
            throw AuthError(
                .invalidCredential, "The refresh token is empty, or has spaces or control characters, so it is none.")
        }
        let tokens = try await toolkit.refresh(refreshToken)
        var session = try await session(of: tokens, from: .custom)
        session.refreshToken = tokens.refreshToken ?? refreshToken
        session.provider = provider(of: session)
        return session
    }

    private func provider(of session: Session) -> ProviderID {
        let claims = FirebaseClaims(session.accessToken)
        if let name = claims.signInProvider, name != ProviderID.custom.rawValue { return ProviderID(rawValue: name) }
        let names = [claims.custom["provider"]?.text, session.user.id.split(separator: ":").first.map(String.init)]
        return names.compactMap(\.self).lazy.compactMap(route(named:)).first
            ?? session.user.providers.first?.id ?? .custom
    }
}

extension ProviderID {
    /// What Firebase calls a sign-in with a custom token.
    fileprivate static let custom: Self = "custom"
}
