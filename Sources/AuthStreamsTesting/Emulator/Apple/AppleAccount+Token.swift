import AuthStreams
package import Foundation
import LoopbackHTTP

extension AppleAccount {
    /// `/auth/token`: every error is a 400, also for a wrong client.
    func token(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let form = request.form
        if let error = request.requestedError { return .oauthError(error) }
        if form.repeated != nil { return .oauthError("invalid_request") }
        guard let clientID = authenticatedClient(form, context) else { return .oauthError("invalid_client") }
        switch form["grant_type"] {
        case "authorization_code":
            guard let code = form["code"] else { return .oauthError("invalid_request") }
            guard let grant = context.grants.redeem(code: code, by: .apple, for: clientID) else {
                return .oauthError("invalid_grant", "The code has expired or has been revoked.")
            }
            guard grant.isRedirected(to: form["redirect_uri"]) else {
                return .oauthError("invalid_grant", "The redirect_uri is not the one of the authorization request.")
            }
            return tokens(for: grant, request, context)
        case "refresh_token":
            guard let token = context.grants.valid(form["refresh_token"], .refresh, of: .apple),
                token.grant.clientID == clientID
            else { return .oauthError("invalid_grant", "The token has expired or has been revoked.") }
            return tokens(for: token.grant, request, context)
        case nil: return .oauthError("invalid_request")
        default: return .oauthError("unsupported_grant_type")
        }
    }

    /// `/auth/revoke`: 200 without a body, also for a token that is unknown or already revoked.
    func revoke(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let form = request.form
        if let error = request.requestedError { return .oauthError(error) }
        guard let clientID = authenticatedClient(form, context) else { return .oauthError("invalid_client") }
        guard let token = form["token"] else { return .oauthError("invalid_request") }
        if let found = context.grants.valid(token, of: .apple) {
            guard found.grant.clientID == clientID else { return .oauthError("invalid_client") }
            // The person is new again: the next sign-in sends name and e-mail once more.
            context.grants.revokeAll(of: context.link(of: found.grant))
        }
        return LoopbackResponse(status: 200)
    }

    private func tokens(for grant: Grant, _ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let access = context.grants.issueToken(.access, for: grant, lifetime: 3600)
        var members: [String: AuthJSON] = [
            "access_token": .string(access), "token_type": "Bearer", "expires_in": 3600,
            "id_token": .string(idToken(for: grant, accessToken: access, fault: request.tokenFault, context)),
        ]
        if !request.isRefresh {
            members["refresh_token"] = .string(
                context.grants.issueToken(.refresh, for: grant, lifetime: 100 * 365 * 86_400))
        }
        return .json(.object(members))
    }

    /// Returns the client of a request whose secret is valid: a JWT that the team's key signs.
    private func authenticatedClient(_ form: EmulatorParameters, _ context: EmulatorContext) -> String? {
        let apple = context.configuration.apple
        let ids = [apple.servicesID, apple.bundleID]
        guard Mismatch.accepts("client_id", form["client_id"], ids, in: "apple.servicesID", "apple.bundleID"),
            let clientID = form["client_id"], let secret = form["client_secret"],
            let jwt = JSONWebToken(Secret(secret)),
            let (input, signature) = TokenSigner.parts(secret),
            let issued = jwt.claims["iat"]?.lenientInteger, let expiry = jwt.claims["exp"]?.lenientInteger
        else {
            Mismatch.note("client_secret", form["client_secret"].map(SecretMasks.start), remedy: .newClientSecret)
            return nil
        }
        let now = Int64(context.now.timeIntervalSince1970)
        let audience = jwt.claims["aud"]?.array?.compactMap(\.string) ?? [jwt.claims["aud"]?.string].compactMap(\.self)
        func has(_ name: String, _ value: String?, _ expected: String) -> Bool {
            if value == expected { return true }
            Mismatch.note("client_secret: \(name)", value, [expected], remedy: .newClientSecret)
            return false
        }
        let isOurs =
            has("alg", jwt.header["alg"]?.string, "ES256") && has("kid", jwt.header["kid"]?.string, apple.keyID)
            && has("iss", jwt.claims["iss"]?.string, apple.teamID) && has("sub", jwt.claims["sub"]?.string, clientID)
            && (audience.contains(AppleAccount.issuer) || has("aud", audience.first, AppleAccount.issuer))
        // Apple accepts about six months, and counts from its own clock, so that an early `iat` says nothing.
        let isInTime = expiry > now && issued <= now + 60 && expiry <= now + 15_777_000
        let isSigned = !EmulatorCrypto.isAvailable || EmulatorCrypto.isES256(signature, of: input)
        if isOurs, !isInTime || !isSigned {
            let part = isInTime ? "signature" : "iat, exp"
            Mismatch.note("client_secret: \(part)", SecretMasks.start(of: secret), remedy: .newClientSecret)
        }
        return isOurs && isInTime && isSigned ? clientID : nil
    }
}

extension EmulatorConfiguration.Apple {
    /// Makes the client secret that an app's server sends to Apple, signed with the emulator's development key.
    ///
    /// - Parameters:
    ///   - clientID: The Services ID for codes of the web flow, the bundle identifier for those of the native one.
    ///   - now: The current date.
    ///   - lifetime: How long it is valid; Apple accepts six months at most.
    package func clientSecret(for clientID: String, now: Date, lifetime: TimeInterval = 300) -> String {
        let header: AuthJSON = ["alg": "ES256", "kid": .string(keyID)]
        let claims: AuthJSON = [
            "iss": .string(teamID), "iat": .seconds(now), "exp": .seconds(now + lifetime),
            "aud": .string(AppleAccount.issuer), "sub": .string(clientID),
        ]
        let input = "\(Base64URL.encode(header.data)).\(Base64URL.encode(claims.data))"
        return "\(input).\(Base64URL.encode(EmulatorCrypto.es256(Data(input.utf8)) ?? Data()))"
    }
}
