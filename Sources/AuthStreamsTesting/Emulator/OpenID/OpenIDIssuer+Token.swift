import AuthStreams
import Foundation
import LoopbackHTTP

extension OpenIDIssuer {
    /// The token endpoint.
    func token(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        if let refusal = refusal(of: request, context) { return refusal }
        do throws(IssuerRefusal) { return tokens(for: try grant(of: request, context), request, context) } catch {
            return .oauthError(error.code, error.description)
        }
    }

    /// Gives codes to a device and to its person (RFC 8628 section 3.1).
    func authorizeDevice(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        if let refusal = refusal(of: request, context) { return refusal }
        let issuer = context.configuration.issuer
        return devices.issue(
            to: issuer.clientID, request.form.words("scope"), lifetime: issuer.deviceCodeLifetime.components.seconds,
            interval: issuer.devicePollingInterval.components.seconds, context)
    }

    /// Returns the grant of a code, of a refresh token or of a device's code, bound to the key that the request proves.
    private func grant(of request: EmulatorRequest, _ context: EmulatorContext) throws(IssuerRefusal) -> Grant {
        switch request.form["grant_type"] {
        case "authorization_code": return try redeem(request, context)
        case "refresh_token": return try refresh(request, context)
        case DeviceCodes.grantType where context.configuration.issuer.acceptsDeviceCodes:
            return try redeemDeviceCode(request, context)
        default: throw IssuerRefusal(code: "unsupported_grant_type", description: "Unsupported grant_type")
        }
    }

    private func redeem(_ request: EmulatorRequest, _ context: EmulatorContext) throws(IssuerRefusal) -> Grant {
        let form = request.form
        // A request that is refused for its proof does not use up the code.
        let bound = form["code"].flatMap(context.grants.keyThumbprint(ofCode:))
        let thumbprint = try binding(of: request, to: bound, context)
        guard var grant = form["code"].flatMap({ context.grants.redeem(code: $0, by: .openID) }),
            grant.isRedirected(to: form["redirect_uri"]), grant.accepts(verifier: form["code_verifier"])
        else { throw IssuerRefusal(code: "invalid_grant", description: "Code not valid") }
        grant.keyThumbprint = thumbprint
        return grant
    }

    private func refresh(_ request: EmulatorRequest, _ context: EmulatorContext) throws(IssuerRefusal) -> Grant {
        let token = request.form["refresh_token"]
        guard let token, let found = context.grants.valid(token, .refresh, of: .openID)?.grant else {
            // A second use ends the whole family (RFC 9700 section 4.14).
            if let token, let used = state.withLock({ $0.used[token] }) { context.grants.revoke(pairOf: used) }
            throw IssuerRefusal(code: "invalid_grant", description: "Token is not active")
        }
        var grant = found
        grant.keyThumbprint = try binding(of: request, to: found.keyThumbprint, context)
        context.grants.revoke(token)
        state.withLock { $0.used[token] = found }
        return grant
    }

    private func redeemDeviceCode(
        _ request: EmulatorRequest, _ context: EmulatorContext
    ) throws(IssuerRefusal) -> Grant {
        let (code, client) = (request.form["device_code"], context.configuration.issuer.clientID)
        let thumbprint = try binding(of: request, to: nil, context)
        switch devices.redeem(code, by: client, context) {
        case .success(var grant):
            grant.keyThumbprint = thumbprint
            return grant
        case .failure(let error): throw IssuerRefusal(code: error.rawValue, description: nil)
        }
    }

    private func tokens(for grant: Grant, _ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let issuer = context.configuration.issuer
        let access = context.grants.issueToken(.access, for: grant, lifetime: issuer.accessTokenLifetime / .seconds(1))
        var claims = profile(of: grant, context)
        claims["iss"] = .string(identifier(context))
        claims["aud"] = .string(grant.clientID)
        claims["azp"] = .string(grant.clientID)
        claims["iat"] = .seconds(context.now)
        claims["exp"] = .seconds(context.now + 300)
        claims["auth_time"] = .seconds(grant.approvedAt)
        claims["at_hash"] = .string(EmulatorCrypto.halfHash(access))
        if !request.isRefresh { claims.add("nonce", grant.nonce) }
        var members: [String: AuthJSON] = [
            "access_token": .string(access), "token_type": grant.keyThumbprint == nil ? "Bearer" : "DPoP",
            "expires_in": .integer(issuer.accessTokenLifetime.components.seconds),
            "refresh_token": .string(
                context.grants.issueToken(.refresh, for: grant, lifetime: issuer.refreshTokenLifetime / .seconds(1))),
            "scope": .string(grant.scopes.sorted().joined(separator: " ")),
        ]
        // OpenID Connect Core section 3.1.2.1: without the scope a request is none of OpenID Connect.
        if grant.scopes.contains("openid") {
            members["id_token"] = .string(
                context.signer.idToken(
                    claims, host: hosts[0], key: state.withLock { $0.signingKey }, fault: request.tokenFault))
        }
        return .json(.object(members))
    }

    func userInfo(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        guard request.requestedError == nil else { return refused(IssuerRefusal(code: "invalid_token"), request) }
        do throws(IssuerRefusal) {
            return .json(.object(profile(of: try accessGrant(of: request, context), context)))
        } catch { return refused(error, request) }
    }

    /// Ends a token and those of the same sign-in; also answers for one that it does not know (RFC 7009 section 2.2).
    func revoke(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        if let refusal = refusal(of: request, context) { return refusal }
        guard let token = request.form["token"] else { return .oauthError("invalid_request") }
        if let found = context.grants.valid(token, of: .openID) { context.grants.revoke(pairOf: found.grant) }
        return LoopbackResponse(status: 200)
    }

    /// The issuer's own API: ends everything that the person has with the app.
    func deleteAccount(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        do throws(IssuerRefusal) {
            let grant = try accessGrant(of: request, context)
            context.grants.revokeAll(of: context.link(of: grant))
            return LoopbackResponse(status: 204)
        } catch { return refused(error, request) }
    }

    /// A resource's refusal of an access token (RFC 6750 section 3.1, RFC 9449 sections 7.1 and 9).
    private func refused(_ refusal: IssuerRefusal, _ request: EmulatorRequest) -> LoopbackResponse {
        let code = request.requestedError ?? refusal.code
        var response = LoopbackResponse.oauthError(code, "Token verification failed", status: 401)
        let scheme = request.dpopToken == nil ? "Bearer" : "DPoP"
        response.headers.append(("WWW-Authenticate", "\(scheme) error=\"\(code)\""))
        return response
    }

    /// The person's claims for the granted scopes.
    private func profile(of grant: Grant, _ context: EmulatorContext) -> [String: AuthJSON] {
        var claims: [String: AuthJSON] = ["sub": .string(grant.userID)]
        let user = context.configuration.issuer.users.first { $0.id == grant.userID }
        claims.merge(user?.claims(for: grant.scopes) ?? [:]) { $1 }
        if claims["name"] != nil, let name = state.withLock({ $0.names[grant.userID] }) {
            claims["name"] = .string(name)
        }
        return claims
    }
}
