import AuthStreams

extension EmulatedIdentityToolkit {
    /// `accounts:signInWithCustomToken`: signs in the user of a custom token of the project's server.
    ///
    /// The answer has no `localId`; the ID token names its user.
    func signInWithCustomToken(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(
            request, members: ["token", "returnSecureToken", "tenantId", "instanceId", "delegatedProjectNumber"])
        guard let token = try body.string("token") else { throw IdentityToolkitError("MISSING_CUSTOM_TOKEN") }
        let (uid, claims) = try FirebaseTokens(context: context).read(customToken: token)
        let now = context.now
        let (account, isNew) = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.signIn(customID: uid, now: now)
        }
        var answer = tokens(for: account, signInProvider: "custom", claims: claims, request: request, in: context)
        if try !body.bool("returnSecureToken") {
            answer["refreshToken"] = nil
            answer["expiresIn"] = nil
        }
        answer["kind"] = "identitytoolkit#VerifyCustomTokenResponse"
        if isNew { answer["isNewUser"] = true }
        return .object(answer)
    }
}
