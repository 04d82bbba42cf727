import AuthStreams

extension IdentityToolkitCall {
    /// Secure Token's `/v1/token`: the next ID token for a refresh token.
    ///
    /// Takes the documented form and the JSON of Google's own SDKs; answers in snake case, numbers as strings.
    func refresh() throws(IdentityToolkitError) -> AuthJSON {
        let (grantType, refreshToken) = try refreshParameters()
        guard let grantType else { throw IdentityToolkitError("MISSING_GRANT_TYPE") }
        guard grantType == "refresh_token" else { throw IdentityToolkitError("INVALID_GRANT_TYPE") }
        guard let refreshToken else { throw IdentityToolkitError("MISSING_REFRESH_TOKEN") }
        let (project, now) = (project, context.now)
        let (grant, account, next) = try accounts.withLock { (state) throws(IdentityToolkitError) in
            let (grant, account, next) = try state.grant(refreshToken: refreshToken)
            _ = state.update(account.id) { $0.lastRefreshAt = now }
            return (grant, account, project.rotatesRefreshTokens ? next : refreshToken)
        }
        let token = AuthJSON.string(
            FirebaseTokens(context: context).idToken(for: account, grant: grant, fault: request.tokenFault))
        return [
            "access_token": token, "id_token": token, "token_type": "Bearer",
            "expires_in": .string("\(Int(FirebaseTokens.lifetime))"), "refresh_token": .string(next),
            "user_id": .string(account.id), "project_id": .string(project.projectNumber),
        ]
    }

    private func refreshParameters() throws(IdentityToolkitError) -> (grantType: String?, refreshToken: String?) {
        if !request.form.items.isEmpty { return (request.form["grant_type"], request.form["refresh_token"]) }
        guard !request.body.isEmpty else { return (nil, nil) }
        let body = try body(["grantType", "refreshToken", "scope", "code"])
        return (try body.string("grantType"), try body.string("refreshToken"))
    }
}

extension IdentityToolkitCall {
    /// `accounts:revokeToken`, version 2: revokes the tokens of a code, or of a token, at Apple, if it is of the Apple identity of
    /// the ID token's user.
    func revokeToken() async throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["providerId", "tokenType", "token", "idToken", "redirectUri", "tenantId"])
        guard try body.string("providerId") == ProviderID.apple.rawValue else {
            throw IdentityToolkitError("INVALID_PROVIDER_ID", "Only Apple's tokens can be revoked.")
        }
        guard project.enabledProviders.contains(.apple) else {
            throw IdentityToolkitError("OPERATION_NOT_ALLOWED", "The identity provider is not enabled.")
        }
        // Google's SDK for Apple platforms sends the number instead of the name.
        let kind: GrantStore.Kind?
        switch try body.string("tokenType") {
        case "REFRESH_TOKEN", "1": kind = .refresh
        case "ACCESS_TOKEN", "2": kind = .access
        case "CODE", "3": kind = nil
        default: throw IdentityToolkitError("INVALID_TOKEN_TYPE")
        }
        guard let token = try body.string("token") else { throw IdentityToolkitError("MISSING_CODE") }
        let account = try account(idToken: body.string("idToken")).account
        let code = PresentedCredential(code: token, redirectURI: try body.string("redirectUri"))
        do throws(CredentialRefusal) {
            let verifier = CredentialVerifier(context: context)
            let grant =
                if let kind { try verifier.appleGrant(of: token, kind) } else {
                    try await verifier.appleGrant(of: code)
                }
            guard account.has(identity: grant.userID, of: .apple) else {
                throw .refused("The code or token is another person's.")
            }
            try await verifier.revoke(grant)
        } catch { throw IdentityToolkitError(error) }
        return [:]
    }
}
